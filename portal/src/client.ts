import { credentials } from './access.ts'
import { NOT_MODIFIED, posted } from './kept.ts'
import { lost, refusal } from './problem.ts'
import { bodied, bodyOf } from './request.ts'
import { language } from './texts/index.ts'
import type { Answer, Compared, Judgement } from './types.ts'

const MOST_ITEMS = 1000 // the contract's largest page of a collection

interface Page<Item> {
  items: Item[]
  total: number
  next: string | null
}

/** The answer for the form's query string, which is also the API's; posted where the reader has machines or prices. */
export function recommendations(query: URLSearchParams, signal: AbortSignal): Promise<Answer> {
  return bodied() ? json<Answer>(pathOf(query), byPost(query, signal)) : json<Answer>(`/v1/recommendations?${query}`, { signal })
}

/** The same answer as text in one of the formats for scripts. */
export async function formatted(query: URLSearchParams, format: string, signal: AbortSignal): Promise<string> {
  if (bodied()) return (await sent(pathOf(query, format), byPost(query, signal))).text()
  return (await sent(`/v1/recommendations?${query}&format=${format}`, { signal })).text()
}

/** The route of a POST; what is no part of the question stays in its query string. */
function pathOf(query: URLSearchParams, format = 'json'): string {
  const snapshot = query.get('snapshot')
  return `/v1/recommendations?${new URLSearchParams(snapshot ? { format, snapshot } : { format })}`
}

/** Machines, prices and measurements of the reader's own are objects, which only a body can hold. */
function byPost(query: URLSearchParams, signal: AbortSignal): RequestInit {
  return { signal, method: 'POST', body: JSON.stringify(bodyOf(query)), headers: { 'Content-Type': 'application/json' } }
}

/** What becomes of the workload on one machine, and why it is not the recommendation. */
export function estimate(body: unknown, snapshot: string | null, signal: AbortSignal): Promise<Judgement> {
  return asked<Judgement>('estimates', body, snapshot, signal)
}

/** The machines of the body beside each other. */
export async function comparison(body: unknown, snapshot: string | null, signal: AbortSignal): Promise<Compared[]> {
  return (await asked<{ machines: Compared[] }>('comparisons', body, snapshot, signal)).machines
}

/** Several questions at once, answered in their order; one that is refused has no recommendations. */
export async function batch(requests: unknown[], signal: AbortSignal): Promise<Partial<Answer>[]> {
  return (await asked<{ results: Partial<Answer>[] }>('recommendations/batch', { requests }, null, signal)).results
}

/** The first items of a collection that match the filter, and how many do. */
export async function some<Item>(
  collection: string, filter: Record<string, string>, signal: AbortSignal,
): Promise<Page<Item>> {
  return json<Page<Item>>(`/v1/${collection}?${new URLSearchParams(filter)}`, { signal })
}

/** One item by the parts of its path. */
export async function one<Item>(
  path: readonly string[], signal: AbortSignal, query: Record<string, string> = {},
): Promise<Item> {
  const asked = new URLSearchParams(query)
  return json<Item>(`/v1/${path.map(encodeURIComponent).join('/')}${asked.size ? `?${asked}` : ''}`, { signal })
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

async function asked<Body>(
  route: string, body: unknown, snapshot: string | null, signal: AbortSignal,
): Promise<Body> {
  const path = snapshot ? `/v1/${route}?snapshot=${encodeURIComponent(snapshot)}` : `/v1/${route}`
  const question = JSON.stringify(body)
  const text = await posted(`${language} ${path}`, question, (known) =>
    sent(path, {
      signal, method: 'POST', body: question, headers: { 'Content-Type': 'application/json', ...known },
    }))
  return JSON.parse(text) as Body
}

async function json<Body>(path: string, options: RequestInit = {}): Promise<Body> {
  return (await (await sent(path, options)).json()) as Body
}

async function sent(path: string, options: RequestInit): Promise<Response> {
  const headers = { 'Accept-Language': language, ...(options.headers as Record<string, string>), ...credentials() }
  const response = await answerOf(path, { ...options, headers })
  if (!response.ok && response.status !== NOT_MODIFIED) throw await refusal(response)
  return response
}

async function answerOf(path: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(path, options)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw lost()
  }
}
