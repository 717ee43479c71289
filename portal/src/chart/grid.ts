import { svg } from '../dom.ts'

const TICK_GAP = 8
const LABEL_DROP = 4 // from a text's middle to its base line

/** A value of an axis with its words. */
export type Tick = readonly [value: number, words: string]

/** An axis of a chart: where a value lies, the values that have a line, and what it is of. */
export interface Side {
  at: (value: number) => number
  ticks: readonly Tick[]
  label: string
}

/** A picture's size, and what lies around its chart. */
export interface Sheet {
  width: number
  height: number
  edge: Record<'top' | 'right' | 'bottom' | 'left', number>
}

/** The lines of both axes with their words. */
export function gridOf({ width, height, edge }: Sheet, x: Side, y: Side): SVGElement {
  const bottom = height - edge.bottom
  const vertical = x.ticks.map(([tick, words]) => [
    svg('line', { x1: x.at(tick), x2: x.at(tick), y1: edge.top, y2: bottom }),
    svg('text', { x: x.at(tick), y: bottom + 2 * TICK_GAP, 'text-anchor': 'middle' }, words),
  ])
  const horizontal = y.ticks.map(([tick, words]) => [
    svg('line', { x1: edge.left, x2: width - edge.right, y1: y.at(tick), y2: y.at(tick) }),
    svg('text', { x: edge.left - TICK_GAP, y: y.at(tick) + LABEL_DROP, 'text-anchor': 'end' }, words),
  ])
  const end = { class: 'axis', x: width - edge.right, y: height - TICK_GAP / 2, 'text-anchor': 'end' }
  return svg('g', { class: 'grid', 'aria-hidden': 'true' }, vertical, horizontal,
    svg('text', end, `${x.label} →`), svg('text', { class: 'axis', x: 0, y: edge.top / 2 }, `↑ ${y.label}`))
}

/** So many of the ticks as have room for their words. */
export function thinned<Value>(ticks: readonly Value[], length: number, width: number): Value[] {
  const every = Math.ceil((ticks.length * width) / length)
  return ticks.filter((_, place) => place % every === 0)
}
