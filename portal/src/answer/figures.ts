import { isService, latencyOf } from '../chart/points.ts'
import { type Child, html } from '../dom.ts'
import { joined, t, word } from '../texts/index.ts'
import type { Answer, Candidate, Estimate, Range, Recommendation } from '../types.ts'
import { dollars, duration, HOURS_A_MONTH, hoursRoughly, milliseconds, rough, spread, unitPrice, usd } from '../units.ts'

/** A figure of a machine: its name, what stands under that name, and what sorts by it. */
export type Figure = [title: string, cell: (item: Candidate) => Child, order: (item: Candidate) => number | null]

/** A range: its value, and its ends below. */
export function ranged(range: Range | null, format: (value: number, like?: number) => string): Child {
  if (!range) return '–'
  return [html('span', {}, format(range.value)), html('small', { class: 'range' }, spread(range, format))]
}

/** A time as people say it, with its range below in one unit. */
export function timed(range: Range | null): Child {
  if (!range) return '–'
  return [html('span', {}, duration(range.value)), html('small', { class: 'range' }, spread(range, hoursRoughly))]
}

/** What a month costs as scheduled, with the cost of the peak's machines all day below. */
const monthly = ({ serving }: Estimate): Child => {
  const month = serving?.usd_per_month
  if (!month) return '–'
  return [html('span', {}, usd(month.scheduled)), html('small', { class: 'range' }, `24 h: ${usd(month.peak_all_day)}`)]
}

const valueOf = (range: Range | null): number | null => range?.value ?? null

const JOB: ((unit: string) => Figure)[] = [
  () => [t.answer.time, ({ estimate }) => timed(estimate.time_hours), ({ estimate }) => valueOf(estimate.time_hours)],
  () => [t.answer.cost, ({ estimate }) => ranged(estimate.cost_usd, usd), ({ estimate }) => valueOf(estimate.cost_usd)],
]
const MILLION = (unit: string): Figure =>
  [t.answer.usd_a_million(unit), ({ estimate }) => ranged(estimate.usd_per_million, unitPrice),
    ({ estimate }) => valueOf(estimate.usd_per_million)]
const SERVICE: ((unit: string) => Figure)[] = [
  () => [t.answer.latency, ({ estimate }) => ranged(latencyOf(estimate), milliseconds),
    ({ estimate }) => valueOf(latencyOf(estimate))],
  () => [t.answer.usd_an_hour, ({ estimate }) => ranged(estimate.usd_per_hour, usd),
    ({ estimate }) => valueOf(estimate.usd_per_hour)],
  MILLION,
]
const SCHEDULED = (): Figure =>
  [t.answer.usd_a_month, ({ estimate }) => monthly(estimate),
    ({ estimate }) => estimate.serving?.usd_per_month?.scheduled ?? null]

/** The figures by which the machines of an answer differ: of a job, or of a service. */
export function figuresOf(answer: Answer): Figure[] {
  const unit = answer.recommendations[0]?.estimate.throughput.unit ?? ''
  const rate = joined([t.answer.throughput, word(unit)])
  const throughput: Figure = [rate, ({ estimate }) => ranged(estimate.throughput, rough),
    ({ estimate }) => estimate.throughput.value]
  const figures = isService(answer)
    ? [...SERVICE, ...('requests_per_second_by_hour' in answer.workload ? [SCHEDULED] : [])]
    : [...JOB, ...(answer.workload.task === 'inference' ? [MILLION] : [])]
  return [...figures.map((figure) => figure(word(unit.replace(/\/s$/, '')))), throughput]
}

/** What the disks of all machines cost an hour. */
export function diskRate({ sizing: { disk }, node_count: nodes }: Recommendation): number {
  return nodes * ((disk?.usd_per_month ?? 0) + (disk?.root_volume?.usd_per_month ?? 0)) / HOURS_A_MONTH
}

/** A machine's figures with their ranges. */
export function figuresOfItem(best: Candidate, answer: Answer): HTMLElement[] {
  const schedule = best.estimate.serving?.schedule?.map((hour) => hour.node_count).join(' ')
  const byHour: [string, Child][] = schedule ? [[t.answer.machines_by_hour, html('small', {}, schedule)]] : []
  const rate = isService(answer) && !schedule ? best.estimate.usd_per_hour : null
  const byMonth: [string, Child][] = rate ? [[t.hardware.a_month, dollars(rate.value * HOURS_A_MONTH)]] : []
  const all: [string, Child][] = [
    ...figuresOf(answer).map(([title, cell]): [string, Child] => [title, cell(best)]),
    ...byMonth, ...byHour,
  ]
  return all.map(([title, content]) => html('div', {}, html('dt', {}, title), html('dd', {}, content)))
}

/** A machine's name, which breaks between its parts before it breaks within them. */
export function nameParts(name: string): Child {
  return name.split(/(?=\+)/).map((part) => html('span', { class: 'part' }, part))
}
