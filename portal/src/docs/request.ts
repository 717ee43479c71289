/** A parameter's value, and whether it belongs into the path or the query. */
export interface Value {
  name: string
  place: string
  text: string
}

/** What is sent: a path with its query, and a body where the operation takes one. */
export interface Asked {
  method: string
  path: string
  body: string | null
}

/** A key, with its header and what stands in it before the key. */
export interface Key {
  header: string
  prefix: string
  secret: () => string
}

const KEY_VARIABLE = '$PLIMSOLL_API_KEY'
const JSON_TYPE = 'application/json'

/** The path with its values filled in; of the query what is empty is left out. */
export function pathOf(template: string, values: readonly Value[]): string {
  const path = values
    .filter((value) => value.place === 'path')
    .reduce((filled, value) => filled.replace(`{${value.name}}`, () => encodeURIComponent(value.text)), template)
  const query = values
    .filter((value) => value.place === 'query' && value.text)
    .map((value) => `${encodeURIComponent(value.name)}=${inQuery(value.text)}`)
  return query.length ? `${path}?${query.join('&')}` : path
}

/** The headers of a request, with the key where one is given. */
export function headersOf(asked: Asked, key: Key | null): Record<string, string> {
  return {
    Accept: '*/*', // what the browser would say by itself asks for nothing else either
    ...(asked.body === null ? {} : { 'Content-Type': JSON_TYPE }),
    ...(key ? { [key.header]: key.prefix + key.secret() } : {}),
  }
}

/** The same request for a shell; a key stays out of it, in the environment. */
export function curlOf(asked: Asked, origin: string, key: Key | null): string {
  const body = asked.body === null
    ? []
    : [`--header ${quoted(`Content-Type: ${JSON_TYPE}`)}`, `--data-raw ${quoted(asked.body)}`]
  return [
    `curl --silent --show-error ${quoted(origin + asked.path)}`,
    ...(key ? [`--header "${key.header}: ${key.prefix}${KEY_VARIABLE}"`] : []),
    ...body,
  ].join(' \\\n  ')
}

/** Commas part the items of a list; both they and colons may stand in a query as they are. */
function inQuery(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
