import { button, type Child, html } from './dom.ts'
import { type Problem, titleOf } from './problem.ts'
import { parameterAt } from './request.ts'
import { t } from './texts/index.ts'
import type { Fault } from './types.ts'
import { hours } from './units.ts'

const MS_A_SECOND = 1000
const SECONDS_AN_HOUR = 3600

/** What is said of a refused question, with a key or not, but for the faults that stand beside their fields. */
export function refused(problem: Problem, rest: readonly Fault[], keyed: boolean): HTMLElement[] {
  const beside = problem.errors.length > rest.length
  return [
    html('strong', {}, titleOf(problem)),
    ...(beside || !rest.length ? [html('p', {}, beside ? [t.form.see_marked, marked(problem, rest)] : detail(problem, keyed))] : []),
    ...(problem.wait === null ? [] : [html('p', {}, countdown(problem.wait))]),
    ...(rest.length ? [html('ul', { lang: 'en' }, rest.map((error) => html('li', {}, html('code', {}, error.pointer), ` ${error.detail}`)))] : []),
  ]
}

/** The fields that are marked, each of which leads there. */
function marked({ errors }: Problem, rest: readonly Fault[]): Child[] {
  const names = new Set(errors.filter((error) => !rest.includes(error)).map(({ pointer }) => parameterAt(pointer)))
  return [...names].filter((name) => name in t.fields).flatMap((name) =>
    [' ', button(t.fields[name] ?? name, () => { document.getElementById(name)?.focus() }, { class: 'instead' })])
}

function detail(problem: Problem, keyed: boolean): Child {
  if (problem.lost) return t.status.lost_detail
  if (problem.keyless && !keyed) return t.key.whence
  return html('span', { lang: 'en' }, problem.message)
}

/** The time until the question is asked again, which runs down for as long as it is shown. */
function countdown(seconds: number): HTMLElement {
  const end = performance.now() + seconds * MS_A_SECOND
  const shown = html('span', { role: 'timer' }) // which is not read out again each second
  const tell = (): void => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / MS_A_SECOND))
    shown.textContent = t.status.ask_again(hours(left / SECONDS_AN_HOUR))
    if (left > 0) setTimeout(() => { if (shown.isConnected) tell() }, MS_A_SECOND)
  }
  tell()
  return shown
}
