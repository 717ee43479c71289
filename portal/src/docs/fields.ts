import { byId } from '../dom.ts'
import { faultOf } from './json.ts'
import type { Asked, Value } from './request.ts'
import { pathOf } from './request.ts'
import type { Fault } from './send.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** What the form of an operation asks. */
export function askedOf(form: HTMLFormElement): Asked {
  const values = parametersOf(form).map((control): Value => {
    return { name: control.name, place: control.dataset.in ?? '', text: control.value.trim() }
  })
  return {
    method: form.dataset.method ?? 'GET',
    path: pathOf(form.dataset.path ?? '', values),
    body: bodyOf(form)?.value ?? null,
  }
}

/** Empties every field. */
export function clear(form: HTMLFormElement): void {
  for (const control of controlsOf(form)) control.value = ''
}

/** Lets what the server wrote for reading be changed and sent. */
export function open(form: HTMLFormElement): void {
  const body = bodyOf(form)
  if (body) body.readOnly = false
  for (const button of form.querySelectorAll<HTMLButtonElement>('.send')) button.disabled = false
}

/** Marks each field that a refusal points at, and unmarks all others. */
export function mark(form: HTMLFormElement, faults: readonly Fault[]): void {
  for (const control of controlsOf(form)) {
    const own = faults.filter((fault) => isOf(control, fault))
    say(control, own.map((fault) => (fault.pointer === control.name ? fault.detail : `${fault.pointer}: ${fault.detail}`)))
  }
}

/** Says beside the body whether it can be read as JSON. */
export function checkBody(form: HTMLFormElement): void {
  const body = bodyOf(form)
  const fault = body && faultOf(body.value)
  if (body) say(body, fault ? [`No JSON: ${fault}`] : [])
}

function say(control: Control, words: string[]): void {
  const box = byId(`${control.id}.fault`)
  box.textContent = words.join('; ')
  box.hidden = !words.length
  if (!words.length) {
    control.removeAttribute('aria-invalid')
    return
  }
  control.setAttribute('aria-invalid', 'true')
  const fold = control.closest('details')
  if (fold) fold.open = true
}

function isOf(control: Control, fault: Fault): boolean {
  return control.matches('[data-body]') ? !fault.pointer || fault.pointer.startsWith('/') : fault.pointer === control.name
}

const bodyOf = (form: HTMLFormElement) => form.querySelector<HTMLTextAreaElement>('[data-body]')
const controlsOf = (form: HTMLFormElement) => [...form.querySelectorAll<Control>('[data-in], [data-body]')]
const parametersOf = (form: HTMLFormElement) => [...form.querySelectorAll<Control>('[data-in]')]
