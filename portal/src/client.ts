import { t } from './texts/index.ts'
import type { Answer, Compared, Fault, Judgement } from './types.ts'

const MOST_ITEMS = 1000 // the contract's largest page of a collection

/** What the service refused, in its own words: `errors` name the fields; `lost` where it did not answer at all. */
export class Problem extends Error {
  constructor(
    readonly title: string,
    detail?: string,
    readonly errors: Fault[] = [],
    readonly lost = false,
  ) {
    super(detail ?? title)
  }
}

interface Page<Item> {
  items: Item[]
  next: string | null
}

/** The answer for the form's query string, which is also the API's. */
export function recommendations(query: URLSearchParams, signal: AbortSignal): Promise<Answer> {
  return json<Answer>(`/v1/recommendations?${query}`, { signal })
}

/** The same answer as text in one of the formats for scripts. */
export async function formatted(query: URLSearchParams, format: string, signal: AbortSignal): Promise<string> {
  const response = await sent(`/v1/recommendations?${query}&format=${format}`, { signal })
  if (!response.ok) throw await refusal(response)
  return response.text()
}

/** What becomes of the workload on one machine, and why it is not the recommendation. */
export function estimate(body: unknown, snapshot: string | null, signal: AbortSignal): Promise<Judgement> {
  return posted<Judgement>('estimates', body, snapshot, signal)
}

/** The machines of the body beside each other. */
export async function comparison(body: unknown, snapshot: string | null, signal: AbortSignal): Promise<Compared[]> {
  return (await posted<{ machines: Compared[] }>('comparisons', body, snapshot, signal)).machines
}

/** The first items of a collection that match the filter. */
export async function some<Item>(
  collection: string, filter: Record<string, string>, signal: AbortSignal,
): Promise<Item[]> {
  const page = await json<Page<Item>>(`/v1/${collection}?${new URLSearchParams(filter)}`, { signal })
  return page.items
}

/** Every item of a collection that matches the filter, page after page. */
export async function everything<Item>(collection: string, filter: Record<string, string> = {}): Promise<Item[]> {
  const items: Item[] = []
  let path: string | null = `/v1/${collection}?${new URLSearchParams({ ...filter, limit: String(MOST_ITEMS) })}`
  while (path) {
    const page: Page<Item> = await json<Page<Item>>(path)
    items.push(...page.items)
    path = page.next
  }
  return items
}

function posted<Body>(route: string, body: unknown, snapshot: string | null, signal: AbortSignal): Promise<Body> {
  const path = snapshot ? `/v1/${route}?snapshot=${encodeURIComponent(snapshot)}` : `/v1/${route}`
  const headers = { 'Content-Type': 'application/json' }
  return json<Body>(path, { signal, method: 'POST', body: JSON.stringify(body), headers })
}

/** What went wrong, in lines for people. */
export function linesOf(error: unknown): string[] {
  if (!(error instanceof Problem)) return [String(error)]
  if (error.lost) return [t.status.lost]
  return error.errors.length ? error.errors.map((fault) => fault.detail) : [error.message]
}

async function json<Body>(path: string, options: RequestInit = {}): Promise<Body> {
  const response = await sent(path, options)
  if (!response.ok) throw await refusal(response)
  return (await response.json()) as Body
}

async function sent(path: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(path, options)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Problem('lost', undefined, [], true)
  }
}

async function refusal(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => null)) as { title?: string; detail?: string; errors?: Fault[] } | null
  return new Problem(body?.title ?? String(response.status), body?.detail, body?.errors)
}
