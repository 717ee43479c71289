import { html, svg } from '../dom.ts'
import { t, word } from '../texts/index.ts'
import type { Range, Spot } from '../types.ts'
import { chance, duration, hours, hoursOfUnit, hoursRoughly, plain, spread, usd } from '../units.ts'
import { axis } from './linear.ts'

const HEIGHT = 112
const EDGE = { left: 8, right: 8 }
const BAR = { top: 34, height: 26 }
const RANGE_Y = 74
const AXIS_Y = 84
const CHECKPOINT_GAP = 6 // pixels; where checkpoints lie closer, every so manieth is drawn
const TICK_WIDTH = 72 // what a tick's words take
const FAR = 2.5 // a deadline so many times later than the end would squeeze the run into a corner
const MARGIN = 1.06
const LABEL_GAP = 5
const MINUTES = 60
const LEAST_WIDTH = 260

/** A run in hours from its order: figures of the answer, and what follows from them. */
export interface Run {
  start: number
  /** Where each checkpoint is written, if nothing interrupts. */
  checkpoints: number[]
  undisturbed: number
  end: Range
  /** Hours that interruptions add, as expected. */
  lost: number
  /** Of the run's own hours, from one interruption to the next, as expected; null where none comes. */
  between: number | null
}

/** The run's course: it starts, and interruptions add what it lacks undisturbed to its end. */
export function runOf(spot: Spot, end: Range): Run {
  const start = spot.start_minutes / MINUTES
  const write = spot.checkpoint_write_minutes / MINUTES
  const interval = spot.checkpoint_interval_minutes / MINUTES
  const undisturbed = start + spot.work_hours + spot.segments * write
  const checkpoints = Array.from({ length: spot.segments }, (_, place) =>
    start + Math.min((place + 1) * interval, spot.work_hours) + (place + 1) * write)
  const rate = spot.interruptions_per_hour
  return {
    start, checkpoints, undisturbed, end,
    lost: Math.max(0, end.value - undisturbed),
    between: rate > 0 ? 1 / rate : null,
  }
}

/** The run under interruptions against its deadline, as a picture with the same in words beside it. */
export function timeline(spot: Spot, end: Range, deadline: number | null, room: number): HTMLElement {
  const run = runOf(spot, end)
  return html('figure', { class: 'timeline' },
    html('figcaption', {}, t.spot.caption),
    picture(spot, run, deadline, Math.max(room, LEAST_WIDTH)),
    legend(run),
    html('dl', {}, facts(spot, run, deadline).map(([name, value]) => [html('dt', {}, name), html('dd', {}, value)])))
}

function picture(spot: Spot, run: Run, deadline: number | null, width: number): SVGElement {
  const late = Math.max(run.end.high, run.end.value)
  const near = deadline !== null && deadline <= FAR * late
  const last = (near ? Math.max(late, deadline) : late) * MARGIN
  const unit = hoursOfUnit(last)
  const { at, ticks } = axis(last / unit)
  const x = (hour: number): number => EDGE.left + at(hour / unit) * (width - EDGE.left - EDGE.right)
  const part = (name: string, from: number, to: number): SVGElement =>
    svg('rect', { class: name, x: x(from), y: BAR.top, width: Math.max(x(to) - x(from), 0), height: BAR.height })
  const shown = thinned(run.checkpoints, CHECKPOINT_GAP / (x(run.undisturbed) - x(run.start)))
  return svg('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: 'img', 'aria-label': summary(spot, run, deadline) },
    grid(thinned(ticks, TICK_WIDTH / (x(last) - x(0))).map((tick) => tick * unit), x, last),
    part('part-7', 0, run.start),
    part('part-0', run.start, run.undisturbed),
    part('part-4', run.undisturbed, run.undisturbed + run.lost),
    shown.map((hour) => svg('line', { class: 'checkpoint', x1: x(hour), x2: x(hour), y1: BAR.top, y2: BAR.top + BAR.height })),
    whisker(run.end, x),
    limit(spot, deadline, near, x, width))
}

/** Every one, or every second and so on, so that each has its share of the whole to itself. */
function thinned(values: readonly number[], share: number): number[] {
  const every = Math.max(1, Math.ceil(values.length * share))
  return values.filter((_, place) => place % every === 0)
}

function grid(ticks: readonly number[], x: (hour: number) => number, last: number): SVGElement {
  const labels = ticks.map((tick) => [
    svg('line', { x1: x(tick), x2: x(tick), y1: BAR.top - LABEL_GAP, y2: AXIS_Y }),
    svg('text', { x: x(tick), y: AXIS_Y + 3 * LABEL_GAP, 'text-anchor': tick ? 'middle' : 'start' }, hours(tick, last)),
  ])
  return svg('g', { class: 'grid', 'aria-hidden': 'true' }, labels)
}

function whisker({ value, low, high }: Range, x: (hour: number) => number): SVGElement {
  return svg('g', { class: 'whisker' },
    svg('line', { x1: x(low), x2: x(high), y1: RANGE_Y, y2: RANGE_Y }),
    svg('circle', { cx: x(value), cy: RANGE_Y, r: LABEL_GAP }))
}

/** The deadline's line with the chance to be done by then; one that lies far off is named at the picture's end. */
function limit(
  spot: Spot, deadline: number | null, near: boolean, x: (hour: number) => number, width: number,
): SVGElement | null {
  if (deadline === null) return null
  const words = `${t.chart.deadline} ${hours(deadline)}: ${t.spot.done(chance(spot.finish_probability))}`
  const place = near ? x(deadline) : width - EDGE.right
  const late = place > width / 2
  return svg('g', { class: 'limit' },
    near ? svg('line', { x1: place, x2: place, y1: LABEL_GAP, y2: AXIS_Y }) : null,
    svg('text', { x: place + (near ? (late ? -LABEL_GAP : LABEL_GAP) : 0), y: 3 * LABEL_GAP, 'text-anchor': late ? 'end' : 'start' },
      near ? words : `${words} →`))
}

function legend({ start, lost }: Run): HTMLElement {
  const entries: [string, string, boolean][] = [
    ['part-7', t.spot.start, start > 0], ['part-0', t.spot.work, true], ['part-4', t.spot.lost, lost > 0],
    ['whisker-key', t.spot.range, true],
  ]
  return html('ul', { class: 'legend' }, entries.filter(([, , there]) => there).map(([tint, name]) =>
    html('li', {}, html('span', { class: `swatch ${tint}` }), name)))
}

function facts(spot: Spot, run: Run, deadline: number | null): [string, string][] {
  const { interruptions_per_hour: rate, segments, on_demand_cost_usd: regular } = spot
  const ends = spread(run.end, hoursRoughly)
  const written = [spot.checkpoint_interval_minutes, spot.checkpoint_write_minutes].map((one) => hours(one / MINUTES))
  const source = word(spot.interruptions_source)
  const between = run.between === null ? null : hours(run.between)
  const all: [string, string | null][] = [
    [t.spot.end, ends ? `${duration(run.end.value)} (${ends})` : duration(run.end.value)],
    [t.spot.work, duration(spot.work_hours)],
    [t.spot.checkpoints, t.spot.checkpoints_line(plain(segments), written[0] ?? '', written[1] ?? '')],
    [t.spot.interruptions, t.spot.interruptions_line(plain(rate), source, between)],
    [t.spot.restarts, t.spot.restarts_line(plain(spot.expected_restarts), duration(run.lost))],
    [t.spot.untouched, chance(spot.survival_probability)],
    [t.spot.in_time, deadline === null ? null : chance(spot.finish_probability)],
    [t.spot.on_demand, regular === null ? null : usd(regular)],
  ]
  return all.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
}

function summary(spot: Spot, run: Run, deadline: number | null): string {
  return `${t.spot.caption} ${facts(spot, run, deadline).map((fact) => fact.join(': ')).join('; ')}`
}
