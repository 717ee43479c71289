/** What came back, with the time from sending until the last byte. */
export interface Outcome {
  status: number
  headers: [name: string, value: string][]
  type: string
  text: string
  bytes: number
  milliseconds: number
}

/** A fault of the input, by its JSON pointer or query parameter. */
export interface Fault {
  pointer: string
  detail: string
}

/** What a problem document says. */
export interface Problem {
  type: string
  title: string
  detail: string
  errors: Fault[]
}

const PROBLEM_TYPE = 'application/problem+json'

/** Sends a request; throws a TypeError where nothing answers, an AbortError where it is cancelled. */
export async function send(path: string, options: RequestInit): Promise<Outcome> {
  const start = performance.now()
  const response = await fetch(path, { ...options, cache: 'no-store' }) // the service's answer, never the browser's
  const bytes = await response.arrayBuffer()
  return {
    status: response.status,
    headers: [...response.headers].sort(([one], [other]) => one.localeCompare(other)),
    type: response.headers.get('Content-Type')?.split(';')[0] ?? '',
    text: new TextDecoder().decode(bytes),
    bytes: bytes.byteLength,
    milliseconds: performance.now() - start,
  }
}

/** The problem that an answer is; null for any other. */
export function problemOf(outcome: Outcome): Problem | null {
  if (outcome.type !== PROBLEM_TYPE) return null
  return { errors: [], ...(JSON.parse(outcome.text) as Omit<Problem, 'errors'> & Partial<Problem>) }
}
