import { button, byId, type Child, html } from '../dom.ts'
import { agreements, isMine, mine, useMine } from '../mine.ts'
import { t, word } from '../texts/index.ts'
import type { Answer, Recommendation } from '../types.ts'
import { cloudName, OWN } from './clouds.ts'
import type { Change } from './notes.ts'
import { SPOT } from './beyond.ts'

const REGULAR = 'on_demand'
const EITHER = `${REGULAR},${SPOT}`
const EXAMPLE = '30%, $12'
const AGREED = ['own-commitment', 'own-discount'] // rules by which a price is the reader's own

/** How machines are rented, to be chosen, and below it prices of the reader's own agreements. */
export function terms({ recommendations }: Answer, query: URLSearchParams, change: Change): HTMLElement[] {
  const now = query.get('purchase') ?? REGULAR
  const take = (purchase: string): void => { change('purchase', purchase === REGULAR ? '' : purchase) }
  const choices = [REGULAR, SPOT, EITHER].map((purchase) => {
    const name = purchase === EITHER ? t.terms.either : word(purchase)
    return button(name, () => { take(purchase) }, { 'aria-label': name, 'aria-pressed': String(purchase === now) })
  })
  const ask = (entries: readonly string[]): void => {
    useMine(entries)
    take(now === SPOT ? EITHER : now) // agreements are about prices on demand
  }
  const count = agreements().length
  return [
    html('div', { class: 'terms' },
      html('span', { id: 'terms-label' }, t.terms.label),
      html('div', { class: 'segments', role: 'group', 'aria-labelledby': 'terms-label' }, choices)),
    html('details', { class: 'agreed' },
      html('summary', {}, count ? `${t.terms.agreed} (${count})` : t.terms.agreed),
      html('small', {}, t.terms.about),
      agreementForm(recommendations, (entry) => { ask([...mine().filter((other) => other !== entry), entry]) }),
      html('ul', { class: 'chosen', 'aria-label': t.terms.agreed, hidden: !count }, agreements().map((entry) =>
        html('li', {}, entry, button('×', () => { ask(mine().filter((other) => other !== entry)) },
          { 'aria-label': t.form.remove(entry) }))))),
  ]
}

/** Fields for one agreement: with whom, for which machine type, and what it saves or costs. */
function agreementForm(recommendations: readonly Recommendation[], add: (entry: string) => void): HTMLElement {
  const offered = [...byId('clouds').querySelectorAll('input')].map(({ value }) => value)
  const [best] = recommendations
  const clouds = [...new Set([...recommendations.map(({ cloud }) => cloud), ...offered])].filter((name) => name !== OWN)
  const cloud = html('select', { 'aria-label': t.terms.cloud },
    clouds.map((name) => html('option', { value: name, selected: name === best?.cloud }, cloudName(name))))
  const type = html('input', { type: 'text', spellcheck: 'false', 'aria-label': t.terms.type })
  const price = html('input', { type: 'text', spellcheck: 'false', 'aria-label': t.terms.price, placeholder: EXAMPLE })
  const fault = html('small', { class: 'fault', role: 'alert', hidden: true }, t.terms.unread)
  const put = (): void => {
    const amount = price.value.trim().replace(/^[\d.]+$/, '$&%')
    const entry = [cloud.value, type.value.trim(), 'reserved', amount].filter(Boolean).join(' ')
    const isWhole = amount.includes('%') || Boolean(type.value.trim()) // one price is not that of all machines
    fault.hidden = isWhole && isMine(entry)
    if (fault.hidden) add(entry)
  }
  for (const input of [type, price]) {
    input.addEventListener('keydown', ({ key }) => { if (key === 'Enter') put() })
  }
  const field = (label: string, control: HTMLElement): Child => html('label', { class: 'field' }, label, control)
  const fields = [field(t.terms.cloud, cloud), field(t.terms.type, type), field(t.terms.price, price)]
  return html('div', {}, html('div', { class: 'row' }, fields, button(t.compare.add, put)), fault)
}

/** Under which terms a machine has its price, where these are not the usual ones. */
export function termsOf({ purchase, reasons }: Recommendation): string {
  return reasons.some(({ rule }) => AGREED.includes(rule)) ? t.terms.yours : purchase === REGULAR ? '' : word(purchase)
}
