import { hoursOf } from '../duration.ts'
import { t, word } from '../texts/index.ts'
import type { Round } from './scale.ts'
import type { Answer, Candidate, Compared, Estimate, Range, Recommendation } from '../types.ts'
import { duration, hours, hoursOfUnit, hoursRoughly, milliseconds, plain, short, usd } from '../units.ts'

export interface Measure {
  label: string
  format: (value: number, like?: number) => string
  /** How a value is said in a sentence, with what it is of where that is not plain. */
  said: (value: number) => string
  /** How a tick is written in the unit that another has. */
  tick: (value: number, like?: number) => string
  round?: Round
}

/** What the two axes measure. */
export interface Measures {
  /** How the headline says it, and whether more is better. */
  time: Measure & { headline: (said: string) => string; rising?: boolean }
  cost: Measure
}

export interface Point<Item extends Candidate = Candidate> {
  item: Item
  x: Range
  y: Range
}

/** A limit of the question, drawn across the chart. */
export interface Limit {
  across: 'x' | 'y'
  value: number
  label: string
  /** The parameter that sets it. */
  parameter: string
}

/** A compared machine on the chart. */
export interface ComparedPoint extends Point {
  letter: string
}

export interface Points {
  /** Every machine of the answer once, the recommendations first. */
  all: Point[]
  frontier: Point[]
  /** Machines beside these, which are drawn faint. */
  others: Point<Recommendation>[]
  recommendations: Point<Recommendation>[]
  compared: ComparedPoint[]
  limits: Limit[]
}

const SECOND = 1 / 3600
const MINUTE = 1 / 60
const DAY = 24
/** Round times in hours, each about three times the one before. */
const STEPS_HOURS = [
  ...[1, 3, 10, 30].map((count) => count * SECOND),
  ...[1, 3, 10, 30].map((count) => count * MINUTE),
  ...[1, 3, 10],
  ...[1, 3, 10, 30, 100, 300, 1000, 3000].map((count) => count * DAY),
]

const dollars = (value: number): string => `$${short(value)}`

/** Amounts that make inference a job with an end. */
const AMOUNTS = ['requests', 'tokens', 'hours_of_audio']

/** Whether the answer is about a service: its time is then a latency. Inference with an end has a time of its own. */
export function isService(answer: Answer): boolean {
  if (answer.workload.task !== 'inference' || AMOUNTS.some((name) => name in answer.workload)) return false
  return [...answer.frontier, ...answer.recommendations].every(({ estimate }) => !estimate.time_hours)
}

/** Whether a service costs by the hour, as it does at a given load; without one it is ranked by what a million cost. */
const isHourly = ({ workload }: Answer): boolean =>
  typeof workload.requests_per_second === 'number' || typeof workload.concurrency === 'number' ||
  'requests_per_second_by_hour' in workload

/** Whether the answer is of a language model, whose latency is that of the first token. */
export const hasTokens = ({ frontier, recommendations }: Answer): boolean =>
  [...frontier, ...recommendations].some(({ estimate }) => estimate.serving)

/** What cost and time mean in this answer: of a job, or of a service. */
export function measuresOf(answer: Answer): Measures {
  const job = !isService(answer)
  return {
    time: job ? jobTime() : latency(hasTokens(answer)),
    cost: { label: costLabel(answer), format: usd, said: costSaid(answer), tick: dollars },
  }
}

function jobTime(): Measures['time'] {
  const round = { steps: STEPS_HOURS, unit: hoursOfUnit }
  return { label: t.chart.time, format: hoursRoughly, said: duration, tick: hours, round, headline: t.answer.about }
}

const latency = (ofTokens: boolean): Measures['time'] => ({
  label: ofTokens ? t.chart.first_token_ms : t.chart.latency_ms, format: milliseconds, said: milliseconds,
  tick: (value) => plain(value), headline: ofTokens ? t.answer.about_first_token : t.answer.about_latency,
})

function costLabel(answer: Answer): string {
  if (!isService(answer)) return t.chart.cost_of_job
  if (isHourly(answer)) return t.chart.usd_an_hour
  const unit = answer.recommendations[0]?.estimate.throughput.unit ?? ''
  return t.answer.usd_a_million(word(unit.replace(/\/s$/, ''))).trim()
}

function costSaid(answer: Answer): (value: number) => string {
  if (!isService(answer)) return usd
  const { an_hour: hourly, a_million: million } = t.answer
  return (value) => (isHourly(answer) ? hourly : million)(usd(value))
}

/** The points of the chart: those of the answer that have both a cost and a time. */
export function pointsOf(answer: Answer, query: URLSearchParams, now: number): Points {
  const place = placeIn(answer)
  const placed = <Item extends Candidate>(items: Item[]): Point<Item>[] =>
    items.flatMap((item) => {
      const { x, y } = place(item.estimate)
      return x && y ? [{ item, x, y }] : []
    })
  const recommendations = placed(answer.recommendations)
  const frontier = placed(answer.frontier)
  const known = new Set(recommendations.map(({ item }) => keyOf(item)))
  return {
    all: [...recommendations, ...frontier.filter(({ item }) => !known.has(keyOf(item)))],
    frontier: frontier.filter(isDrawn),
    others: [],
    recommendations: recommendations.filter(isDrawn),
    compared: [],
    limits: limitsOf(answer, query, now),
  }
}

/** The compared machines that have a place in the answer's chart. */
export function comparedPoints(
  some: readonly { letter: string; one: Compared }[], answer: Answer,
): ComparedPoint[] {
  return some.flatMap(({ letter, one: { label, estimate, price, fits } }) => {
    const { x, y } = estimate && fits ? placeIn(answer)(estimate) : { x: null, y: null }
    if (!estimate || !price || !x || !y) return []
    const item = { ...NOWHERE, label, estimate, price, instance_type: label }
    return [{ letter, item, x, y }].filter(isDrawn)
  })
}

const NOWHERE = { cloud: 'own', region: '', node_count: 1, purchase: '', accelerator: null }

/** What of an estimate the two axes of an answer's chart measure. */
export const placeIn = (answer: Answer) => (isService(answer) ? (isHourly(answer) ? hourly : byMillion) : job)

/** What costs nothing stands on the chart's lower edge. */
const isDrawn = ({ x, y }: Point): boolean => x.value > 0 && y.value >= 0

/** What tells a machine of an answer from its others. */
export function keyOf({ cloud, region, instance_type: type, node_count: nodes, purchase }: Candidate): string {
  return [cloud, region, type, nodes, purchase].join(' ')
}

/** The latency that a limit is held against: of the first token where there are tokens. */
export function latencyOf(estimate: Estimate): Range | null {
  return estimate.serving?.ttft_p95_ms ?? estimate.latency_ms
}

function limitsOf(answer: Answer, query: URLSearchParams, now: number): Limit[] {
  const { deadline, budget_usd: budget, latency_ms: latency } = answer.workload
  const limits: [Limit['across'], unknown, string, string][] = isService(answer)
    ? [
        ['x', latency, t.chart.latency_limit, 'latency_ms'],
        ['y', isHourly(answer) && Number(query.get('max_usd_per_hour')), t.chart.rate_limit, 'max_usd_per_hour'],
      ]
    : [
        ['x', hoursOf(deadline, now), t.chart.deadline, 'deadline'],
        ['y', budget, t.chart.budget, 'budget_usd'],
      ]
  return limits.flatMap(([across, value, label, parameter]) =>
    typeof value === 'number' && value > 0 ? [{ across, value, label, parameter }] : [],
  )
}

const job = (estimate: Estimate) => ({ x: estimate.time_hours, y: estimate.cost_usd })
const hourly = (estimate: Estimate) => ({ x: latencyOf(estimate), y: estimate.usd_per_hour })
const byMillion = (estimate: Estimate) => ({ x: latencyOf(estimate), y: estimate.usd_per_million })
