import { button, html, refill } from '../dom.ts'
import { isMine, mine, useMine, whenMine } from '../mine.ts'
import { t } from '../texts/index.ts'

/** A field that takes own machines, discounts and quotas in a few words each, with those that hold below it. */
export function mineBox(ask: () => void): HTMLElement {
  const input = html('input', { id: 'mine', type: 'text', spellcheck: 'false', autocomplete: 'off', 'aria-describedby': 'mine-hint mine-fault' })
  const fault = html('small', { id: 'mine-fault', class: 'fault', role: 'alert', hidden: true })
  const list = html('ul', { class: 'chosen', 'aria-label': t.groups.mine })
  const box = html('details', { class: 'fold', open: mine().length > 0 }, html('summary', {}, t.groups.mine),
    html('div', { class: 'field' },
      html('label', { for: 'mine' }, t.mine.label),
      html('div', { class: 'joined' }, input, button(t.compare.add, () => { add() })),
      html('small', { id: 'mine-hint' }, t.mine.hint), fault), list)
  const show = (): void => {
    refill(list, mine().map((entry) => html('li', {}, entry, button('×', () => {
      use(mine().filter((other) => other !== entry))
    }, { 'aria-label': t.form.remove(entry) }))), input)
    list.hidden = !mine().length
  }
  const use = (entries: readonly string[]): void => {
    useMine(entries)
    ask()
  }
  const add = (): void => {
    const entry = input.value.trim()
    fault.hidden = isMine(entry)
    fault.textContent = t.mine.unread
    if (!isMine(entry)) return
    input.value = ''
    use([...mine().filter((other) => other !== entry), entry])
  }
  for (const kind of ['input', 'change']) input.addEventListener(kind, (event) => { event.stopPropagation() })
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  })
  show()
  whenMine(show)
  return box
}
