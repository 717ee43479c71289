import { hasTokens, isService, latencyOf, type Point } from '../chart/points.ts'
import { type Child, html } from '../dom.ts'
import { joined, t, word } from '../texts/index.ts'
import type { Answer, Candidate, Estimate, Range, Recommendation } from '../types.ts'
import { dollars, HOURS_A_MONTH, hoursRoughly, milliseconds, rough, spread, unitPrice, usd } from '../units.ts'

/** A figure of a machine: its name, what stands under that name, and what sorts by it. */
export type Figure = [title: string, cell: (item: Candidate) => Child, order: (item: Candidate) => number | null]

/** A range: its value, and its ends below. */
export function ranged(range: Range | null, format: (value: number, like?: number) => string): Child {
  if (!range) return '–'
  return [html('span', {}, format(range.value)), html('small', { class: 'range' }, spread(range, format))]
}

/** What a month costs as scheduled, with the cost of the peak's machines all day below. */
const monthly = ({ serving }: Estimate): Child => {
  const month = serving?.usd_per_month
  if (!month) return '–'
  return [html('span', {}, usd(month.scheduled)), html('small', { class: 'range' }, `24 h: ${usd(month.peak_all_day)}`)]
}

const valueOf = (range: Range | null): number | null => range?.value ?? null

const JOB: ((unit: string) => Figure)[] = [
  () => [t.answer.time, ({ estimate }) => ranged(estimate.time_hours, hoursRoughly),
    ({ estimate }) => valueOf(estimate.time_hours)],
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
    ? [LATENCY(answer), ...SERVICE, ...('requests_per_second_by_hour' in answer.workload ? [SCHEDULED] : [])]
    : [...JOB, ...(answer.workload.task === 'inference' ? [MILLION] : [])]
  return [...figures.map((figure) => figure(word(unit.replace(/\/s$/, '')))), throughput]
}

/** What the disks of all machines cost an hour. */
export function diskRate({ sizing: { disk }, node_count: nodes }: Recommendation): number {
  return nodes * ((disk?.usd_per_month ?? 0) + (disk?.root_volume?.usd_per_month ?? 0)) / HOURS_A_MONTH
}

/** A machine's figures with their ranges, but for those that its point has. */
export function figuresOfItem(best: Candidate, answer: Answer, point: Point | null): HTMLElement[] {
  const told = [point?.x.value, point?.y.value]
  const others = figuresOf(answer).filter(([, , order]) => !told.includes(order(best) ?? NaN))
  const all = [
    ...others.map(([title, cell]) => [title, cell(best)] as const),
    ...(isService(answer) ? ofService(best.estimate) : []),
  ]
  return all.map(([title, content]) => html('div', {}, html('dt', {}, title), html('dd', {}, content)))
}

/** What is told of the choice of a service alone. */
function ofService({ serving, usd_per_hour: rate }: Estimate): [string, Child][] {
  const schedule = serving?.schedule?.map((hour) => hour.node_count).join(' ')
  const all: [string, Child][] = [
    [t.hardware.a_month, schedule ? null : rate && html('span', {}, dollars(Math.round(rate.value * HOURS_A_MONTH)))],
    [t.answer.whole_answer, serving?.end_to_end_p95_ms && ranged(serving.end_to_end_p95_ms, milliseconds)],
    [t.answer.machines_by_hour, schedule && html('small', {}, schedule)],
  ]
  return all.filter(([, content]) => content)
}

/** A machine's name, which breaks between its parts before it breaks within them. */
export function nameParts(name: string): Child {
  return name.split(/(?=\+)/).map((part) => html('span', { class: 'part' }, part))
}
