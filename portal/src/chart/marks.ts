import { atCloud, hardware, rentedAs } from '../answer/card.ts'
import { svg } from '../dom.ts'
import { joined, t } from '../texts/index.ts'
import type { Candidate, Recommendation } from '../types.ts'
import { machine, spread } from '../units.ts'
import { isFree, type Place, placesOf } from './badges.ts'
import { type Ground, labelOf, stands } from './names.ts'
import type { Mark } from './navigate.ts'
import type { ComparedPoint, Measures, Point, Points } from './points.ts'

export const RADIUS = { frontier: 4.5, recommended: 10 }
const SIDE = 2 * RADIUS.recommended
const LABEL_DROP = 4 // from a text's middle to its base line
const MOST_BADGES = 5 // as many as can be read; other recommendations are dots
const WIDTH_A_BADGE = 90 // of a chart that is too narrow for so many

/** What places and paints a mark. */
export interface Scales {
  x: (value: number) => number
  y: (value: number) => number
  measures: Measures
  tints: Map<string, string>
}

/** The marks of the recommendations, the best last, and of the compared machines, and the names beside them. */
export interface Placed {
  recommended: Mark[]
  compared: Mark[]
  names: ReturnType<typeof labelOf>[]
}

/**
 * Badges for the first recommendations, as many as the chart has place for, and squares for compared machines. Those
 * that would lie on each other stand apart, each tied to its point; other badges show when their points are asked for.
 */
export function marksOf({ recommendations, compared }: Points, scales: Scales, width: number, ground: Ground): Placed {
  const most = Math.min(MOST_BADGES, Math.floor(width / WIDTH_A_BADGE), recommendations.length)
  const first = compared.length // what was asked for by name has the first pick
  const badged = recommendations.slice(0, most)
  const names = namesOf(badged.map(({ item }) => item))
  const all = stands([
    ...compared.map((point) => ({ at: placeOf(point, scales), words: '' })),
    ...badged.map((point, place) => ({ at: placeOf(point, scales), words: names[place] ?? '', short: hardware(point.item) })),
  ], ground)
  const taken = all.flatMap((stand) => stand?.badge ?? [])
  const recommended = recommendations.map((point, place) => {
    const own = placeOf(point, scales)
    const badge = all[first + place]?.badge
    const aside = badge ?? placesOf(own, ground).find((one) => isFree(one, taken)) ?? own
    if (!badge) taken.push(aside)
    return badgeOf(point, aside, Boolean(badge), scales)
  })
  return {
    recommended: recommended.reverse(),
    compared: compared.map((point, place) => comparedMark(point, all[place]?.badge ?? placeOf(point, scales), scales)),
    names: all.flatMap((stand, place) => {
      const point = recommendations[place - first]
      return stand?.name ? labelOf(stand.name, point ? tintOf(point, scales) : '') : []
    }),
  }
}

/** What tells each machine from the others: its hardware, else that with its cloud, else its own name. */
export function namesOf(items: readonly Candidate[]): string[] {
  const ways = [hardware, atCloud, machine].map((say) => items.map(say))
  return items.map((item, place) => {
    const alone = ways.find((said) => said.filter((words) => words === said[place]).length === 1)
    return alone?.[place] ?? machine(item)
  })
}

/** A rank's badge, which is seen only when its point is asked for unless it has a place. */
function badgeOf(point: Point<Recommendation>, badge: Place, seen: boolean, scales: Scales): Mark {
  const { rank } = point.item
  const own = placeOf(point, scales)
  const element = svg('g', {
    class: `point ${tintOf(point, scales)} ${seen ? '' : 'unbadged'}`, role: 'button', 'data-rank': rank,
    'aria-label': `${t.chart.rank(rank)}: ${label(point, scales.measures)}`,
  }, bars(point, scales), tie(own, badge),
    svg('circle', { class: 'spot-on', cx: own.x, cy: own.y, r: RADIUS.frontier }),
    svg('circle', { class: 'recommended', cx: badge.x, cy: badge.y, r: RADIUS.recommended }),
    numbered(badge, rank))
  const words = (): string[] => wordsOf(point, scales.measures)
  return { element: () => element, at: seen ? badge : own, words, item: point.item, rank }
}

/** A compared machine: a square with its letter. */
function comparedMark(point: ComparedPoint, at: Place, scales: Scales): Mark {
  const { item, letter } = point
  const { cost, time } = scales.measures
  const words = [item.label ?? '', cost.format(point.y.value), time.format(point.x.value)]
  const names = { 'aria-label': `${letter}: ${joined(words)}`, 'data-rank': letter }
  const element = svg('g', { class: 'point beside', role: 'button', ...names },
    bars(point, scales), tie(placeOf(point, scales), at),
    svg('rect', { class: 'recommended', x: at.x - SIDE / 2, y: at.y - SIDE / 2, width: SIDE, height: SIDE, rx: 3 }),
    numbered(at, letter))
  return { element: () => element, at, words: () => words, item, rank: letter }
}

const tie = (from: Place, to: Place): SVGElement =>
  svg('line', { class: 'tie', x1: from.x, y1: from.y, x2: to.x, y2: to.y })
const numbered = ({ x, y }: Place, rank: number | string): SVGElement =>
  svg('text', { class: 'rank', x, y: y + LABEL_DROP, 'text-anchor': 'middle' }, rank)

/** The range of a point on both axes. */
function bars(point: Point, scales: Scales): SVGElement {
  const { x, y } = point
  const { x: across, y: up } = placeOf(point, scales)
  return svg('g', { class: 'bar', 'aria-hidden': 'true' },
    x.low > 0 ? svg('line', { x1: scales.x(x.low), x2: scales.x(x.high), y1: up, y2: up }) : null,
    y.low > 0 ? svg('line', { x1: across, x2: across, y1: scales.y(y.low), y2: scales.y(y.high) }) : null)
}

/** A point in a line, for those who hear it. */
export function label({ item, x, y }: Point, { time, cost }: Measures): string {
  return `${atCloud(item)} (${machine(item)}): ${cost.said(y.value)}, ${time.said(x.value)}`
}

/** What is said of a point that is pointed at. */
export function wordsOf({ item, x, y }: Point, { time, cost }: Measures): string[] {
  return [atCloud(item), joined([machine(item), ...rentedAs(item)]), inFull(y, cost), inFull(x, time)]
}

/** A figure with the ends of its range. */
export function inFull(range: Point['x'], { said, format }: Measures['cost']): string {
  const width = spread(range, format)
  return width ? `${said(range.value)} (${width})` : said(range.value)
}

export const placeOf = ({ x, y }: Point, scales: Scales): Place => ({ x: scales.x(x.value), y: scales.y(y.value) })
export const tintOf = ({ item }: Point, { tints }: Scales): string => tints.get(item.cloud) ?? ''
