import { svg } from '../dom.ts'
import { t } from '../texts/index.ts'
import type { Limit, Measure, Measures, Point } from './points.ts'

const STEP = 1.1 // by which an arrow key moves a limit
const DIGITS = 3
const CENTS = /[.,]00$/ // which a limit in whole dollars is said without
const NOTHING = 0.005 // of the whole: a smaller gain is none
const FAR = 2 // times the outermost value; a limit beyond stands at the edge
const LABEL = 4 // between a line and its words

/** The values that an axis must show, with its limits as far as they do not press the points together. */
export function withLimits(values: readonly number[], limits: readonly number[]): number[] {
  if (!values.length) return [...limits]
  const [low, high] = [Math.min(...values) / FAR, Math.max(...values) * FAR]
  return [...values, ...limits.map((limit) => Math.min(Math.max(limit, low), high))]
}

/** Where a limit may be drawn, in pixels. */
export interface Field {
  left: number
  right: number
  top: number
  bottom: number
  /** The value's place across the chart, and the value at a place. */
  at: (value: number) => number
  from: (place: number) => number
}

/** A limit across the chart, which can be dragged or moved with the arrow keys; `move` is told where it is let go. */
export function limitLine(
  limit: Limit, measure: Measure, field: Field, move: (value: number) => void, trade: (value: number) => string,
): SVGElement {
  const upright = limit.across === 'x'
  const line = svg('line')
  const grip = svg('line', { class: 'grip' })
  const text = svg('text')
  const made = svg('g', {
    class: `limit across-${limit.across}`, role: 'slider', tabindex: '0', 'aria-label': limit.label,
    'aria-orientation': upright ? 'horizontal' : 'vertical',
  }, line, grip, text)
  let value = limit.value
  const show = (): void => {
    const { place, arrow } = placed(field.at(value), field, upright)
    const ends = upright
      ? { x1: place, x2: place, y1: field.top, y2: field.bottom }
      : { x1: field.left, x2: field.right, y1: place, y2: place }
    const late = upright && place > (field.left + field.right) / 2 // its words stand on the side that has room
    const words = upright
      ? { x: place, y: field.top - LABEL } // above the points, which stand below
      : { x: field.left + LABEL, y: place - LABEL }
    for (const one of [line, grip]) put(one, ends)
    put(text, { ...words, 'text-anchor': late ? 'end' : 'start' })
    const said = `${limit.label} ${measure.said(value).replace(CENTS, '')}${arrow}`
    text.textContent = [said, trade(value)].filter(Boolean).join(' · ')
    put(made, { 'aria-valuenow': value, 'aria-valuetext': measure.said(value) })
  }
  const settle = (): void => { if (value !== limit.value) move(value) }
  made.addEventListener('pointerdown', (event) => {
    made.setPointerCapture(event.pointerId)
    event.preventDefault()
  })
  made.addEventListener('pointermove', (event) => {
    if (!made.hasPointerCapture(event.pointerId)) return
    event.stopPropagation()
    value = round(field.from(upright ? event.offsetX : event.offsetY))
    show()
  })
  made.addEventListener('pointerup', settle)
  made.addEventListener('keydown', ({ key }) => {
    const more = { ArrowRight: STEP, ArrowUp: STEP, ArrowLeft: 1 / STEP, ArrowDown: 1 / STEP }[key]
    if (more) value = round(value * more)
    if (more) show()
    if (key === 'Enter') settle()
  })
  made.addEventListener('blur', settle)
  made.append(svg('title', {}, t.chart.drag))
  show()
  return made
}

/** Where a line stands: at the edge, with an arrow, where its limit lies beyond. */
function placed(at: number, { left, right, top, bottom }: Field, upright: boolean): { place: number; arrow: string } {
  const [least, most, before, after] = upright ? [left, right, ' ←', ' →'] : [top, bottom, ' ↑', ' ↓']
  const exact = Math.round(at)
  if (exact < least) return { place: least, arrow: before }
  return exact > most ? { place: most, arrow: after } : { place: exact, arrow: '' }
}

/** What another value of a limit gains or costs on the other axis: "6 h more save $5". */
export function tradeOf(
  limit: Limit, points: () => readonly Point[], { time, cost }: Measures,
): (value: number) => string {
  const [own, other] = limit.across === 'x' ? [time, cost] : [cost, time]
  const best = (value: number): number => Math.min(...points()
    .filter((point) => point[limit.across].high <= value)
    .map((point) => point[limit.across === 'x' ? 'y' : 'x'].value))
  return (value) => {
    if (value === limit.value) return '' // what lies beyond is looked for only when the limit moves
    const now = best(limit.value)
    const gain = now - best(value)
    if (!Number.isFinite(gain) || Math.abs(gain) < NOTHING * now) return ''
    const say = gain > 0 ? t.chart.saves : t.chart.costs
    return say(own.said(Math.abs(value - limit.value)), other.said(Math.abs(gain)), value > limit.value)
  }
}

const round = (value: number): number => Number(Math.max(value, Number.MIN_VALUE).toPrecision(DIGITS))

function put(element: SVGElement, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
}
