import { isService, latencyOf } from '../chart/points.ts'
import { estimate } from '../client.ts'
import { linesOf } from '../problem.ts'
import { type Child, html } from '../dom.ts'
import { combobox } from '../form/combobox.ts'
import { named, suggestionsOf } from '../form/suggestions.ts'
import { bodyOf } from '../request.ts'
import { t, word } from '../texts/index.ts'
import type { Answer, Judgement } from '../types.ts'
import { hours, milliseconds, plain, usd } from '../units.ts'
import { ruleName } from './rule.ts'
import { notes } from './why.ts'

const GIB = '_gib' // the unit, in a resource's name

/** A field for any instance type, answered with each reason why it is not the recommendation. */
export function whyNot(
  answer: Answer, query: URLSearchParams, name: string, keep: (name: string) => void,
): HTMLElement {
  const input = html('input', { id: 'why-not', type: 'text', spellcheck: 'false', autocomplete: 'off', value: name })
  const said = html('div', { id: 'why-not-answer', role: 'status' })
  let asked = new AbortController()
  const ask = (): void => {
    asked.abort()
    asked = new AbortController()
    keep(input.value.trim())
    void judged(said, answer, query, input.value.trim(), asked.signal)
  }
  input.addEventListener('change', ask)
  if (name) ask()
  return html('section', { class: 'card' }, html('h2', {}, t.why_not.title),
    html('label', { for: 'why-not' }, t.why_not.name), combobox(input, suggestionsOf('instance-types')), said)
}

async function judged(
  said: HTMLElement, answer: Answer, query: URLSearchParams, name: string, signal: AbortSignal,
): Promise<void> {
  try {
    said.replaceChildren(...(name ? await judgements(answer, query, name, signal) : []))
  } catch (error) {
    if (signal.aborted) return
    said.replaceChildren(...linesOf(error).map((line) => html('p', { class: 'fault', lang: 'en' }, line)))
  }
}

/** One judgement for each cloud that has a machine of that name. */
async function judgements(
  answer: Answer, query: URLSearchParams, name: string, signal: AbortSignal,
): Promise<HTMLElement[]> {
  const exact = await named(name, signal)
  if (!exact.length) return [html('p', { class: 'fault' }, t.form.unknown_type)]
  const { workload = {}, constraints = {}, objective } = bodyOf(query)
  const rest = objective ? { workload, constraints, objective } : { workload, constraints }
  return Promise.all(exact.map(async ({ cloud, instance_type }) => {
    const body = { ...rest, on: { cloud, instance_type } }
    const judgement = await estimate(body, query.get('snapshot'), signal)
    return html('div', {}, html('h3', {}, `${cloud} ${instance_type}`), verdict(judgement, answer))
  }))
}

function verdict(judgement: Judgement, answer: Answer): Child {
  const { rank, why_not: reasons, short, warnings } = judgement
  const lines = [
    ...reasons.map(({ rule, text }) => html('li', { lang: 'en' }, text, ' ', html('cite', {}, ruleName(rule)))),
    ...short.map((one) => html('li', {}, shortOf(one))),
  ]
  const standing = rank === null ? t.why_not.is_among : t.why_not.is_recommended(rank)
  return [
    lines.length ? html('ul', {}, lines) : html('p', {}, standing),
    figures(judgement, answer),
    warnings.length ? notes(warnings, 'warnings') : null,
  ]
}

function figures({ estimate: found }: Judgement, answer: Answer): Child {
  if (!found) return null
  const parts = isService(answer)
    ? [milliseconds(latencyOf(found)?.value), t.answer.an_hour(usd(found.usd_per_hour?.value))]
    : [hours(found.time_hours?.value), usd(found.cost_usd?.value)]
  return html('p', {}, t.why_not.would(parts.join(', ')))
}

/** What a machine lacks, in words. */
export function shortOf({ resource, required, available }: Judgement['short'][number]): string {
  const gib = resource.endsWith(GIB)
  const said = (value: number | string | null): string => (gib ? t.why.gib(amount(value)) : amount(value))
  return t.why_not.short_of(word(resource.replace(GIB, '')), said(required), said(available))
}

const amount = (value: number | string | null): string => (typeof value === 'string' ? value : plain(value))
