import type { Measures, Point } from '../chart/points.ts'
import { type Child, html } from '../dom.ts'
import { acceleratorLink, machineLink } from '../hardware/links.ts'
import { type Devices, devicesOf, sizeOf } from '../hardware/size.ts'
import { joined, t, word } from '../texts/index.ts'
import type { Answer, Candidate } from '../types.ts'
import { machine, plain, spread, usd } from '../units.ts'
import { cloudName, OWN } from './clouds.ts'
import { copyButton } from './copy.ts'
import { figuresOfItem, nameParts } from './figures.ts'

type Named = Pick<Candidate, 'cloud' | 'instance_type' | 'node_count' | 'label'> & { accelerator: Devices | null }

const MARK = '|' // where ranges stand in a sentence
const NO_REGIONS = ['default', 'global'] // of clouds that name none

/** What the machines are by their hardware: `8 × H100 SXM`, `4 vCPU, 16 GiB`, or their own name. */
export function hardware(item: Named): string {
  const { accelerator, node_count: nodes, label } = item
  if (label !== null) return machine(item)
  if (accelerator) return devicesOf(accelerator, nodes)
  const size = sizeOf(item)
  if (!size) return machine(item)
  return nodes > 1 ? `${plain(nodes)} × (${size})` : size
}

/** The hardware and whose it is. */
export function atCloud(item: Named): string {
  return item.cloud === OWN ? hardware(item) : t.answer.at(hardware(item), cloudName(item.cloud))
}

/** The choice in words: hardware and cloud, how long and how much; where and at which price; and its other figures. */
export function card(item: Candidate, point: Point | null, answer: Answer, measures: Measures): HTMLElement[] {
  return [
    html('h1', { id: 'headline' }, html('strong', {}, acceleratorLink(item, nameParts(atCloud(item)))), figures(point, measures)),
    likely(point, measures),
    html('p', { id: 'place', class: 'place' }, sku(item), ' ', html('span', {}, item.cloud === OWN ? t.answer.own : placeOf(item, point))),
    html('dl', { id: 'figures', class: 'figures' }, figuresOfItem(item, answer, point)),
  ].filter((one) => one !== null)
}

/** The card's figures in the words of its headline. */
export function amounts(point: Point | null, { time, cost }: Measures): string[] {
  return point ? [time.headline(time.said(point.x.value)), cost.said(point.y.value)] : []
}

function figures(point: Point | null, measures: Measures): Child {
  const all = amounts(point, measures)
  return all.length ? [' ', html('span', { class: 'amounts' }, all.join(' · '))] : null
}

/** Between which ends the headline's figures are. */
function likely(point: Point | null, { time, cost }: Measures): HTMLElement | null {
  const ends = point ? [spread(point.x, time.format), spread(point.y, cost.format)].filter(Boolean) : []
  if (!ends.length) return null
  const [before = '', after = ''] = t.why.likely(MARK).split(MARK)
  const unbroken = ends.map((said) => html('span', { class: 'range' }, said))
  return html('p', { id: 'likely' }, before, unbroken.flatMap((one, place) => (place ? [' · ', one] : [one])), after)
}

function sku(item: Candidate): Child {
  if (item.cloud === OWN) return null // its name stands above
  const name = html('code', { class: 'sku' }, machineLink(item, machine({ ...item, label: null })))
  return [name, copyButton(() => item.instance_type)]
}

function placeOf(item: Candidate, point: Point | null): string {
  const { node_count: nodes, accelerator } = item
  const rate = rateOf(item)
  return joined([nodes > 1 && accelerator ? t.answer.machines(plain(nodes)) : '', ...rentedAs(item),
    rate === point?.y.value ? '' : t.answer.an_hour(usd(rate)), doubtOf(item)])
}

/** What all machines cost an hour. */
export const rateOf = ({ price, estimate, node_count: nodes }: Candidate): number =>
  estimate.usd_per_hour?.value ?? price.usd_per_hour * nodes

/** What is not sure about a price, and where it may lie; nothing of one from a list. */
export function doubtOf({ price: { confidence, low, high }, node_count: nodes }: Candidate): string {
  if (confidence === 'list') return ''
  const ends = low === null || high === null ? '' : ` (${usd(low * nodes)} – ${usd(high * nodes)})`
  return t.answer.quality(word(confidence)) + ends
}

/** Where a machine is rented and how, as far as that says anything. */
export function rentedAs({ cloud, region, purchase }: Candidate): string[] {
  return cloud === OWN ? [] : [regionName(region), word(purchase)].filter(Boolean)
}

/** A region, but for what clouds call it that have one alone. */
export function regionName(region: string): string {
  return NO_REGIONS.includes(region) ? '' : region
}
