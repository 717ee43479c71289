import { button, html } from '../dom.ts'
import { t } from '../texts/index.ts'

/** The text field of a deadline with a calendar beside it, which writes into it. */
export function deadline(input: HTMLInputElement): HTMLElement {
  const picked = html('input', { type: 'datetime-local', class: 'picker', tabindex: '-1', 'aria-label': t.ask.pick_date })
  picked.addEventListener('input', (event) => {
    event.stopPropagation() // it is no field of the question
    input.value = picked.value
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
  const open = button('', () => { // its picture is the style sheet's
    picked.showPicker()
  }, { class: 'calendar', 'aria-label': t.ask.pick_date, title: t.ask.pick_date })
  return html('div', { class: 'dated' }, input, open, picked)
}
