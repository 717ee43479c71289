import { constraintsOf, mine } from './mine.ts'
import { measurements } from './measurements.ts'
import parameters from './parameters.json'

interface Parameter {
  path: string[]
  kind: string
  words?: string[]
}
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
export type Body = Record<string, Json>

const MINE = ['own_machines', 'discounts', 'commitments', 'quotas']
const PARAMETERS: Readonly<Record<string, Parameter>> = parameters

/** The words that a parameter takes, or none where it takes others. */
export function wordsOf(name: string): readonly string[] {
  return PARAMETERS[name]?.words ?? []
}

/** The kind of value that a parameter takes: `number`, `text`, `list` and so on. */
export function kindOf(name: string): string {
  return PARAMETERS[name]?.kind ?? 'text'
}

/** Whether a parameter is a limit on the machines or on the whole, which holds for any kind of work. */
export function isLimit(name: string): boolean {
  return PARAMETERS[name]?.path[0] !== 'workload' || ['deadline', 'budget_usd'].includes(name)
}

/** Whether a parameter takes several values, with commas between. */
export function takesSeveral(name: string): boolean {
  return PARAMETERS[name]?.kind === 'list'
}

/** The parameter that sets a field of the workload, as assumptions name it: `dataset.size` is `dataset_size`. */
export function parameterFor(field: string): string | null {
  const path = `workload.${field}`
  const found = Object.entries(PARAMETERS).find(([, parameter]) => parameter.path.join('.') === path)
  return found?.[0] ?? null
}

/** The parameter whose place in a request's body a pointer names, else the pointer's first part. */
export function parameterAt(pointer: string): string {
  const parts = pointer.replace(/^\//, '').split('/')
  if (parts[1] === 'measurements') return parts[1]
  if (MINE.includes(parts[1] ?? '')) return 'mine'
  const holds = (path: string[]): boolean => path.length > 0 && path.every((part, at) => parts[at] === part)
  const found = Object.entries(PARAMETERS).find(([, { path }]) => holds(path))
  return found?.[0] ?? parts[0] ?? ''
}

/** Whether a question says what only a body can hold: machines, prices or measurements of the reader's own. */
export function bodied(): boolean {
  return mine().length > 0 || Boolean(measurements())
}

/** The body of a POST that asks what the query asks, under what is the reader's own. */
export function bodyOf(query: URLSearchParams): Body {
  const body: Body = { workload: {} }
  for (const [name, text] of query) {
    const parameter = PARAMETERS[name]
    if (parameter?.path.length) put(body, parameter.path, read(parameter.kind, text))
  }
  for (const [name, value] of Object.entries(constraintsOf(mine()))) put(body, ['constraints', name], value)
  const measured = measurements()
  if (measured) put(body, ['workload', 'measurements'], measured)
  return body
}

function read(kind: string, text: string): Json {
  if (kind === 'list') return text.split(',').map((part) => part.trim())
  if (kind === 'flag') return text === 'true' ? true : text === 'false' ? false : text
  if (kind === 'numbers' && text.includes(',')) return text.split(',').map((part) => number(part))
  return kind === 'text' ? text : number(text)
}

function number(text: string): Json {
  const value = Number(text)
  return text.trim() && Number.isFinite(value) ? value : text
}

function put(body: Body, path: string[], value: Json): void {
  const [first = '', ...rest] = path
  if (!rest.length) {
    body[first] = value
    return
  }
  const below = body[first]
  const inner: Body = below && typeof below === 'object' && !Array.isArray(below) ? below : {}
  put(inner, rest, value)
  body[first] = inner
}
