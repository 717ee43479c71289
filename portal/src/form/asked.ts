import { cloudName } from '../answer/clouds.ts'
import { kindOf } from '../request.ts'
import { joined, language, t, word } from '../texts/index.ts'
import { compact, dollars, duration, exact, milliseconds } from '../units.ts'
import { amountOf, deadlineOf, millisecondsOf } from './amounts.ts'
import type { Tab } from './tabs.ts'

/** A typed value as the API takes it; one that cannot be read stays, and the service says what it lacks. */
export function forgiven(name: string, typed: string, now = new Date()): string {
  if (name === 'deadline') return deadlineOf(typed, now) ?? typed
  const kind = kindOf(name)
  if (typed.trim() && Number.isFinite(Number(typed))) return typed.trim()
  const value = name.endsWith('_ms') ? millisecondsOf(typed) : kind === 'number' ? amountOf(typed) : null
  return value === null ? typed : String(value)
}

const COUNTS = [[1e12, 'T'], [1e9, 'B'], [1e6, 'M']] as const
const MOST_DIGITS = 4
const MS_A_SECOND = 1000

/** A value as a field shows it: with its unit, large round numbers as people write them; `forgiven` reads it back. */
export function shownIn(name: string, value: string): string {
  const isLatency = name.endsWith('_ms')
  const number = isLatency || kindOf(name) === 'number' ? Number(value) : NaN
  if (number && name.includes('usd')) return `$${shortly(number, value)}`
  if (number && isLatency) return number % MS_A_SECOND ? `${value} ms` : `${number / MS_A_SECOND} s`
  return shortly(number, value)
}

function shortly(number: number, value: string): string {
  const [size, letter] = COUNTS.find(([least]) => number >= least) ?? []
  const short = size ? String(number / size) : ''
  return letter && short.length <= MOST_DIGITS ? short + letter : value
}

/** Each part of a question that is said in its line, in that order; the text makes it words. */
const PARTS = [
  'model', 'method', 'tokens', 'dataset_name', 'dataset_size', 'dataset_samples', 'epochs', 'requests', 'hours_of_audio',
  'requests_per_second', 'concurrency', 'input_tokens', 'output_tokens', 'flops', 'precision', 'latency_ms', 'deadline',
  'budget_usd', 'max_usd_per_hour', 'purchase', 'clouds',
] as const
const NAMES = ['model', 'dataset_name']
/** How the values are said that are no counts. */
const SAID: Readonly<Record<string, (value: string) => string>> = {
  deadline: momentOf,
  latency_ms: (value) => milliseconds(Number(value)),
  budget_usd: (value) => dollars(Number(value)),
  max_usd_per_hour: (value) => dollars(Number(value)),
}
const SIZE = /^([\d.]+)([kmgtp]i?b)$/i

/** The parts of a question in words, as short as they can be told. */
export function partsOf(question: URLSearchParams): string[] {
  return PARTS.flatMap((name) => {
    const value = question.get(name)
    return value ? [part(name, value)] : []
  })
}

function part(name: (typeof PARTS)[number], value: string): string {
  if (NAMES.includes(name)) return value
  if (name === 'clouds') return joined(value.split(',').map(cloudName))
  if (name === 'dataset_size') return spaced(value)
  if (name === 'deadline' && momentIn(value)) return t.ask.until(momentOf(value))
  const said = t.asked[name]
  if (!said) return word(value)
  return said((SAID[name] ?? compact)(value))
}

/** A size as the reader writes it, with a space before its unit. */
export const spaced = (size: string): string =>
  size.replace(SIZE, (_, number: string, unit: string) => `${exact(Number(number))}\u00a0${unit}`)

/** A moment as people write it; a span as it is. */
export function momentOf(deadline: string): string {
  return momentIn(deadline)?.toLocaleString(language, {
    weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit',
  }) ?? spanOf(deadline)
}

/** The moment that a deadline names; null for a span. */
function momentIn(deadline: string): Date | null {
  const date = deadline.includes('T') && !deadline.startsWith('P') ? new Date(deadline) : null
  return date && !Number.isNaN(date.getTime()) ? date : null
}

/** A span in the reader's words, in the unit that it is written in where that is a whole number. */
function spanOf(deadline: string): string {
  const [, number, unit = ''] = /^([\d.]+)\s*([a-z]+)$/i.exec(deadline) ?? []
  if (unit === 'h' && number?.includes('.')) return duration(Number(number))
  const say = { min: t.units.minute, h: t.units.hour, d: t.units.day }[unit.toLowerCase()]
  return number && say ? say(number) : deadline
}

/** What was asked, in one line: the tab's name, then its particulars and what was filled in where it names the work. */
export function line(tab: Tab, question: URLSearchParams, workload: Record<string, unknown>): string {
  const all = new URLSearchParams(question)
  for (const name of ['model', 'method', 'tokens', 'epochs', 'requests_per_second']) {
    const value = workload[name]
    const known = typeof value === 'string' || typeof value === 'number'
    if (known && !all.has(name) && name in t.asked) all.set(name, String(value))
  }
  const model = workload.model
  if (typeof model === 'string') all.set('model', model)
  return told(tab, all)
}

/** A question in one line: the tab's name, then its particulars. */
export const told = (tab: Tab, question: URLSearchParams): string => t.tabs[tab] + t.colon + joined(partsOf(question))
