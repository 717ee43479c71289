import { hasTokens, isService, latencyOf } from '../chart/points.ts'
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

/** What an hour costs, with a month of such hours below. */
const hourly = ({ usd_per_hour: rate, serving }: Estimate): Child => {
  if (!rate || serving?.schedule) return ranged(rate, usd)
  const month = t.answer.a_month(dollars(Math.round(rate.value * HOURS_A_MONTH)))
  return [html('span', {}, usd(rate.value)), html('small', { class: 'range' }, month)]
}

const valueOf = (range: Range | null): number | null => range?.value ?? null

const JOB: ((unit: string) => Figure)[] = [
  () => [t.answer.time, ({ estimate }) => timed(estimate.time_hours), ({ estimate }) => valueOf(estimate.time_hours)],
  () => [t.answer.cost, ({ estimate }) => ranged(estimate.cost_usd, usd), ({ estimate }) => valueOf(estimate.cost_usd)],
]
const MILLION = (unit: string): Figure =>
  [t.answer.usd_a_million(unit), ({ estimate }) => ranged(estimate.usd_per_million, unitPrice),
    ({ estimate }) => valueOf(estimate.usd_per_million)]

/** What the latency of an answer is called. */
export const latencyName = (answer: Answer): string => (hasTokens(answer) ? t.answer.first_token : t.answer.latency)

const LATENCY = (answer: Answer) => (): Figure =>
  [latencyName(answer), ({ estimate }) => ranged(latencyOf(estimate), milliseconds),
    ({ estimate }) => valueOf(latencyOf(estimate))]
const SERVICE: ((unit: string) => Figure)[] = [
  () => [t.answer.usd_an_hour, ({ estimate }) => hourly(estimate),
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
    ? [LATENCY(answer), ...SERVICE, ...('requests_per_second_by_hour' in answer.workload ? [SCHEDULED] : [])]
    : [...JOB, ...(answer.workload.task === 'inference' ? [MILLION] : [])]
  return [...figures.map((figure) => figure(word(unit.replace(/\/s$/, '')))), throughput]
}

/** What the disks of all machines cost an hour. */
export function diskRate({ sizing: { disk }, node_count: nodes }: Recommendation): number {
  return nodes * ((disk?.usd_per_month ?? 0) + (disk?.root_volume?.usd_per_month ?? 0)) / HOURS_A_MONTH
}

/** A machine's figures with their ranges. */
export function figuresOfItem(best: Candidate, answer: Answer): HTMLElement[] {
  const all = [
    ...figuresOf(answer).map(([title, cell]) => [title, cell(best)] as const),
    ...(isService(answer) ? ofService(best.estimate) : []),
  ]
  return all.map(([title, content]) => html('div', {}, html('dt', {}, title), html('dd', {}, content)))
}

/** What is told of the choice of a service alone. */
function ofService({ serving }: Estimate): [string, Child][] {
  const schedule = serving?.schedule?.map((hour) => hour.node_count).join(' ')
  const all: [string, Child][] = [
    [t.answer.whole_answer, serving?.end_to_end_p95_ms && ranged(serving.end_to_end_p95_ms, milliseconds)],
    [t.answer.machines_by_hour, schedule && html('small', {}, schedule)],
  ]
  return all.filter(([, content]) => content)
}

/** A machine's name, which breaks between its parts before it breaks within them. */
export function nameParts(name: string): Child {
  return name.split(/(?=\+)/).map((part) => html('span', { class: 'part' }, part))
}
