import { hours, milliseconds, plain, usd } from './units.js'

const JOB = { time: { label: 'time in hours', format: hours, tick: plain }, cost: { label: 'cost of the job', format: usd } }
const SERVING = { time: { label: 'latency in ms', format: milliseconds, tick: plain }, cost: { label: 'USD an hour', format: usd } }

/** What cost and time mean in this answer: of a job, or of a service. */
export const measuresOf = (answer) => (answer.workload.task === 'inference' ? SERVING : JOB)

/** The points of the chart: those of the answer that have both a cost and a time. */
export function pointsOf(answer) {
  const serving = measuresOf(answer) === SERVING
  return {
    frontier: answer.frontier.map((item) => ({ item, ...(serving ? serviceOf(item) : jobOf(item)) })).filter(drawable),
    recommendations: answer.recommendations
      .map((item) => ({ item, ...(serving ? servedBy(item.estimate) : { x: item.estimate.time_hours, y: item.estimate.cost_usd }) }))
      .filter(drawable),
  }
}

/** The latency that a limit is held against: of the first token where there are tokens. */
export const latencyOf = (estimate) => estimate.serving?.ttft_p95_ms ?? estimate.latency_ms

const jobOf = (item) => ({ x: { value: item.time_hours }, y: { value: item.cost_usd } })
const serviceOf = (item) => ({ x: { value: item.latency_ms }, y: { value: item.usd_per_hour } })
const servedBy = (estimate) => ({ x: latencyOf(estimate), y: estimate.usd_per_hour })
const drawable = ({ x, y }) => x?.value > 0 && y?.value > 0
