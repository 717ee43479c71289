import type { Measures, Point } from '../chart/points.ts'
import { type Child, html } from '../dom.ts'
import { acceleratorLink, machineLink } from '../hardware/links.ts'
import { t, word } from '../texts/index.ts'
import type { Answer, Candidate } from '../types.ts'
import { gpu, machine, plain } from '../units.ts'
import { cloudName } from './clouds.ts'
import { copyButton } from './copy.ts'
import { figuresOfItem, nameParts } from './figures.ts'

const OWN = 'own' // the service's cloud of the caller's own machines
const NO_REGION = 'default' // of clouds that name none

/** What the machines are by their hardware: `8 × H100 SXM`, or the type's name where they have no accelerators. */
export function hardware(item: Candidate): string {
  const { accelerator, node_count: nodes, label } = item
  if (label !== null || !accelerator) return machine(item)
  return `${plain(accelerator.count * nodes)} × ${gpu(accelerator.name)}`
}

/** The hardware and whose it is. */
export function atCloud(item: Candidate): string {
  return item.cloud === OWN ? hardware(item) : t.answer.at(hardware(item), cloudName(item.cloud))
}

/** The choice in words: hardware and cloud, how long and how much; its name to copy; and its figures. */
export function card(item: Candidate, point: Point | null, answer: Answer, measures: Measures): HTMLElement[] {
  return [
    html('h1', { id: 'headline' }, html('strong', {}, acceleratorLink(item, nameParts(atCloud(item)))), figures(point, measures)),
    html('p', { id: 'place', class: 'place' }, sku(item), ' ', html('span', {}, placeOf(item))),
    html('dl', { id: 'figures', class: 'figures' }, figuresOfItem(item, answer)),
  ]
}

/** The card's figures in the words of its headline. */
export function amounts(point: Point | null, { time, cost }: Measures): string[] {
  return point ? [t.answer.about(time.said(point.x.value)), cost.said(point.y.value)] : []
}

function figures(point: Point | null, measures: Measures): Child {
  return amounts(point, measures).map((words) => [' ', html('span', { class: 'amount' }, words)])
}

function sku(item: Candidate): Child {
  const name = html('code', { class: 'sku' }, machineLink(item, machine({ ...item, label: null })))
  return [name, copyButton(() => item.instance_type)]
}

function placeOf({ cloud, region, purchase, node_count: nodes, accelerator }: Candidate): string {
  const machines = nodes > 1 && accelerator ? t.answer.machines(plain(nodes)) : ''
  const where = region === NO_REGION || cloud === OWN ? '' : region
  return [machines, where, cloud === OWN ? '' : word(purchase)].filter(Boolean).join(', ')
}
