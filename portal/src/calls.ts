import { bodied, bodyOf, type Json } from './request.ts'

const LINE = 100 // a call that is longer is spread over several lines

/** The shell command that gives the same answer; a key comes from the shell's environment. */
export function curl(origin: string, query: URLSearchParams, format = 'json', keyed = false): string {
  const asked = new URLSearchParams(query)
  if (format !== 'json') asked.set('format', format)
  const key = keyed ? '-H "Authorization: Bearer $PLIMSOLL_API_KEY" ' : ''
  const route = `${origin}/v1/recommendations`
  if (!bodied()) return `curl ${key}${quoted(`${route}?${asked}`)}`
  const body = quoted(JSON.stringify(bodyOf(query)))
  return `curl ${key}-H 'Content-Type: application/json' -d ${body} ${quoted(`${route}?format=${format}`)}`
}

/** The lines of Python that give the same answer through the SDK. */
export function python(origin: string, query: URLSearchParams): string {
  const { workload = {}, ...rest } = bodyOf(query)
  const snapshot = query.get('snapshot')
  const options = Object.entries(snapshot ? { ...rest, snapshot } : rest)
  const call = [literal(workload), ...options.map(([name, value]) => `${name}=${literal(value)}`)]
  const flat = call.join(', ')
  const spread = `\n        ${call.join(',\n        ')},\n    `
  return [
    'from plimsoll import Client',
    '',
    `with Client(${literal(origin)}) as client:`,
    `    answer = client.recommend(${flat.length > LINE ? spread : flat})`,
    '    print(answer.best.instance_type)',
  ].join('\n')
}

/** A JSON value as Python writes it. */
export function literal(value: Json): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null) return 'None'
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object') {
    return `{${Object.entries(value).map(([name, inner]) => `${literal(name)}: ${literal(inner)}`).join(', ')}}`
  }
  return JSON.stringify(value)
}

/** The text as one word of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
