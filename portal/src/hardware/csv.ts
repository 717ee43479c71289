const SEPARATOR = ','
const SPECIAL = /[",\n]/

/** Rows as CSV: their own fields, what is within a field under both names; a field without a value is left empty. */
export function csvOf(rows: readonly object[]): string {
  const flat = rows.map((row) => new Map(fieldsOf(row)))
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))]
  return [names, ...flat.map((row) => names.map((name) => row.get(name) ?? ''))]
    .map((line) => `${line.map(quoted).join(SEPARATOR)}\n`).join('')
}

function fieldsOf(value: unknown, name = ''): [name: string, value: string][] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return [[name, value.join(' ')]]
  if (typeof value === 'object') return Object.entries(value).flatMap(([own, inner]) => fieldsOf(inner, name ? `${name}_${own}` : own))
  return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
}

const quoted = (text: string): string => (SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
