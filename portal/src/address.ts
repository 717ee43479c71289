/** What the page keeps in its address beside the question itself. */
const OWN = ['format', 'lang', 'theme', 'why_not', 'open', 'compare', 'tab', 'mine', 'measured', 'chart', 'sort'] as const
export type OwnName = (typeof OWN)[number]

/** The question in an address: everything that is the API's. */
export function questionIn(search: string): URLSearchParams {
  const query = new URLSearchParams(search)
  for (const name of OWN) query.delete(name)
  return query
}

/** One of the page's own entries of an address. */
export function ownIn(search: string, name: OwnName): string | null {
  return new URLSearchParams(search).get(name)
}

/** The address of a question that keeps the page's own entries, with some of them replaced or, where null, dropped. */
export function addressOf(
  question: URLSearchParams,
  search: string,
  changes: Partial<Record<OwnName, string | null>> = {},
): string {
  const query = new URLSearchParams(question)
  for (const name of OWN) {
    const value = name in changes ? changes[name] : ownIn(search, name)
    if (value && name !== 'format') query.set(name, value)
  }
  return `?${query}`
}

/** The path of another page, shown as this one is: in its language and theme. */
export function pathTo(parts: readonly string[], search: string, question?: URLSearchParams): string {
  const query = new URLSearchParams(question)
  for (const name of ['lang', 'theme'] as const) {
    const value = ownIn(search, name)
    if (value) query.set(name, value)
  }
  const path = parts.map((part) => `/${encodeURIComponent(part)}`).join('') || '/'
  return query.size ? `${path}?${query}` : path
}
