import { button, html } from '../dom.ts'
import { copyButton } from './copy.ts'
import { indented } from './json.ts'
import { type Outcome, type Problem, problemOf } from './send.ts'

const MOST_SHOWN = 200_000 // characters; more of them make a page slow to lay out
const TOLD_FIRST = ['content-type', 'etag', 'retry-after', 'x-request-id']
const FAILED = 400

/** The line that says how a request went. */
export function lineOf(outcome: Outcome): string {
  return `${outcome.status} in ${Math.round(outcome.milliseconds)} ms, ${sizeOf(outcome.bytes)}`
}

/** Whether an answer is an error. */
export function isFailed(outcome: Outcome): boolean {
  return outcome.status >= FAILED
}

/** An answer to look at: what it refuses, its headers, and its body. */
export function answerOf(outcome: Outcome): HTMLElement[] {
  const problem = problemOf(outcome)
  return [...(problem ? [problemBox(problem)] : []), headersBox(outcome.headers), ...bodyBox(outcome)]
}

/** What to say of a service that does not answer. */
export function lostBox(): HTMLElement {
  return html('div', { class: 'problem' },
    html('strong', {}, 'No answer from the service'),
    html('p', {}, `Nothing answers at ${location.origin}: it has stopped, or the network is gone. Send again when it is back.`))
}

function problemBox(problem: Problem): HTMLElement {
  const faults = problem.errors.map((fault) => html('li', {}, html('code', {}, fault.pointer), ` ${fault.detail}`))
  return html('div', { class: 'problem' },
    html('strong', {}, problem.type.startsWith('/') ? html('a', { href: problem.type }, problem.title) : problem.title),
    faults.length ? html('ul', {}, faults) : html('p', {}, problem.detail))
}

function headersBox(headers: Outcome['headers']): HTMLElement {
  const row = ([name, value]: [string, string]) => [html('dt', {}, name), html('dd', {}, value)]
  const [first, rest] = [true, false].map((told) => headers.filter(([name]) => TOLD_FIRST.includes(name) === told))
  return html('div', {},
    html('dl', { class: 'headers' }, first?.map(row)),
    html('details', {},
      html('summary', {}, `${rest?.length ?? 0} more headers`),
      html('dl', { class: 'headers' }, rest?.map(row))))
}

function bodyBox(outcome: Outcome): HTMLElement[] {
  const text = outcome.type.endsWith('json') ? indented(outcome.text) : outcome.text
  const shown = html('pre', { tabindex: 0, 'aria-label': 'Body of the answer' }, text.slice(0, MOST_SHOWN))
  const bar = html('div', { class: 'bar' }, html('span', { class: 'facts' }, 'Body'), copyButton('the body', shown))
  if (text.length > MOST_SHOWN) {
    const whole = button(`Show all ${text.length.toLocaleString('en')} characters`, () => {
      shown.textContent = text
      whole.remove()
    })
    bar.append(whole)
  }
  return [bar, shown]
}

function sizeOf(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} kB`
}
