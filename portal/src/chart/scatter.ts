import { svg } from '../dom.ts'
import { t } from '../texts/index.ts'
import { plain } from '../units.ts'
import { gridOf, thinned } from './grid.ts'
import { axis } from './scale.ts'

const MOST_SIDE = 380
const LEAST_SIDE = 240
const EDGE = { top: 24, right: 14, bottom: 40, left: 58 }
const TICK_WIDTH = 56 // what a tick's number takes
const BANDS = [1.25, 2] // factors by which an estimate may be off
const DOT = { same: 8, other: 6 }

type Place = (value: number) => number

/** A measurement beside its prediction; `same` where it is of the hardware in question. */
export interface Pair {
  measured: number
  predicted: number
  same: boolean
}

/** Predictions against measurements on two equal logarithmic axes, with the line on which both agree. */
export function scatter(pairs: readonly Pair[], room: number, label: string, unit: string): SVGElement {
  const side = Math.min(Math.max(room, LEAST_SIDE), MOST_SIDE)
  const { at, ticks, low, high } = axis(pairs.flatMap(({ measured, predicted }) => [measured, predicted]), true)
  const length = side - EDGE.left - EDGE.right
  const height = EDGE.top + length + EDGE.bottom
  const x: Place = (value) => EDGE.left + at(value) * length
  const y: Place = (value) => EDGE.top + (1 - at(value)) * length
  const shown = thinned(ticks, length, TICK_WIDTH).map((tick) => [tick, plain(tick)] as const)
  const line = (factor: number): SVGElement => band(factor, low, high, x, y)
  const dots = (same: boolean): string => pairs.filter((pair) => pair.same === same)
    .map(({ measured, predicted }) => `M${x(measured).toFixed(1)} ${y(predicted).toFixed(1)}h0`).join('')
  return svg('svg', { class: 'scatter', viewBox: `0 0 ${side} ${height}`, width: side, height, role: 'img', 'aria-label': label },
    gridOf({ width: side, height, edge: EDGE }, { at: x, ticks: shown, label: `${t.evidence.measured}, ${unit}` },
      { at: y, ticks: shown, label: `${t.evidence.predicted}, ${unit}` }),
    BANDS.flatMap((factor) => [line(factor), line(1 / factor)]),
    line(1),
    svg('path', { class: 'dots', d: dots(false), 'stroke-width': DOT.other }),
    svg('path', { class: 'dots same', d: dots(true), 'stroke-width': DOT.same }))
}

/** The line of predictions that are off by the factor, as far as the axes reach. */
function band(factor: number, low: number, high: number, x: Place, y: Place): SVGElement {
  const from = Math.max(low, low / factor)
  const to = Math.min(high, high / factor)
  return svg('line', { class: factor === 1 ? 'agreed' : 'band', x1: x(from), y1: y(from * factor), x2: x(to), y2: y(to * factor) })
}
