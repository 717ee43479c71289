import { html } from './dom.ts'
import { t } from './texts/index.ts'

const PRINTABLE = '[!-~]+' // what a header can carry

/** The form that takes an API key; it is hidden until the service asks for one. */
export function keyForm(use: (key: string, keep: boolean) => void): HTMLFormElement {
  const field = html('input', {
    id: 'api-key', type: 'password', autocomplete: 'off', spellcheck: 'false', required: true, pattern: PRINTABLE,
    'aria-describedby': 'api-key-about',
  })
  const keep = html('input', { type: 'checkbox' })
  const form = html('form', { id: 'access', class: 'card', hidden: true },
    html('label', { for: 'api-key' }, t.key.label),
    html('div', { class: 'joined' }, field, html('button', { type: 'submit', class: 'primary' }, t.key.use)),
    html('label', { class: 'tick' }, keep, t.key.keep),
    html('small', { id: 'api-key-about' }, t.key.about))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    use(field.value, keep.checked)
    field.value = ''
  })
  return form
}
