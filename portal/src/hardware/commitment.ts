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

/** The share that a price saves, as people write it: `30%`, `30`, or the price itself, `$2.10`; null where neither is. */
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
  if (!regular.length) return [html('p', {}, t.hardware.unpriced)]
  const told = new URLSearchParams(location.search)
  const region = html('select', {}, regular.map((offer) => html('option', { value: offer.region, selected: offer.region === told.get('region') },
    [regionName(offer.region), t.answer.an_hour(rate(offer.usd_per_hour))].filter(Boolean).join(' · '))))
  const saving = html('input', { type: 'text', spellcheck: 'false', value: told.get('saving'), placeholder: '30%, $2' })
  const hours = html('input', { type: 'text', inputmode: 'decimal', value: told.get('hours'), placeholder: plain(HOURS_A_MONTH) })
  const said = html('div', { role: 'status' })
  const fill = (): void => {
    const offer = regular.find((one) => one.region === region.value) ?? regular[0]
    if (offer) said.replaceChildren(...calculated(machine, offer, saving, hours))
  }
  for (const control of [region, saving, hours]) {
    control.addEventListener('input', () => {
      fill()
      put({ region: region.value === regular[0]?.region ? '' : region.value, saving: saving.value.trim(), hours: hours.value.trim() })
    })
  }
  fill()
  const words: [string, HTMLElement][] = [
    [`${t.hardware.region}${t.comma}${word('on_demand')}`, region], [t.commitment.saving, saving], [t.commitment.hours, hours],
  ]
  const link = commitmentPage(cloud)
  return [
    html('div', { class: 'row calculator' }, words.map(([label, control]) => html('label', { class: 'field' }, label, control))),
    said, ...(link ? [html('p', { class: 'facts' }, link)] : []),
  ]
}

/** The three ways to pay and when the commitment pays off; what cannot be read is marked. */
function calculated({ cloud, instance_type: type }: Machine, offer: Offer, typed: HTMLInputElement, used: HTMLInputElement): HTMLElement[] {
  const part = savingOf(typed.value, offer.usd_per_hour)
  const hours = used.value.trim() ? amountOf(used.value) : HOURS_A_MONTH
  const fits = hours !== null && hours > 0 && hours <= LONGEST_MONTH
  typed.toggleAttribute('aria-invalid', Boolean(typed.value.trim()) && part === null)
  used.toggleAttribute('aria-invalid', !fits)
  if (part === null || !fits) {
    const bad = typed.value.trim() || !fits
    return [html('p', { class: bad ? 'fault' : 'facts' }, fits ? bad ? t.commitment.unread : t.commitment.about : t.commitment.no_hours)]
  }
  const regular = offer.usd_per_hour
  const ways = waysOf({ regular, own: regular * (1 - part), hours })
  const rows = ([['on_demand', ways.regular], ['discount', ways.discount], ['commitment', ways.commitment]] as const)
    .map(([name, way]) => ({ name: name === 'on_demand' ? sentence(word(name)) : t.commitment[name](share(part)), way }))
  const difference = (month: number): string => {
    const more = month - ways.regular.month
    return Math.abs(more) < 0.005 ? '–' : `${more < 0 ? '−' : '+'}${usd(Math.abs(more))}`
  }
  const entry = `${cloud} ${type} reserved ${Number((part * 100).toPrecision(DIGITS))}%`
  const question = new URLSearchParams({ mine: agreedOn(entry), compare: `${cloud}/${type}` })
  return [
    tableOf(t.commitment.title, [
      [t.commitment.way, 'name', ({ name }) => html('strong', {}, name)],
      [t.answer.usd_an_hour, 'figure', ({ way }) => rate(way.rate)],
      [t.commitment.month(plain(hours)), 'figure', ({ way }) => usd(way.month)],
      [t.commitment.difference, 'figure', ({ way }) => difference(way.month)],
    ], rows),
    html('p', {}, t.commitment.even(share(part), plain(ways.even), share(ways.even / HOURS_A_MONTH))),
    ...(isMine(entry) ? [html('p', {}, html('a', { href: pathTo([], location.search, question) }, t.commitment.ask))] : []),
  ]
}
