import { type Point, pointsOf } from '../chart/points.ts'
import { recommendations } from '../client.ts'

const LIMITS = ['deadline', 'budget_usd', 'max_usd_per_hour', 'latency_ms', 'tpot_ms', 'end_to_end_ms']

/** The question without the limits that are drawn across the chart. */
export function withoutLimits(query: URLSearchParams): URLSearchParams {
  const free = new URLSearchParams(query)
  for (const name of LIMITS) free.delete(name)
  return free
}

/** The machines of an answer and those beyond its limits, which are asked for when a limit is first moved. */
export class Beyond {
  private found: readonly Point[] | null = null

  constructor(private readonly query: URLSearchParams, private readonly signal: AbortSignal) {}

  around(points: readonly Point[]): readonly Point[] {
    if (!this.found) {
      this.found = []
      void recommendations(withoutLimits(this.query), this.signal).then((answer) => {
        this.found = pointsOf(answer, this.query, Date.now()).all
      }, () => null) // the limit can be moved all the same
    }
    return [...points, ...this.found]
  }
}
