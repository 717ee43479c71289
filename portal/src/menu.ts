import { pathTo } from './address.ts'
import { button, html, reach, svg } from './dom.ts'
import { hardwareNamed } from './form/suggestions.ts'
import { shortcuts } from './shortcuts.ts'
import { t } from './texts/index.ts'

const OPENER = 'menu-open'
const PAUSE_MS = 120 // between two keys of a quick typist
const MARKS = /\p{M}/gu

/** Something to do: its name, of which kind it is, the keys that do it, if any, and the doing. */
interface Command {
  name: string
  kind: string
  keys?: string
  run: () => void
}

/** Ctrl or Cmd with K opens and closes the menu, where the page has one. */
addEventListener('keydown', (event) => {
  const opener = document.getElementById(OPENER)
  if (!opener || event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
  event.preventDefault()
  const shown = document.querySelector('dialog')
  if (shown) shown.close()
  else opener.click()
})

/** What opens the menu. */
export function menuButton(): HTMLButtonElement {
  const keys = navigator.userAgent.includes('Mac') ? '⌘ K' : 'Ctrl K'
  const made = button('', open, { id: OPENER, 'aria-label': t.menu.title, 'aria-keyshortcuts': 'Control+K Meta+K' })
  made.append(
    svg('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' },
      svg('circle', { cx: 7, cy: 7, r: 5 }), svg('line', { x1: 11, y1: 11, x2: 15, y2: 15 })),
    html('span', {}, t.menu.title), html('kbd', { 'data-keys': keys }))
  return made
}

function open(): void {
  const input = html('input', {
    type: 'text', role: 'combobox', 'aria-label': t.menu.title, 'aria-autocomplete': 'list', 'aria-expanded': 'true',
    'aria-controls': 'menu-list', placeholder: t.menu.hint, spellcheck: 'false', autocomplete: 'off',
  })
  const list = html('ul', { id: 'menu-list', role: 'listbox', 'aria-label': t.form.suggestions })
  const none = html('p', { role: 'status' })
  const dialog = html('dialog', { id: 'menu', 'aria-label': t.menu.title }, input, list, none)
  dialog.addEventListener('close', () => { dialog.remove() })
  dialog.addEventListener('click', ({ target }) => { if (target === dialog) dialog.close() }) // beside what it shows
  document.body.append(dialog)
  dialog.showModal()
  new Menu(dialog, input, list, none).listen()
}

class Menu {
  private readonly commands = ofPage()
  private found: readonly Command[] = []
  private active = 0
  private timer = 0
  private asked = new AbortController()

  constructor(
    private readonly dialog: HTMLDialogElement,
    private readonly input: HTMLInputElement,
    private readonly list: HTMLElement,
    private readonly none: HTMLElement,
  ) {
    this.show(this.commands)
  }

  listen(): void {
    this.input.addEventListener('input', () => { this.search() })
    this.input.addEventListener('keydown', (event) => {
      if (!event.isComposing && this.pressed(event.key)) event.preventDefault()
    })
    this.list.addEventListener('click', ({ target }) => {
      const index = [...this.list.children].findIndex((option) => option.contains(target as Node))
      if (index >= 0) this.run(index)
    })
  }

  /** What the page offers at once, and what the catalog has after a pause. */
  private search(): void {
    const words = plainly(this.input.value).split(/\s+/).filter(Boolean)
    const own = this.commands.filter(({ name, kind }) => words.every((word) => plainly(`${kind} ${name}`).includes(word)))
    this.show(own)
    clearTimeout(this.timer)
    this.asked.abort()
    this.asked = new AbortController()
    const { signal } = this.asked
    this.timer = window.setTimeout(() => {
      void hardware(this.input.value.trim(), signal).then((more) => {
        if (!signal.aborted) this.show([...own, ...more], this.active)
      })
    }, PAUSE_MS)
  }

  private show(found: readonly Command[], active = 0): void {
    this.found = found
    this.none.textContent = found.length ? '' : t.menu.none
    this.list.hidden = !found.length
    this.list.replaceChildren(...found.map(({ name, kind, keys = '' }, index) =>
      html('li', { id: `menu-${index}`, role: 'option' }, html('span', {}, name), ' ',
        html('small', {}, kind, keys.split(' ').filter(Boolean).map((key) => [' ', html('kbd', {}, key)])))))
    this.mark(active)
  }

  private mark(index: number): void {
    const options = [...this.list.children]
    this.active = options.length ? (index + options.length) % options.length : 0
    options.forEach((option, at) => { option.setAttribute('aria-selected', String(at === this.active)) })
    options[this.active]?.scrollIntoView({ block: 'nearest' })
    this.input.setAttribute('aria-activedescendant', `menu-${this.active}`)
  }

  private pressed(key: string): boolean {
    if (key === 'ArrowDown' || key === 'ArrowUp') this.mark(this.active + (key === 'ArrowDown' ? 1 : -1))
    else if (key === 'Enter') this.run(this.active)
    else return false
    return true
  }

  private run(index: number): void {
    this.dialog.close()
    this.found[index]?.run()
  }
}

/** What there is to do on this page, as it names it itself. */
function ofPage(): Command[] {
  return [
    ...each('.tab', t.menu.go, pressing),
    ...each('#result h2, .notes summary, .part-of-page h2', t.menu.go, reaching),
    ...each('header nav a, .find a', t.menu.go, pressing),
    ...each('.chip', t.ask.examples, pressing),
    ...each('#kinds button', t.chart.charts, pressing),
    ...each('.choice .aim', t.choices.label, pressing),
    ...each('.terms button', t.terms.label, pressing),
    ...each('#table .open', t.answer.why, pressing),
    ...each('.share button', t.share.title, pressing),
    ...each('#question label[for]', t.menu.field, (label) => reaching(label instanceof HTMLLabelElement ? label.control ?? label : label)),
    ...[...document.querySelectorAll<HTMLLabelElement>(':is(.filters, .view) label')].map((label) =>
      ({ name: label.firstChild?.textContent ?? '', kind: t.menu.field, run: reaching(label.control ?? label) })),
    ...[...document.querySelectorAll<HTMLLabelElement>('footer label')].flatMap((label) =>
      each(`#${label.htmlFor} option`, label.textContent, choosing)),
    ...shortcuts().map((one) => ({ ...one, kind: t.shortcuts.kind })),
  ]
}

function each(selector: string, kind: string, act: (found: HTMLElement) => () => void): Command[] {
  return [...document.querySelectorAll<HTMLElement>(selector)].filter((found) => !found.closest('[hidden]'))
    .map((found) => ({ name: found.ariaLabel ?? found.textContent.trim(), kind, run: act(found) }))
}

const pressing = (found: HTMLElement) => (): void => {
  found.focus()
  found.click()
}

/** Brings a part of the page into sight and focus. */
const reaching = (found: HTMLElement) => (): void => { reach(found) }

const choosing = (option: HTMLElement) => (): void => {
  if (option instanceof HTMLOptionElement) option.selected = true
  option.closest('select')?.dispatchEvent(new Event('change'))
}

/** The pages of hardware whose name holds the text; none where the service does not answer. */
async function hardware(typed: string, signal: AbortSignal): Promise<Command[]> {
  const found = await hardwareNamed(typed, signal).catch(() => [])
  return found.map(({ name, about, page }) => ({
    name, kind: about, run: () => { location.href = pathTo(page ?? [], location.search) },
  }))
}

/** Letters without case and marks, so that Vietnamese is found however it is typed. */
const plainly = (text: string): string => text.toLowerCase().normalize('NFD').replaceAll(MARKS, '').replaceAll('đ', 'd')
