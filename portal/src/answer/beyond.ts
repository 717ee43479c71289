import { keyOf, type Point, type Points, pointsOf } from '../chart/points.ts'
import { recommendations } from '../client.ts'

export const SPOT = 'spot'
const OTHERS = '60' // as many as an answer is quick with, and the chart is readable
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

/** The next best machines within the limits, beside those that are known; none where they cannot be had. */
export async function othersOf(asked: URLSearchParams, known: readonly Point[], signal: AbortSignal): Promise<Points['others']> {
  const query = new URLSearchParams(asked)
  query.set('limit', OTHERS)
  query.set('group', 'none')
  const found = await recommendations(query, signal).catch(() => null)
  if (!found) return []
  const keys = new Set(known.map(({ item }) => keyOf(item)))
  return pointsOf(found, query, Date.now()).recommendations.filter(({ item }) => !keys.has(keyOf(item)))
}

/** The best machine on spot; null where it cannot be had, for it is an offer: the answer stands without it. */
export async function onSpot(asked: URLSearchParams, signal: AbortSignal): Promise<Point | null> {
  const query = new URLSearchParams(asked)
  query.set('purchase', SPOT)
  query.set('limit', '1')
  if (query.get('objective') !== 'time') query.set('objective', 'cost') // who rents on spot wants to save
  const found = await recommendations(query, signal).catch(() => null)
  return (found && pointsOf(found, query, Date.now()).recommendations[0]) ?? null
}
