import { pathTo } from './address.ts'
import { button, html, reach } from './dom.ts'
import { store, stored } from './storage.ts'
import { t } from './texts/index.ts'

const MENU = 'menu-open'
const STORED = 'plimsoll-shortcuts' // whether single keys are turned off
const OFF = 'off'
const TYPED = 'input:not([type=checkbox], [type=radio], [type=file]), textarea, select, [contenteditable]'
const ROWS = '#table tr[data-rank], .hardware tbody tr'
const FIRST = 'g' // of two keys in a row
const SOON_MS = 1500
const SEEN_MS = 3000

/** Something that keys do, and the keys that do it. */
interface Shortcut {
  keys: string
  name: string
  run: () => void
}

let compareRanked: (rank: number) => string = () => ''
let begun = -Infinity // when the first of two keys was pressed

/** Has that add a ranked machine to the comparison, where the page ranks machines; it returns the machine's name. */
export function comparesRanked(compare: (rank: number) => string): void {
  compareRanked = compare
}

/** What single keys do on every page but one in a frame. */
export function shortcuts(): Shortcut[] {
  return [
    { keys: '/', name: t.shortcuts.search, run: search },
    { keys: 'j', name: t.shortcuts.next, run: () => { step(1) } },
    { keys: 'k', name: t.shortcuts.previous, run: () => { step(-1) } },
    { keys: 'c', name: t.shortcuts.compare, run: compare },
    { keys: 's', name: t.shortcuts.share, run: () => void share() },
    { keys: 'g m', name: t.shortcuts.machines, run: () => { location.href = pathTo(['machines'], location.search) } },
    { keys: 'g a', name: t.shortcuts.accelerators, run: () => { location.href = pathTo(['accelerators'], location.search) } },
    { keys: '?', name: t.shortcuts.title, run: showShortcuts },
  ]
}

addEventListener('keydown', (event) => {
  const found = isOurs(event) ? named(event) : undefined
  if (!found) return
  event.preventDefault()
  found.run()
})

/** Whether a key is the page's: alone, not typed, not that of a dialog, and not turned off. */
function isOurs({ target, ctrlKey, metaKey, altKey, isComposing, defaultPrevented }: KeyboardEvent): boolean {
  const elsewhere = [ctrlKey, metaKey, altKey, isComposing, defaultPrevented].some(Boolean)
  const typed = target instanceof Element && target.closest(TYPED) !== null
  const on = document.getElementById(MENU) !== null && stored(STORED) !== OFF
  return on && !elsewhere && !typed && !document.querySelector('dialog[open]')
}

/** What a key does, alone or after the first of two. */
function named({ key, timeStamp }: KeyboardEvent): Shortcut | undefined {
  const keys = timeStamp - begun < SOON_MS ? `${FIRST} ${key}` : key
  begun = keys === FIRST ? timeStamp : -Infinity
  return shortcuts().find((one) => one.keys === keys)
}

/** The list of the shortcuts, with what turns them off. */
export function showShortcuts(): void {
  const on = html('input', { type: 'checkbox', checked: stored(STORED) !== OFF })
  on.addEventListener('change', () => { store(STORED, on.checked ? '' : OFF) })
  const all = [...shortcuts(), { keys: 'Ctrl K', name: t.menu.title }]
  const dialog = html('dialog', { id: 'shortcuts', 'aria-labelledby': 'shortcuts-title' },
    html('h2', { id: 'shortcuts-title' }, t.shortcuts.title),
    html('dl', {}, all.map(({ keys, name }) =>
      html('div', {}, html('dt', {}, name), html('dd', {}, keys.split(' ').map((key) => html('kbd', {}, key)))))),
    html('label', { class: 'tick' }, on, t.shortcuts.on),
    html('p', { class: 'facts' }, t.shortcuts.about),
    button(t.ask.done, () => { dialog.close() }))
  dialog.addEventListener('close', () => { dialog.remove() })
  document.body.append(dialog)
  dialog.showModal()
}

/** Reaches the field of the model or the filter of a list, where the page has one, else opens the menu. */
function search(): void {
  const fields = [...document.querySelectorAll<HTMLElement>('#model, .filters input')]
  const field = fields.find((one) => !one.closest('[hidden]') && one.matches(':enabled'))
  if (field) reach(field)
  else document.getElementById(MENU)?.click()
}

/** The row that has the focus, or the one above where that is of its reasons. */
function rowInFocus(): Element | null {
  const row = document.activeElement?.closest('tr') ?? null
  return row?.matches(ROWS) ? row : (row?.previousElementSibling ?? null)
}

function step(by: number): void {
  const rows = [...document.querySelectorAll(ROWS)]
  const row = rowInFocus()
  const place = row ? rows.indexOf(row) + by : 0
  const next = rows[Math.min(Math.max(place, 0), rows.length - 1)]
  const control = next?.querySelector<HTMLElement>('.open') ?? next?.querySelector('a')
  control?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** Adds the machine of the row in focus, else the one that the page is of, to the comparison. */
function compare(): void {
  const row = rowInFocus() ?? document.querySelector('.chosen-row')
  const name = (row && picked(row)) ?? compareRanked(Number(row?.getAttribute('data-rank') ?? 1))
  if (name) say(t.shortcuts.compared(name))
  else document.querySelector<HTMLElement>('.best a[href*="compare="]')?.click()
}

/** Picks a row of a list; returns the name of its machine, or null where rows are not picked. */
function picked(row: Element): string | null {
  const box = row.querySelector<HTMLInputElement>('.pick')
  if (!box) return null
  if (!box.checked) box.click()
  return row.querySelector('strong')?.textContent ?? null
}

async function share(): Promise<void> {
  const copied = await navigator.clipboard.writeText(location.href).then(() => true, () => false)
  say(copied ? t.shortcuts.copied : location.href)
}

/** Says in a corner, for a while, what a key has done. */
function say(words: string): void {
  const known = document.getElementById('said')
  const box = known ?? html('p', { id: 'said', role: 'status' })
  if (!known) document.body.append(box)
  requestAnimationFrame(() => { box.textContent = words }) // a status is heard where it was there before its words
  setTimeout(() => { if (box.textContent === words) box.textContent = '' }, SEEN_MS)
}
