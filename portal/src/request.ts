import { constraintsOf, mine } from './mine.ts'
import parameters from './parameters.json'

interface Parameter {
  path: string[]
  kind: string
  words?: string[]
}
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
export type Body = Record<string, Json>

const MINE = ['own_machines', 'discounts', 'quotas']
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

/** The parameter of a fault: a question by address names it, a posted one its place in the body. */
export function parameterAt(pointer: string): string {
  const [first = '', ...rest] = pointer.replace(/^\//, '').split('/')
  if (!rest.length) return first
  if (MINE.includes(rest[0] ?? '')) return 'mine'
  const path = [first, ...rest].join('.')
  return Object.entries(PARAMETERS).find(([, parameter]) => path.startsWith(parameter.path.join('.') || ' '))?.[0] ?? first
}

/** The body of a POST that asks what the query asks, under what is the reader's own. */
export function bodyOf(query: URLSearchParams): Body {
  const body: Body = { workload: {} }
  for (const [name, text] of query) {
    const parameter = PARAMETERS[name]
    if (parameter?.path.length) put(body, parameter.path, read(parameter.kind, text))
  }
  for (const [name, value] of Object.entries(constraintsOf(mine()))) put(body, ['constraints', name], value)
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
