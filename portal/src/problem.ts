import { t } from './texts/index.ts'
import type { Fault } from './types.ts'
import { hours } from './units.ts'

const UNAUTHORIZED = 401
const FORBIDDEN = 403
const INVALID = 422
const TOO_MANY = 429
const LOST = 'lost'
const SECONDS_AN_HOUR = 3600

/** What is known of a refusal beside its words. */
export interface Particulars {
  /** Faults that name their fields. */
  errors?: Fault[]
  /** The HTTP status; null where there was no answer at all. */
  status?: number | null
  /** Seconds after which the service wants to be asked again. */
  wait?: number | null
}

/** What the service refused, in its own words; `lost` where it did not answer at all. */
export class Problem extends Error {
  readonly errors: Fault[]
  readonly status: number | null
  readonly wait: number | null

  constructor(readonly title: string, detail?: string, { errors = [], status = null, wait = null }: Particulars = {}) {
    super(detail ?? title)
    this.errors = errors
    this.status = status
    this.wait = wait
  }

  get lost(): boolean {
    return this.title === LOST
  }

  /** Whether an API key is missing or not in force. */
  get keyless(): boolean {
    return this.status === UNAUTHORIZED
  }

  /** Whether another API key could open it. */
  get locked(): boolean {
    return this.keyless || this.status === FORBIDDEN
  }
}

/** A service that did not answer. */
export function lost(): Problem {
  return new Problem(LOST)
}

/** The problem that a refused request was answered with. */
export async function refusal(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => null)) as { title?: string; detail?: string; errors?: Fault[] } | null
  const wait = Number(response.headers.get('Retry-After') ?? NaN)
  return new Problem(body?.title ?? String(response.status), body?.detail, {
    errors: body?.errors ?? [],
    status: response.status,
    wait: Number.isFinite(wait) ? wait : null,
  })
}

/** A problem's name in the reader's language where there is one. */
export function titleOf(problem: Problem): string {
  if (problem.lost) return t.status.lost
  const known: Record<number, string> = {
    [UNAUTHORIZED]: t.key.needed, [FORBIDDEN]: t.key.out_of_scope, [TOO_MANY]: t.status.too_many,
    [INVALID]: t.status.invalid,
  }
  return known[problem.status ?? 0] ?? problem.title
}

/** What went wrong, in lines for people. */
export function linesOf(error: unknown): string[] {
  if (!(error instanceof Problem)) return [String(error)]
  if (error.errors.length) return error.errors.map((fault) => fault.detail)
  const title = titleOf(error)
  if (error.wait !== null) return [`${title}. ${t.status.ask_again(hours(error.wait / SECONDS_AN_HOUR))}`]
  return title === error.title ? [error.message] : [title, ...(error.lost ? [] : [error.message])]
}
