import { hours, milliseconds, plain, usd } from './units.js'

const dollars = (value) => `$${plain(value)}`
const JOB = { time: { label: 'time in hours', format: hours, tick: plain }, cost: { label: 'cost of the job', format: usd, tick: dollars } }
const SERVING = { time: { label: 'latency in ms', format: milliseconds, tick: plain }, cost: { label: 'USD an hour', format: usd, tick: dollars } }

/** What cost and time mean in this answer: of a job, or of a service. */
export const measuresOf = (answer) => (answer.workload.task === 'inference' ? SERVING : JOB)

/** The points of the chart: those of the answer that have both a cost and a time. */
export function pointsOf(answer) {
  const place = measuresOf(answer) === SERVING ? service : job
  const points = (items) => items.map((item) => ({ item, ...place(item.estimate) })).filter(drawable)
  return { frontier: points(answer.frontier), recommendations: points(answer.recommendations) }
}

/** The latency that a limit is held against: of the first token where there are tokens. */
export const latencyOf = (estimate) => estimate.serving?.ttft_p95_ms ?? estimate.latency_ms

const job = (estimate) => ({ x: estimate.time_hours, y: estimate.cost_usd })
const service = (estimate) => ({ x: latencyOf(estimate), y: estimate.usd_per_hour })
const drawable = ({ x, y }) => x?.value > 0 && y?.value > 0
