import { regionName } from '../answer/card.ts'
import { cloudName, pricePage } from '../answer/clouds.ts'
import { button, html } from '../dom.ts'
import { sentence, t, word } from '../texts/index.ts'
import { dollars, HOURS_A_MONTH, plain, usd } from '../units.ts'
import type { Machine, Offer } from './facts.ts'
import { linkTo } from './links.ts'
import { type Column, sortable } from './tables.ts'

const SEEN = 12 // rows before the rest is folded

/** Prices of one place, for a machine or for a device. */
interface Place {
  cloud: string
  region: string
  regular: Offer | null
  spot: Offer | null
}

/** A machine's prices by region, the lowest first. */
export function pricesOfMachine({ cloud, offers = [] }: Machine): HTMLElement[] {
  return [
    html('p', { class: 'facts' }, pricePage(cloud)), ...folded(t.hardware.prices, regionColumns(false, false), placesOf(offers)),
  ]
}

/** The machines that have an accelerator with their lowest prices, then the lowest price of one device by region. */
export function pricesOfDevice(machines: readonly Machine[]): HTMLElement[] {
  const rented = machines.filter((machine) => !machine.retired && machine.offers?.some(({ current }) => current))
  if (!rented.length) return [html('p', {}, t.hardware.unpriced)]
  const each = rented.flatMap((machine) => (machine.offers ?? []).map((offer) => ({
    ...offer, usd_per_hour: offer.usd_per_hour / (machine.accelerator?.count ?? 1),
  })))
  const byPrice = rented.sort((one, other) => perDevice(one) - perDevice(other))
  return [
    ...folded(t.hardware.machines, MACHINES(), byPrice),
    html('h2', {}, t.hardware.by_region),
    ...folded(t.hardware.by_region, regionColumns(true, true), placesOf(each)),
  ]
}

/** Machines of a family with their lowest prices, the smallest first. */
export function othersOf(machines: readonly Machine[]): HTMLElement[] {
  const bySize = [...machines].sort((one, other) =>
    (one.accelerator?.count ?? 0) - (other.accelerator?.count ?? 0) || (one.vcpus ?? 0) - (other.vcpus ?? 0))
  const rich = machines.some(({ accelerator }) => accelerator)
  const some = MACHINES().filter((_, column) => rich || !OF_DEVICES.includes(column))
  return bySize.length ? folded(t.hardware.family, some, bySize) : [html('p', {}, t.hardware.only_size)]
}

/** The lowest prices of a machine, each by its name: on demand, and on spot. */
export function fromPrices({ offers = [] }: Machine): [string, string | null][] {
  return ['on_demand', 'spot'].map((purchase) => {
    const offer = lowest(offers, purchase)
    return [t.hardware.from(word(purchase)), offer && t.answer.an_hour(usd(offer.usd_per_hour))]
  })
}

/** The lowest price on demand of a machine that runs all month. */
export function monthPrice({ offers = [] }: Machine): string | null {
  const regular = lowest(offers, 'on_demand')
  return regular && dollars(Math.round(regular.usd_per_hour * HOURS_A_MONTH))
}

const lowest = (offers: readonly Offer[], purchase: string): Offer | null =>
  offers.filter((offer) => offer.current && offer.purchase === purchase)
    .reduce<Offer | null>((best, offer) => (best && best.usd_per_hour <= offer.usd_per_hour ? best : offer), null)

/** The lowest current price among the offers of that purchase option. */
export const lowestOf = (offers: readonly Offer[], purchase: string): number | null =>
  lowest(offers, purchase)?.usd_per_hour ?? null

const cheapest = ({ offers = [] }: Machine): Offer | null => lowest(offers, 'on_demand') ?? lowest(offers, 'spot')

const perDevice = ({ offers = [], accelerator }: Machine): number =>
  (lowest(offers, 'on_demand')?.usd_per_hour ?? Infinity) / (accelerator?.count ?? 1)

function placesOf(offers: readonly Offer[]): Place[] {
  const groups = new Map<string, Offer[]>()
  for (const offer of offers) {
    const key = `${offer.cloud} ${offer.region}`
    groups.set(key, [...(groups.get(key) ?? []), offer])
  }
  const places = [...groups.values()].map((some): Place => ({
    cloud: some[0]?.cloud ?? '', region: some[0]?.region ?? '',
    regular: lowest(some, 'on_demand'), spot: lowest(some, 'spot'),
  }))
  const price = ({ regular, spot }: Place): number => regular?.usd_per_hour ?? spot?.usd_per_hour ?? Infinity
  return places.filter(({ regular, spot }) => regular ?? spot).sort((one, other) => price(one) - price(other))
}

function regionColumns(clouds: boolean, machines: boolean): Column<Place>[] {
  const machine = ({ regular, spot }: Place): HTMLElement | string => {
    const offer = regular ?? spot
    return offer ? linkTo(['machines', offer.cloud, offer.instance_type], offer.instance_type) : ''
  }
  return [
    [t.hardware.region, 'name', ({ cloud, region }) =>
      html('strong', {}, [...(clouds ? [cloudName(cloud)] : []), regionName(region)].filter(Boolean).join(' ')), ({ cloud, region }) => `${cloudName(cloud)} ${region}`],
    ...(machines ? [[t.answer.machine, 'sku', machine] as const] : []),
    [sentence(word('on_demand')), 'figure', ({ regular }) => usd(regular?.usd_per_hour), ({ regular }) => regular?.usd_per_hour ?? null],
    [sentence(word('spot')), 'figure', ({ spot }) => usd(spot?.usd_per_hour), ({ spot }) => spot?.usd_per_hour ?? null],
    [t.why.confidence, 'setting', ({ regular, spot }) => word((regular ?? spot)?.confidence ?? '')],
    [t.hardware.date, 'setting', ({ regular, spot }) => (regular ?? spot)?.as_of ?? '–', ({ regular, spot }) => (regular ?? spot)?.as_of ?? null],
  ]
}

const OF_DEVICES = [1, 5] // columns that only machines with accelerators have
const MACHINES = (): Column<Machine>[] => [
  [t.answer.machine, 'name', (machine) => [
    html('strong', {}, linkTo(['machines', machine.cloud, machine.instance_type], machine.instance_type)),
    html('small', {}, cloudName(machine.cloud)),
  ], (machine) => machine.instance_type],
  [t.hardware.devices, 'figure', ({ accelerator }) => plain(accelerator?.count), ({ accelerator }) => accelerator?.count ?? null],
  [t.why.vcpus, 'figure', ({ vcpus }) => plain(vcpus), ({ vcpus }) => vcpus],
  [t.why.memory, 'figure', ({ memory_gib: memory }) => `${plain(memory)} GiB`, ({ memory_gib: memory }) => memory],
  [t.answer.usd_an_hour, 'figure', (machine) => {
    const offer = cheapest(machine)
    return offer ? [usd(offer.usd_per_hour), html('small', {}, regionName(offer.region))] : '–'
  }, (machine) => cheapest(machine)?.usd_per_hour ?? null],
  [t.hardware.per_device, 'figure', (machine) => (Number.isFinite(perDevice(machine)) ? usd(perDevice(machine)) : '–'), perDevice],
]

/** The first rows in sight, the others behind a fold. */
function folded<Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]): HTMLElement[] {
  if (!rows.length) return [html('p', {}, t.hardware.unpriced)]
  const { table, show } = sortable(title, columns, rows, SEEN)
  if (rows.length <= SEEN) return [table]
  let most = SEEN
  const fill = (): void => {
    const wanted = filter.value.trim().toLowerCase()
    show(wanted ? rows.length : most, (_, line) => !wanted || line().textContent.toLowerCase().includes(wanted))
    more.hidden = wanted !== '' || most === rows.length
  }
  const more = button(t.hardware.more(plain(rows.length - SEEN)), () => {
    most = rows.length
    fill()
  }, { class: 'more' })
  const filter = html('input', {
    type: 'text', class: 'filter', 'aria-label': t.hardware.filter, placeholder: t.hardware.filter,
  })
  filter.addEventListener('input', fill)
  return [filter, table, more]
}
