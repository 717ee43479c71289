import { pathTo } from '../address.ts'
import { regionName } from '../answer/card.ts'
import { commitmentPage } from '../answer/clouds.ts'
import { html } from '../dom.ts'
import { amountOf } from '../form/amounts.ts'
import { agreedOn, isMine } from '../mine.ts'
import { sentence, t, word } from '../texts/index.ts'
import { HOURS_A_MONTH, plain, rate, share, usd } from '../units.ts'
import type { Machine, Offer } from './facts.ts'
import { put, tableOf } from './tables.ts'

const LONGEST_MONTH = 744 // hours
const DIGITS = 4 // of a percentage
const HALF_A_CENT = 0.005
const SAVING = /^([\d.]+)\s*%?$/
const PRICE = /^\$\s*([\d.]+)$/

/** A price that the reader pays instead of another, and for how many hours a month they use the machine. */
export interface Agreed {
  regular: number
  own: number
  hours: number
}

/** A way to pay: its price per hour and per month. */
export interface Way {
  rate: number
  month: number
}

/** The share that a price saves, as people write it: `30%`, `30`, or the price, `$2.10`; null where neither is. */
export function savingOf(typed: string, regular: number): number | null {
  const [, percent] = SAVING.exec(typed.trim()) ?? []
  const [, price] = PRICE.exec(typed.trim()) ?? []
  const saving = price ? 1 - Number(price) / regular : Number(percent ?? NaN) / 100
  return saving > 0 && saving < 1 ? saving : null
}

/** The month on demand, with a discount on each hour, and with a commitment that is paid for all hours. */
export function waysOf({ regular, own, hours }: Agreed): Record<'regular' | 'discount' | 'commitment', Way> & { even: number } {
  return {
    regular: { rate: regular, month: regular * hours },
    discount: { rate: own, month: own * hours },
    commitment: { rate: own, month: own * Math.max(hours, HOURS_A_MONTH) },
    even: HOURS_A_MONTH * own / regular,
  }
}

/** A calculator: what the reader's discount or commitment costs a month, and from how many hours on it pays off. */
export function commitment(machine: Machine): HTMLElement[] {
  const { cloud, offers = [] } = machine
  const regular = offers.filter(({ current, purchase }) => current && purchase === 'on_demand')
    .sort((one, other) => one.usd_per_hour - other.usd_per_hour)
  const [cheapest] = regular
  if (!cheapest) return [html('p', {}, t.hardware.unpriced)]
  const { region, saving, hours } = fieldsOf(regular)
  const said = html('div', { role: 'status' })
  const fill = (): void => {
    const offer = regular.find((one) => one.region === region.value) ?? cheapest
    said.replaceChildren(...calculated(machine, offer, saving, hours))
  }
  for (const control of [region, saving, hours]) {
    control.addEventListener('input', () => {
      fill()
      const other = region.value === cheapest.region ? '' : region.value
      put({ region: other, saving: saving.value.trim(), hours: hours.value.trim() })
    })
  }
  fill()
  const words = [t.hardware.region + t.comma + word('on_demand'), t.commitment.saving, t.commitment.hours]
  const link = commitmentPage(cloud)
  return [
    html('div', { class: 'row calculator' }, [region, saving, hours].map((control, place) =>
      html('label', { class: 'field' }, words[place], control))),
    said, ...(link ? [html('p', { class: 'facts' }, link)] : []),
  ]
}

/** The fields of the calculator, as the address fills them. */
function fieldsOf(
  regular: readonly Offer[],
): { region: HTMLSelectElement; saving: HTMLInputElement; hours: HTMLInputElement } {
  const told = new URLSearchParams(location.search)
  const options = regular.map(({ region, usd_per_hour: price }) =>
    html('option', { value: region, selected: region === told.get('region') },
      [regionName(region), t.answer.an_hour(rate(price))].filter(Boolean).join(' · ')))
  const text = (name: string, placeholder: string): HTMLInputElement =>
    html('input', { type: 'text', spellcheck: 'false', value: told.get(name), placeholder })
  return { region: html('select', {}, options), saving: text('saving', '30%, $2'), hours: text('hours', plain(HOURS_A_MONTH)) }
}

/** The three ways to pay and when the commitment pays off; what cannot be read is marked. */
function calculated(
  machine: Machine, { usd_per_hour: regular }: Offer, typed: HTMLInputElement, used: HTMLInputElement,
): HTMLElement[] {
  const part = savingOf(typed.value, regular)
  const hours = used.value.trim() ? amountOf(used.value) : HOURS_A_MONTH
  const unread = Boolean(typed.value.trim()) && part === null
  const known = hours !== null && hours > 0 && hours <= LONGEST_MONTH
  typed.toggleAttribute('aria-invalid', unread)
  used.toggleAttribute('aria-invalid', !known)
  if (!known) return [html('p', { class: 'fault' }, t.commitment.no_hours)]
  if (unread) return [html('p', { class: 'fault' }, t.commitment.unread)]
  return part === null ? [html('p', { class: 'facts' }, t.commitment.about)] : told(machine, part, { regular, own: regular * (1 - part), hours })
}

function told({ cloud, instance_type: type }: Machine, part: number, agreed: Agreed): HTMLElement[] {
  const ways = waysOf(agreed)
  const rows: [string, Way][] = [
    [sentence(word('on_demand')), ways.regular], [t.commitment.discount(share(part)), ways.discount],
    [t.commitment.commitment(share(part)), ways.commitment],
  ]
  const difference = (month: number): string => {
    const more = month - ways.regular.month
    return Math.abs(more) < HALF_A_CENT ? '–' : `${more < 0 ? '−' : '+'}${usd(Math.abs(more))}`
  }
  const entry = `${cloud} ${type} reserved ${Number((part * 100).toPrecision(DIGITS))}%`
  const question = new URLSearchParams({ mine: agreedOn(entry), compare: `${cloud}/${type}` })
  return [
    tableOf<[string, Way]>(t.commitment.title, [
      [t.commitment.way, 'name', ([name]) => html('strong', {}, name)],
      [t.answer.usd_an_hour, 'figure', ([, way]) => rate(way.rate)],
      [t.commitment.month(plain(agreed.hours)), 'figure', ([, way]) => usd(way.month)],
      [t.commitment.difference, 'figure', ([, way]) => difference(way.month)],
    ], rows),
    html('p', {}, t.commitment.even(share(part), plain(ways.even), share(ways.even / HOURS_A_MONTH))),
    ...(isMine(entry) ? [html('p', {}, html('a', { href: pathTo([], location.search, question) }, t.commitment.ask))] : []),
  ]
}
