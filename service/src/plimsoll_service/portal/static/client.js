const MOST_ITEMS = 1000 // the contract's largest page of a collection

/** What the service refused, in its own words: `errors` name the fields. */
export class Problem extends Error {
  constructor(title, detail, errors = []) {
    super(detail || title)
    this.title = title
    this.errors = errors
  }
}

/** The answer for the form's query string, which is also the API's. */
export function recommendations(query, signal) {
  return get(`/v1/recommendations?${query}`, signal)
}

/** Every item of a collection, page after page. */
export async function everything(collection) {
  const items = []
  let path = `/v1/${collection}?limit=${MOST_ITEMS}`
  while (path) {
    const page = await get(path)
    items.push(...page.items)
    path = page.next
  }
  return items
}

async function get(path, signal) {
  let response
  try {
    response = await fetch(path, { signal, headers: { Accept: 'application/json, application/problem+json' } })
  } catch (error) {
    if (error.name === 'AbortError') throw error
    throw new Problem('No answer from the service', 'It may be restarting, or the network is gone. Change a field to ask again.')
  }
  const body = await response.json().catch(() => null)
  if (response.ok && body) return body
  throw new Problem(body?.title ?? `The service answered ${response.status}`, body?.detail, body?.errors)
}
