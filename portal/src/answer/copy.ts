import { button } from '../dom.ts'
import { t } from '../texts/index.ts'

/** A button that copies what `text` says at that moment, and says that it did. */
export function copyButton(text: () => string): HTMLButtonElement {
  const made = button(t.scripts.copy, () => {
    navigator.clipboard.writeText(text()).then(
      () => {
        made.textContent = t.scripts.copied
      },
      () => {
        made.textContent = t.scripts.copy // not allowed here: the text can be marked and copied by hand
      },
    )
  }, { class: 'copy', 'aria-live': 'polite' })
  return made
}
