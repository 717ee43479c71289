import { button, html } from '../dom.ts'
import { momentOf } from '../form/asked.ts'
import { parameterFor, wordsOf } from '../request.ts'
import { limitName, t, word } from '../texts/index.ts'
import type { Answer, Assumption, Note, Recommendation, Relaxation } from '../types.ts'
import { dollars, duration, plain, usd } from '../units.ts'
import { inWords } from './rule.ts'

/** Tells the form that a parameter is to have that value. */
export type Change = (parameter: string, value: string) => void

const SUFFIXES = ['', '_usd', '_ms'] // that a parameter has where the limit's name has none

/** Which limit to loosen where nothing fits: each a button that does it. */
export function relaxations({ relax, workload, recommendations, assumptions }: Answer, change: Change): HTMLElement[] {
  const { task, method } = workload
  const ofTokens = 'tokens' in workload || assumptions.some(({ field }) => field === 'tokens')
  const adapters = task === 'training' && method === 'full' && ofTokens && !recommendations.length
  if (!relax.length && !adapters) return []
  const lora = button(t.notes.use_lora, () => { change('method', 'lora') })
  return [html('section', { class: 'card' }, html('h2', {}, t.notes.relax), html('ul', { class: 'ways' }, relax.map((way) => {
    const changes = Object.entries({ [way.constraint]: way.to, ...way.together })
      .map(([name, to]) => [parameterOf(name), to] as const)
    const [said, then] = relaxed(way, changes)
    if (!changes.every(([name]) => name in t.fields)) return html('li', {}, said, html('small', {}, then))
    const made = button(said, () => {
      for (const [name, to] of changes) change(name, to === null ? '' : written(to))
    })
    made.append(html('small', {}, then))
    return html('li', {}, made)
  }), adapters ? html('li', {}, lora) : null))]
}

/** What every recommendation warns of, said once. */
export function common({ recommendations }: Answer): HTMLElement[] {
  const shared = sharedWarnings(recommendations)
  if (!shared.length) return []
  return [html('p', { class: 'shared' }, html('span', { class: 'warning' }, t.notes.for_all), t.gap,
    shared.map(({ text }) => inWords(text)).join('; '))]
}

/** The warnings that stand at all of several recommendations in the same words. */
export function sharedWarnings(items: readonly Recommendation[]): Note[] {
  const [first, ...others] = items
  if (!first || !others.length) return []
  return first.warnings.filter(({ text }) => others.every((item) => item.warnings.some((other) => other.text === text)))
}

/** What was assumed (to be changed in place), and what was left out. */
export function notes(answer: Answer, change: Change): HTMLElement[] {
  const rejected = Object.entries(answer.rejected).filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one)
  const assumed = answer.assumptions.map((assumption) => assumptionLine(assumption, change))
  const excluded = rejected.reduce((sum, [, count]) => sum + count, 0)
  const left = rejected.map(([name, count]) => html('li', {}, t.notes.rejected_for(plain(count), limitName(name))))
  return [
    listed(t.notes.assumed, assumed, { kind: 'assumed' }),
    listed(t.notes.rejected, left, { count: excluded }),
  ].flat()
}

/** A value of an answer, as the query would say it. */
export function written(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(written).join(',')
  return JSON.stringify(value)
}

function assumptionLine({ field, value, why }: Assumption, change: Change): HTMLElement {
  const parameter = parameterFor(field)
  const because = html('span', { class: 'because' }, inWords(why))
  const name = t.fields[parameter ?? ''] ?? word(field.replaceAll('.', ' '))
  if (!parameter) return html('li', {}, html('span', {}, name), html('span', {}, shown(value)), because)
  const editor = editorOf(parameter, written(value))
  editor.setAttribute('aria-label', t.notes.change(name))
  editor.addEventListener('change', () => {
    change(parameter, editor.value)
  })
  return html('li', {}, html('span', {}, name), editor, because)
}

function editorOf(parameter: string, value: string): HTMLInputElement | HTMLSelectElement {
  const words = wordsOf(parameter)
  if (!words.length) return html('input', { type: 'text', class: 'inline', size: Math.max(value.length, 4), value })
  const all = words.includes(value) ? words : [value, ...words]
  const options = all.map((one) => html('option', { value: one, selected: one === value }, word(one)))
  return html('select', { class: 'inline' }, options)
}

/** The parameter of a limit; its own name where there is none. */
const parameterOf = (limit: string): string =>
  SUFFIXES.map((suffix) => limit + suffix).find((name) => name in t.fields) ?? limit

type Changes = readonly (readonly [parameter: string, to: unknown])[]

/** What to change, and what there is then. */
function relaxed({ cost_usd: cost, estimated_hours: hours, choice }: Relaxation, changes: Changes): [string, string] {
  const line = t.notes.relaxed(changes.map(([parameter, to]) => {
    const value = to === null ? t.words.any ?? '' : parameter === 'deadline' ? momentOf(written(to)) : money(parameter, to)
    return [wayOf(parameter, to), t.fields[parameter] ?? limitName(parameter), value]
  }))
  const costs = cost === null ? [] : [t.notes.then_costs(usd(cost))]
  return [line, [...costs, inWords(choice) + (hours === null ? t.notes.surely : t.notes.nearly(duration(hours)))].join(': ')]
}

/** Which way a limit is loosened. */
function wayOf(parameter: string, to: unknown): 'raise' | 'lower' | 'change' {
  if (typeof to !== 'number' && parameter !== 'deadline') return 'change'
  return parameter.startsWith('min_') ? 'lower' : 'raise'
}

const money = (parameter: string, value: unknown): string =>
  typeof value === 'number' && parameter.includes('usd') ? dollars(value) : shown(value)

const shown = (value: unknown): string => (typeof value === 'number' ? plain(value) : written(value))

function listed(title: string, lines: readonly HTMLElement[], { count = lines.length, kind = '' } = {}): HTMLElement[] {
  if (!lines.length) return []
  return [html('details', {}, html('summary', {}, `${title} (${plain(count)})`), html('ul', { class: kind }, lines))]
}
