import { html } from '../dom.ts'
import { t } from '../texts/index.ts'
import { partTyped, type Suggest, type Suggestion } from './suggestions.ts'

const PAUSE_MS = 120 // between two keys of a quick typist

/** The text field with a list of names below it that fit what is typed (the ARIA combobox with list autocomplete). */
export function combobox(input: HTMLInputElement, suggest: Suggest): HTMLElement {
  const list = html('ul', { id: `${input.id}-list`, role: 'listbox', 'aria-label': t.form.suggestions, hidden: true })
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-autocomplete', 'list')
  input.setAttribute('aria-controls', list.id)
  new Offer(input, list, suggest).listen()
  return html('div', { class: 'combobox' }, input, list)
}

class Offer {
  private asked = new AbortController()
  private timer = 0
  private active = -1

  constructor(
    private readonly input: HTMLInputElement,
    private readonly list: HTMLUListElement,
    private readonly suggest: Suggest,
  ) {
    this.close()
  }

  listen(): void {
    this.input.addEventListener('input', (event) => {
      if (event instanceof InputEvent) this.ask() // not where a name was taken
    })
    this.input.addEventListener('keydown', (event) => {
      if (!event.isComposing && this.pressed(event.key)) event.preventDefault() // that key is the input method's
    })
    this.input.addEventListener('blur', () => {
      this.close()
    })
    this.list.addEventListener('pointerdown', (event) => {
      event.preventDefault() // the field keeps the focus
      const index = [...this.list.children].findIndex((option) => option.contains(event.target as Node))
      if (index >= 0) this.take(index)
    })
  }

  private ask(): void {
    this.asked.abort()
    clearTimeout(this.timer)
    this.asked = new AbortController()
    const { signal } = this.asked
    const { typed } = partTyped(this.input.name, this.input.value)
    this.timer = window.setTimeout(() => {
      this.suggest(typed, signal).then(
        (found) => {
          if (!signal.aborted) this.show(found, typed)
        },
        () => {
          if (!signal.aborted) this.close() // the form works without suggestions; the question itself says what failed
        },
      )
    }, PAUSE_MS)
  }

  private show(found: Suggestion[], typed: string): void {
    const useful = found.length > 1 || (found.length === 1 && found[0]?.name !== typed)
    if (!useful || document.activeElement !== this.input) {
      this.close()
      return
    }
    this.list.replaceChildren(
      ...found.map(({ name, about }, index) =>
        html('li', { id: `${this.list.id}-${index}`, role: 'option', 'aria-selected': 'false', 'data-name': name },
          html('span', {}, name), ' ', html('small', {}, about)),
      ),
    )
    this.active = -1
    this.list.hidden = false
    this.input.setAttribute('aria-expanded', 'true')
  }

  private pressed(key: string): boolean {
    if (key === 'ArrowDown' && this.list.hidden) {
      this.ask()
      return true
    }
    if (this.list.hidden) return false
    if (key === 'ArrowDown' || key === 'ArrowUp') this.move(key === 'ArrowDown' ? 1 : -1)
    else if (key === 'Escape') this.close()
    else if (key === 'Enter') this.take(Math.max(this.active, 0)) // the first is what was meant, until another is chosen
    else return false
    return true
  }

  private move(step: number): void {
    const options = [...this.list.children]
    const start = this.active < 0 && step < 0 ? options.length : this.active
    this.active = (start + step + options.length) % options.length
    options.forEach((option, index) => {
      option.setAttribute('aria-selected', String(index === this.active))
    })
    options[this.active]?.scrollIntoView({ block: 'nearest' })
    this.input.setAttribute('aria-activedescendant', `${this.list.id}-${this.active}`)
  }

  private take(index: number): void {
    const name = this.list.children[index]?.getAttribute('data-name')
    this.input.value = partTyped(this.input.name, this.input.value).before + (name ?? '')
    this.close()
    this.input.dispatchEvent(new Event('input', { bubbles: true }))
    this.input.dispatchEvent(new Event('change', { bubbles: true }))
  }

  private close(): void {
    this.asked.abort()
    clearTimeout(this.timer)
    this.active = -1
    this.list.hidden = true
    this.input.setAttribute('aria-expanded', 'false')
    this.input.removeAttribute('aria-activedescendant')
  }
}
