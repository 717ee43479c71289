import { type Contract, type Operation, requestOf } from './answers.ts'
import { button, html } from './dom.ts'

const MARK = 'trial' // the class of what opens a trial
const MOST_SIGNS = 200_000 // of an answer that is shown
const BYTES_A_KIB = 1024
const PAGE = 'text/html' // of no use as text

/** Puts beside each operation of the reference what asks this service; in the reference's part on the right. */
export function offerTrials({ paths }: Contract): void {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const panel = document.querySelector(`[id$='/operation/${operation.operationId}'] > div > :last-child`)
      if (!panel || panel.querySelector(`.${MARK}`) || PAGE in (operation.responses['200']?.content ?? {})) continue
      const name = `${method.toUpperCase()} ${path}`
      panel.prepend(button('Try it', () => { open(name, path, method, operation) }, { class: MARK, 'aria-label': `Try it: ${name}` }))
    }
  }
}

function open(name: string, path: string, method: string, operation: Operation): void {
  const example = requestOf(path, operation)
  const address = html('input', { type: 'text', value: example.address, spellcheck: 'false', autocomplete: 'off' })
  const key = html('input', { type: 'password', autocomplete: 'off', placeholder: 'where the service asks for one' })
  const body = example.body === undefined ? null : html('textarea', { rows: 12, spellcheck: 'false' }, JSON.stringify(example.body, null, 2))
  const status = html('p', { role: 'status' })
  const shown = html('pre', { tabindex: '0', 'aria-label': 'Answer', hidden: true })
  const form = html('form', {},
    html('label', {}, 'Address', address), body && html('label', {}, 'Body', body), html('label', {}, 'API key', key),
    html('div', { class: 'buttons' }, html('button', { type: 'submit' }, 'Send'), button('Close', () => { dialog.close() })))
  const dialog = html('dialog', { class: MARK, 'aria-labelledby': 'trial-title' }, html('h2', { id: 'trial-title' }, name), form, status, shown)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    status.textContent = 'Asking …'
    void ask(address.value, method, key.value, body?.value).then(({ said, text }) => {
      status.textContent = said
      shown.textContent = text
      shown.hidden = !text
    })
  })
  dialog.addEventListener('close', () => { dialog.remove() })
  document.body.append(dialog)
  dialog.showModal()
}

/** Asks this service alone; returns the status in words, and the answer as text. */
async function ask(typed: string, method: string, key: string, body?: string): Promise<{ said: string; text: string }> {
  const address = new URL(typed, location.origin)
  if (address.origin !== location.origin) return { said: `Only ${location.origin} is asked.`, text: '' }
  const headers = {
    Accept: 'application/json, */*;q=0.5', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(key ? { Authorization: `Bearer ${key}` } : {}),
  }
  const start = performance.now()
  try {
    const response = await fetch(address, { method: method.toUpperCase(), headers, body: body ?? null })
    const text = await response.text()
    const size = `${(new Blob([text]).size / BYTES_A_KIB).toFixed(1)} KiB`
    const said = [`${response.status} ${response.statusText}`.trim(), `${Math.round(performance.now() - start)} ms`, size].join(' · ')
    return { said, text: spread(text).slice(0, MOST_SIGNS) }
  } catch {
    return { said: 'No answer from the service.', text: '' }
  }
}

/** JSON with a line for each value; other text as it is. */
function spread(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
