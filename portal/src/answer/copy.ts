import { button } from '../dom.ts'
import { t } from '../texts/index.ts'

/** A button that copies what `text` says at that moment, and says that it did. */
export function copyButton(text: () => string, label = t.scripts.copy): HTMLButtonElement {
  const made = button(label, () => {
    navigator.clipboard.writeText(text()).then(
      () => {
        made.textContent = t.scripts.copied
      },
      () => {
        made.textContent = label // not allowed here: the text can be marked and copied by hand
      },
    )
  }, { class: 'copy', 'aria-live': 'polite' })
  return made
}
