import { button } from '../dom.ts'

const COPY = 'Copy'

/** A button that copies what an element says; where that is not allowed it marks the text, to be copied by hand. */
export function copyButton(what: string, from: HTMLElement): HTMLButtonElement {
  const made = button(COPY, () => {
    if (!isSecureContext) {
      getSelection()?.selectAllChildren(from)
      return
    }
    void navigator.clipboard.writeText(from.textContent).then(
      () => {
        made.textContent = 'Copied'
      },
      () => getSelection()?.selectAllChildren(from),
    )
  }, { 'aria-label': `${COPY} ${what}` })
  return made
}
