import { svg } from '../dom.ts'
import { BADGE, isFree, type Place, placesOf, type Room } from './badges.ts'

const SIGN_WIDTH = 7.2 // about what a sign of a name takes
const GAP = 4 // between a name and what is beside it, and from a text's middle to its base line
const OVER = 15 // from a badge's middle to a dot that it would cover
const ALONG = [0.2, 0.4, 0.6, 0.8] // of a tie, from its point on
const SURELY = 1.2 // times as far from a name as its own badge, every other must be
/** What a name takes of the chart's height. */
export const NAME_HEIGHT = 14
const CLEAR = (BADGE + NAME_HEIGHT) / 2 // from a badge's middle to that of a name above or below

/** The room for badges, the dots in it and the upright lines across it, which names keep off. */
export interface Ground extends Room {
  dots: readonly Place[]
  lines: readonly number[]
}

/** A name by its left end and its middle's height, with the badge that it belongs to. */
interface Name extends Place {
  length: number
  words: string
  badge: Place
}

/** A point with what it is called, and a shorter name. */
interface Named {
  at: Place
  words: string
  short?: string
}

/** A point and where its badge stands, tied to it. */
interface Tied {
  at: Place
  badge: Place
}

/** Where a badge stands and, where it has room for one, its name. */
export interface Stand extends Tied {
  name: Name | null
}

/**
 * Places for badges and their names, the earlier ones first, none over another: each badge on its point or near it
 * where its name has room, or else a shorter one, else without a name; null where it has no room itself.
 */
export function stands(ones: readonly Named[], ground: Ground): (Stand | null)[] {
  const taken: Stand[] = []
  return ones.map(({ at, words, short = '' }, rank) => {
    // On its own point, a badge may cover the dots of later ones, which are drawn below it.
    const covered = (badge: Place): Place[] =>
      ones.filter((_, other) => (badge === at ? other < rank : other !== rank)).map((one) => one.at)
    // Where a later badge may still stand on its own point, no name is in its way.
    const openTo = (badge: Place): Place[] => {
      const badges = [badge, ...taken.map((one) => one.badge)]
      return ones.slice(rank + 1).map((one) => one.at).filter((point) => isFree(point, badges))
    }
    const free = placesOf(at, ground)
      .map((badge): Stand => ({ at, badge, name: null }))
      .filter((one) => isClear(one, taken) && isFree(one.badge, covered(one.badge), OVER))
    const named = [words, short].flatMap((said) => free.map((one): Stand =>
      ({ ...one, name: nameOf(said, one, taken, { ...ground, kept: openTo(one.badge) }) })))
    const found = named.find(({ name }) => name) ?? free[0] ?? null
    if (found) taken.push(found)
    return found
  })
}

/** Names beside dots, the earlier ones first, none over another or over a dot. */
export function namesBeside(ones: readonly { at: Place; words: string }[], ground: Ground): Name[] {
  const taken: Name[] = []
  for (const { at, words } of ones) {
    const length = words.length * SIGN_WIDTH
    const dots = ground.dots.filter((dot) => dot !== at)
    const found = [at.x + 3 * GAP, at.x - 3 * GAP - length].map((x): Name => ({ x, y: at.y, length, words, badge: at }))
      .find((name) => isInside(name, { ...ground, dots }) && !taken.some((other) => overlap(name, other)))
    if (found) taken.push(found)
  }
  return taken
}

/**
 * Whether a badge and its tie, beyond its point, lie on no other and on no name, and it cannot be taken for that of
 * another's name.
 */
function isClear(one: Tied, taken: readonly Stand[]): boolean {
  const badges = taken.map(({ badge }) => badge)
  return isFree(one.badge, badges) && isFree(one.badge, taken.flatMap(tieOf), OVER) &&
    tieOf(one).every((place) => isFree(place, badges, BADGE / 2) || !isFree(place, [one.at], BADGE / 2)) &&
    taken.every(({ name }) => !name || !crosses(one, name) &&
      away(one.badge, name) > Math.max(CLEAR, SURELY * away(name.badge, name)))
}

/** Places along the line between a point and its badge. */
const tieOf = ({ at, badge }: Tied): Place[] => at === badge ? [] : ALONG.map((share) =>
  ({ x: at.x + share * (badge.x - at.x), y: at.y + share * (badge.y - at.y) }))

const crosses = (one: Tied, name: Name): boolean => tieOf(one).some((place) => away(place, name) < NAME_HEIGHT / 2)

/** The name of a badge where it lies on no other badge, dot, line or name. */
function nameOf(
  words: string, own: Tied, taken: readonly Stand[], ground: Ground & { kept: readonly Place[] },
): Name | null {
  if (!words) return null
  const { badge } = own
  const length = words.length * SIGN_WIDTH
  const all = besides(badge, length).map((place): Name => ({ ...place, length, words, badge }))
  return all.find((name) => isInside(name, ground) && ground.kept.every((point) => away(point, name) > CLEAR) &&
    !crosses(own, name) && taken.every((one) => !crosses(one, name) &&
    away(one.badge, name) > Math.max(CLEAR, SURELY * away(badge, name)) && !overlap(name, one.name))) ?? null
}

/** Whether a name lies within the ground, and on none of its dots and lines. */
function isInside(name: Name, { dots, lines, left, right, bottom }: Ground): boolean {
  const end = name.x + name.length
  return name.x > left - BADGE / 2 && end < right + BADGE / 2 && name.y < bottom &&
    lines.every((line) => line < name.x || line > end) &&
    dots.every((dot) => Math.abs(dot.y - name.y) > NAME_HEIGHT - GAP || away(dot, name) > NAME_HEIGHT)
}

function overlap(name: Name, other: Name | null): boolean {
  return other !== null && Math.abs(other.y - name.y) < NAME_HEIGHT &&
    other.x < name.x + name.length + GAP && name.x < other.x + other.length + GAP
}

/** How far a point is from a name. */
function away({ x, y }: Place, name: Name): number {
  return Math.hypot(x - Math.min(Math.max(x, name.x), name.x + name.length), y - name.y)
}

/** The left ends of where a name may stand: beside its badge, a line above or below, else over or under it. */
function besides(at: Place, length: number): Place[] {
  const near = BADGE / 2 + GAP
  return [
    ...[0, -NAME_HEIGHT, NAME_HEIGHT].flatMap((drop) =>
      [at.x + near, at.x - near - length].map((x) => ({ x, y: at.y + drop }))),
    ...[-CLEAR, CLEAR].flatMap((drop) =>
      [at.x - length / 2, at.x - length + near, at.x - near].map((x) => ({ x, y: at.y + drop }))),
  ]
}

/** A name on the chart, of the class of its cloud, and what hides the lines behind it. */
export function labelOf({ x, y, length, words, badge }: Name, tint: string): { ground: SVGElement; text: SVGElement } {
  const side = x + length < badge.x ? { x: x + length, 'text-anchor': 'end' } : { x }
  const box = { x: x - 2, y: y - NAME_HEIGHT / 2, width: length + 4, height: NAME_HEIGHT }
  return {
    ground: svg('rect', { class: 'ground', ...box }),
    text: svg('text', { class: `gpu ${tint}`, ...side, y: y + GAP, 'aria-hidden': 'true' }, words),
  }
}
