import { hardware } from '../answer/card.ts'
import { svg } from '../dom.ts'
import type { Recommendation } from '../types.ts'
import type { Place, Room } from './badges.ts'
import type { Mark } from './navigate.ts'
import type { Point } from './points.ts'

const SIGN_WIDTH = 7.2 // about what a sign of a name takes
const GAP = 4 // between a badge and its name, and from a text's middle to its base line
const SURELY = 1.2 // times as far from a name as its own badge, every other must be
/** What a name takes of the chart's height. */
export const NAME_HEIGHT = 14

/** The room for names, and the dots in it. */
interface Free extends Room {
  dots: readonly Place[]
}

/** A name on the chart, and what hides the lines behind it. */
interface Label {
  ground: SVGElement
  text: SVGElement
}

/** The hardware beside each badge, on a ground of its own, where it lies on no other badge, dot or name. */
export function names(
  points: readonly Point<Recommendation>[], marks: readonly Mark[], badge: number,
  { dots, left, right, bottom }: Free,
): Label[] {
  const taken = [
    ...marks.map(({ at }) => ({ left: at.x - badge / 2, right: at.x + badge / 2, y: at.y })),
    ...dots.map(({ x, y }) => ({ left: x - GAP, right: x + GAP, y })),
  ]
  const placed: Label[] = []
  for (const { item } of points) {
    const at = marks.find((mark) => mark.rank === item.rank)?.at
    if (!at) continue
    const words = hardware(item)
    const length = words.length * SIGN_WIDTH
    const isFree = ({ x, y }: Place): boolean => x > left && x + length < right && y < bottom &&
      taken.every((other) => Math.abs(other.y - y) > NAME_HEIGHT || other.right < x || other.left > x + length)
    const isPlain = (place: Place): boolean => place.y === at.y || marks.every((mark) =>
      mark.at === at || away(mark.at, place, length) > SURELY * away(at, place, length))
    const place = besides(at, length, badge).find((one) => isFree(one) && isPlain(one))
    if (!place) continue
    taken.push({ left: place.x, right: place.x + length, y: place.y })
    const side = place.x < at.x ? { x: place.x + length, 'text-anchor': 'end' } : { x: place.x }
    placed.push({
      ground: svg('rect', { class: 'ground', x: place.x - 2, y: place.y - NAME_HEIGHT / 2, width: length + 4, height: NAME_HEIGHT }),
      text: svg('text', { class: 'gpu', ...side, y: place.y + GAP, 'aria-hidden': 'true' }, words),
    })
  }
  return placed
}

/** How far a point is from a name of that length. */
function away({ x, y }: Place, name: Place, length: number): number {
  return Math.hypot(x - Math.min(Math.max(x, name.x), name.x + length), y - name.y)
}

/** The left ends of where a name of that length may stand: beside its badge, else a line above or below. */
function besides(at: Place, length: number, badge: number): Place[] {
  const near = badge / 2 + GAP
  return [0, -NAME_HEIGHT, NAME_HEIGHT].flatMap((drop) =>
    [at.x + near, at.x - near - length].map((x) => ({ x, y: at.y + drop })))
}
