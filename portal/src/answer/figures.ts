import { isService, latencyOf } from '../chart/points.ts'
import { type Child, html } from '../dom.ts'
import { t } from '../texts/index.ts'
import type { Answer, Candidate, Range } from '../types.ts'
import { accelerator, hours, milliseconds, plain, spread, usd } from '../units.ts'

/** A figure of a machine: its name, and what stands under that name. */
export type Figure = [title: string, cell: (item: Candidate) => Child]

/** A range: its value, and its ends below. */
export function ranged(range: Range | null, format: (value: number, like?: number) => string): Child {
  if (!range) return '–'
  return [html('span', {}, format(range.value)), html('small', { class: 'range' }, spread(range, format))]
}

/** The figures by which the machines of an answer differ: of a job, or of a service. */
export function figuresOf(answer: Answer): Figure[] {
  const job: Figure[] = [
    [t.answer.time, ({ estimate }) => ranged(estimate.time_hours, hours)],
    [t.answer.cost, ({ estimate }) => ranged(estimate.cost_usd, usd)],
  ]
  const service: Figure[] = [
    [t.answer.latency, ({ estimate }) => ranged(latencyOf(estimate), milliseconds)],
    [t.answer.usd_an_hour, ({ estimate }) => ranged(estimate.usd_per_hour, usd)],
    [t.answer.usd_a_million, ({ estimate }) => ranged(estimate.usd_per_million, usd)],
  ]
  const unit = answer.recommendations[0]?.estimate.throughput.unit ?? ''
  return [
    ...(isService(answer) ? service : job),
    [`${t.answer.throughput}, ${unit}`, ({ estimate }) => ranged(estimate.throughput, plain)],
  ]
}

/** The best machine's figures, large. */
export function bestFigures(answer: Answer): HTMLElement[] {
  const best = answer.recommendations[0]
  if (!best) return []
  const all: [string, Child][] = [
    ...figuresOf(answer).map(([title, cell]): [string, Child] => [title, cell(best)]),
    [t.answer.accelerator, html('span', {}, accelerator(best))],
  ]
  return all.map(([title, content]) => html('div', {}, html('dt', {}, title), html('dd', {}, content)))
}

/** A machine's name, which breaks between its parts before it breaks within them. */
export function nameParts(name: string): Child {
  return name.split(/(?=\+)/).map((part) => html('span', { class: 'part' }, part))
}
