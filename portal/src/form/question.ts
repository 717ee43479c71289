import { cloudName } from '../answer/clouds.ts'
import { written } from '../answer/notes.ts'
import { button, byId, html } from '../dom.ts'
import { kindOf, parameterAt, parameterFor } from '../request.ts'
import { joined, language, t, unset, word } from '../texts/index.ts'
import type { Answer, Fault } from '../types.ts'
import { compact } from '../units.ts'
import { isOfUse } from './applies.ts'
import { faultOf } from './faults.ts'
import { forgiven, momentOf, shownIn, spaced } from './asked.ts'
import { type Tab, USES } from './tabs.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Shows the tab's fields that are of use for the work answered, and others of its task that are set or typed into. */
export function showTab(form: HTMLFormElement, tab: Tab, answered: Answer['workload'] | undefined): void {
  const { task } = USES[tab]
  const work = answered?.task === task ? answered : undefined
  for (const field of form.querySelectorAll<HTMLElement>('.field')) {
    const inner = field.querySelector<Control>('input, select')
    const asked = field.dataset.tasks?.split(' ').includes(task) ?? true
    field.hidden = !asked || !(isOffered(field, inner, tab, work) || field.contains(document.activeElement))
    if (inner) inner.disabled = !asked
  }
  showSet(form)
}

function isOffered({ dataset }: HTMLElement, inner: Control | null, tab: Tab, work: Answer['workload'] | undefined): boolean {
  if (inner?.value) return true
  return (dataset.tabs?.split(' ').includes(tab) ?? true) && isOfUse(inner?.name ?? '', work)
}

/** The form as the API's flat query: its fields carry the API's own names. */
export function queryOf(form: HTMLFormElement): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    const text = typeof value === 'string' ? value.trim() : ''
    if (!text) continue
    const before = query.get(name)
    query.set(name, before === null ? forgiven(name, text) : `${before},${text}`)
  }
  return query
}

/** Fills the form from a question; what it has no field for is kept, listed and can be removed. */
export function fill(form: HTMLFormElement, question: URLSearchParams): void {
  form.reset()
  for (const box of boxes(form)) box.checked = false
  byId('extra-list').replaceChildren()
  taskOf(form).value = 'training'
  for (const [name, value] of question) set(form, name, name === 'purchase' ? purchaseOf(value) : value)
  byId('extra').hidden = byId('extra-list').children.length === 0
}

/** Says in the fields that are empty what the answer took for them, so that it can be seen and changed. */
export function showAssumed(form: HTMLFormElement, { assumptions, objective }: Answer): void {
  const taken = new Map(assumptions.map(({ field, value }) => [parameterFor(field), written(value)]))
  taken.set('objective', objective)
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('.field input[name], .field select')) {
    const value = taken.get(field.name)
    if (field instanceof HTMLInputElement) field.placeholder = emptyWords(field.name, value)
    else if (field instanceof HTMLSelectElement) {
      const [first] = field.options
      if (first?.dataset.unset) first.textContent = value === undefined ? first.dataset.unset : t.ask.auto(word(value))
    }
  }
  showMoment(control(form, 'deadline')?.value ?? '')
}

/** Says below the deadline which moment it means. */
function showMoment(typed: string): void {
  const read = forgiven('deadline', typed)
  byId('deadline-hint').textContent = read.includes('T') && !read.startsWith('P') ? t.ask.until(momentOf(read)) : t.hints.deadline ?? ''
}

/** What stands in a field that is empty: what was taken for it, else what it means that nothing was. */
const emptyWords = (name: string, taken: string | undefined): string =>
  taken === undefined ? unset(name) : t.ask.auto(readable(name, taken))

const readable = (name: string, value: string): string =>
  kindOf(name) !== 'number' ? spaced(value) : Number.isInteger(Number(value)) ? shownIn(name, value) : compact(value)

/** Gives one parameter a value, as if it had been typed. */
export function change(form: HTMLFormElement, name: string, value: string): void {
  set(form, name, value)
  byId('extra').hidden = byId('extra-list').children.length === 0
  form.dispatchEvent(new Event('input'))
}

/** One checkbox a cloud; those that are ticked stay so. */
export function offerClouds(form: HTMLFormElement, names: readonly string[]): void {
  const ticked = boxes(form).filter((box) => box.checked).map((box) => box.value)
  const all = [...new Set([...names, ...ticked])].sort()
  byId('clouds').replaceChildren(...all.map((name) => cloudBox(name, ticked.includes(name))))
}

/** Puts each fault beside its field, and returns those that have none. */
export function showFaults(form: HTMLFormElement, errors: readonly Fault[]): Fault[] {
  for (const line of form.querySelectorAll<HTMLElement>('.fault')) line.hidden = true
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
  return errors.filter((error) => !showFault(form, error))
}

/** Whether the only fault is in the field in which a name is being typed, for which others are offered. */
export function isBeingTyped(form: HTMLFormElement, errors: readonly Fault[]): boolean {
  const typed = document.activeElement
  if (!(typed instanceof HTMLInputElement) || typed.form !== form) return false
  const offers = typed.getAttribute('role') === 'combobox'
  return offers && errors.length > 0 && errors.every((error) => fieldOf(error) === typed.name)
}

/** Purchase options as their field has them: none for the usual one. */
function purchaseOf(value: string): string {
  const options = value.split(',').sort().join(',')
  return options === 'on_demand' ? '' : options
}

function set(form: HTMLFormElement, name: string, value: string): void {
  const field = control(form, name)
  if (name === 'task') taskOf(form).value = value
  else if (name === 'clouds') tickClouds(form, value.split(','))
  else if (field && accepts(field, value)) field.value = shownIn(name, value)
  else addExtra(form, name, value)
}

function showFault(form: HTMLFormElement, error: Fault): boolean {
  const name = fieldOf(error)
  const line = document.getElementById(`${name}-fault`)
  const field = name === 'mine' ? form.querySelector<HTMLInputElement>('#mine') : control(form, name)
  if (!line || !field || field.disabled) return false
  const said = faultOf(name, field.value, error.detail, (other) => { change(form, name, other) })
  const part = name === 'measurements' ? `${error.pointer.replace(/^.*measurements\//, '')}: ` : ''
  line.lang = said ? language : 'en' // the service's own words
  line.replaceChildren(html('span', {}, said ?? part + error.detail))
  line.hidden = false
  field.setAttribute('aria-invalid', 'true')
  line.closest('details')?.setAttribute('open', '')
  line.closest<HTMLElement>('.field')?.removeAttribute('hidden')
  return true
}

/** Says beside each fold what is set in it, as its fields may not be seen. */
function showSet(form: HTMLFormElement): void {
  for (const fold of form.querySelectorAll<HTMLElement>('details.fold')) {
    const fields = [...fold.querySelectorAll<Control>('input, select')]
    const values = fields.filter((field) => !field.disabled && field.value)
      .map((field) => (t.fields[field.name] ?? field.name) + t.colon + word(field.value))
    fold.querySelector('.set')?.replaceChildren(joined(values))
  }
}

const fieldOf = (error: Fault): string => parameterAt(error.pointer)

function taskOf(form: HTMLFormElement): HTMLInputElement {
  return form.elements.namedItem('task') as HTMLInputElement
}

function control(form: HTMLFormElement, name: string): Control | null {
  const found = form.elements.namedItem(name)
  const visible = found instanceof HTMLInputElement && found.type !== 'hidden'
  return visible || found instanceof HTMLSelectElement || found instanceof HTMLTextAreaElement ? found : null
}

function accepts(field: Control, value: string): boolean {
  return !(field instanceof HTMLSelectElement) || [...field.options].some((option) => option.value === value)
}

function boxes(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>('input[name=clouds]')]
}

/** Ticks those clouds; boxes that are not offered yet are added, since the first question is asked before they come. */
function tickClouds(form: HTMLFormElement, names: readonly string[]): void {
  const offered = boxes(form)
  for (const box of offered) box.checked = names.includes(box.value)
  const missing = names.filter((name) => !offered.some((box) => box.value === name))
  byId('clouds').append(...missing.map((name) => cloudBox(name, true)))
}

function cloudBox(name: string, checked: boolean): HTMLElement {
  return html('label', {}, html('input', { type: 'checkbox', name: 'clouds', value: name, checked }), cloudName(name))
}

function addExtra(form: HTMLFormElement, name: string, value: string): void {
  const item = html(
    'li',
    {},
    html('input', { type: 'hidden', name, value }),
    html('code', {}, `${name}=${value}`),
    button('×', () => {
      item.remove()
      byId('extra').hidden = byId('extra-list').children.length === 0
      form.dispatchEvent(new Event('input'))
    }, { 'aria-label': t.form.remove(name) }),
  )
  byId('extra-list').append(item)
}
