import { html } from './dom.ts'
import type { Json } from './request.ts'
import { store, stored } from './storage.ts'
import { t } from './texts/index.ts'

const STORED = 'plimsoll-measured'
const LONGEST = 2000 // of an address that programs still pass on

let given: Json[] | null = null

/** The user's own measurements, or none; they stay in this browser and, unless they are long, in the address. */
export function measurements(): Json[] | null {
  return given
}

/** Takes measurements from JSON: one, a list, or an object that holds them. Returns whether it could be read. */
export function take(text: string): boolean {
  try {
    given = text.trim() ? listed(JSON.parse(text) as Json) : null
  } catch {
    given = null
    return false
  }
  return true
}

/** Goes on with the measurements of an address, else with those of the last time. */
export function readMeasured(address: string | null): void {
  if (!take(address ?? stored(STORED))) take('')
}

/** The measurements as an address has them, and with them again the next time that the page is opened. */
export function writtenMeasured(): string {
  const text = given ? JSON.stringify(given) : ''
  store(STORED, text)
  return text.length <= LONGEST ? text : ''
}

function listed(value: Json): Json[] {
  if (Array.isArray(value)) return value.flatMap(listed)
  if (value === null || typeof value !== 'object') throw new SyntaxError('no measurement')
  const held = value.measurements ?? value.measurement
  return held === undefined ? [value] : listed(held)
}

/** The part of the form for them: a text to paste into, and a file to take it from. */
export function measurementBox(): HTMLElement {
  const fault = html('small', { id: 'measurements-fault', class: 'fault', hidden: true })
  const text = html('textarea', {
    id: 'measurements', rows: 4, spellcheck: 'false', 'aria-describedby': 'measurements-hint measurements-fault',
    placeholder: '{"on": {"accelerator": "T4"}, "throughput": 242}',
  }, given ? JSON.stringify(given) : '')
  const file = html('input', { type: 'file', accept: '.json,application/json', class: 'unseen' })
  const read = (): void => {
    const sound = take(text.value)
    fault.textContent = sound ? '' : t.measurements.unreadable
    fault.hidden = sound
  }
  text.addEventListener('input', read)
  file.addEventListener('change', () => {
    void file.files?.[0]?.text().then((content) => {
      text.value = content
      text.dispatchEvent(new Event('input', { bubbles: true }))
    })
  })
  return html('details', { class: 'fold', open: given !== null }, html('summary', {}, t.measurements.title),
    html('div', { class: 'field' },
      html('label', { for: 'measurements' }, t.measurements.label), text,
      html('label', { class: 'file' }, file, t.measurements.file),
      html('small', { id: 'measurements-hint' }, t.measurements.hint), fault))
}
