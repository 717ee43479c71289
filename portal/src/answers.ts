const PATIENCE_MS = 4000 // after which the reference shows what has come
const SHOWN = 2 // entries of a list
const JSON_TYPE = 'application/json'

interface Parameter {
  name: string
  in: string
  required?: boolean
  example?: unknown
}

/** What is used here of a schema. */
export interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  example?: unknown
  'x-tags'?: string[]
}

interface Content {
  content?: Record<string, { example?: unknown; schema?: Schema }>
}

/** What is used here of an operation. */
export interface Operation {
  operationId?: string
  tags?: string[]
  'x-codeSamples'?: { lang: string; label: string; source: string }[]
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}

/** What is used here of an OpenAPI document. */
export interface Contract {
  tags?: object[]
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** The contract with the service's answers to its own examples; where none comes, the schema makes up a sample. */
export async function withAnswers(contract: Contract, ask: typeof fetch = fetch): Promise<Contract> {
  const all = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => answer(path, method, operation, ask)))
  await Promise.race([Promise.allSettled(all), new Promise((resolve) => { setTimeout(resolve, PATIENCE_MS) })])
  return contract
}

/** The contract with the samples of that label before the others. */
export function withFirst(contract: Contract, label: string): Contract {
  const isFirst = (one: { label: string }): number => Number(one.label === label)
  for (const methods of Object.values(contract.paths)) {
    for (const { 'x-codeSamples': samples = [] } of Object.values(methods)) samples.sort((one, other) => isFirst(other) - isFirst(one))
  }
  return contract
}

async function answer(path: string, method: string, operation: Operation, ask: typeof fetch): Promise<void> {
  const { parameters = [], responses } = operation
  const shown = jsonOf(responses['200'])
  if (!shown || parameters.some(({ required, example }) => required && example === undefined)) return
  const { address, body } = requestOf(path, operation)
  const sent = body ? { headers: { Accept: JSON_TYPE, 'Content-Type': JSON_TYPE }, body: JSON.stringify(body) } : {}
  const asked = { headers: { Accept: JSON_TYPE }, ...sent, method: method.toUpperCase() }
  const response = await ask(address, asked)
  if (response.ok) shown.example = inBrief(await response.json())
}

/** The example of a request: its address and its body, if it has one. */
export function requestOf(
  path: string, { parameters = [], requestBody }: Operation,
): { address: string; body?: unknown } {
  return { address: addressOf(path, parameters), body: jsonOf(requestBody)?.example }
}

/** The JSON of a request or of an answer. */
export const jsonOf = (one: Content | undefined): NonNullable<Content['content']>[string] | undefined =>
  one?.content?.[JSON_TYPE]

function addressOf(path: string, parameters: readonly Parameter[]): string {
  const given = parameters.filter(({ example }) => example !== undefined).map(({ name, in: place, example }) =>
    ({ name, place, value: Array.isArray(example) ? example.join(',') : String(example) }))
  const filled = given.reduce((all, { name, value }) => all.replace(`{${name}}`, encodeURIComponent(value)), path)
  const query = new URLSearchParams(given.filter(({ place }) => place === 'query').map(({ name, value }) => [name, value]))
  return query.size ? `${filled}?${query}` : filled
}

/** An answer with the first entries of each list, of which the others are alike. */
function inBrief(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, SHOWN).map(inBrief)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inBrief(inner)]))
}
