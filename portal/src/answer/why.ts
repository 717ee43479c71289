import { memoryBar } from '../chart/memory.ts'
import { timeline } from '../chart/timeline.ts'
import { button, type Child, html } from '../dom.ts'
import { hoursOf } from '../duration.ts'
import { joined, t, word } from '../texts/index.ts'
import type { Alternative, Answer, Note, Price, Recommendation, Sizing } from '../types.ts'
import { hoursRoughly, plain, spread, usd } from '../units.ts'
import { pricePage } from './clouds.ts'
import { evidence } from './evidence.ts'
import { diskRate } from './figures.ts'
import { inWords, ruleName } from './rule.ts'

/** What an opened recommendation leads to: the same at the same prices, the comparison; and the room that it has. */
export interface Ways {
  pinned: string
  compare: () => void
  room: () => number
}

/** Everything behind one recommendation: reasons, warnings, sizing, price, its run on spot, and the evidence. */
export function why(item: Recommendation, answer: Answer, { pinned, compare, room }: Ways): HTMLElement[] {
  const { warnings, reasons, sizing } = item
  const { spot, time_hours: end } = item.estimate
  const columns = html('div', { class: 'why' },
    section(t.why.in_short, html('ul', { class: 'in-short' }, inShort(item).map((line) => html('li', {}, line)))),
    warnings.length ? section(t.why.warnings, html('ul', { class: 'warnings' }, warnings.map(({ text }) => html('li', {}, inWords(text))))) : null,
    html('details', { class: 'known' }, html('summary', {}, t.why.how), notes([...reasons, ...warnings], 'reasons')),
    section(t.why.sizing, sizingList(item), memoryBars(sizing)),
    section(t.why.price, priceList(item, answer, pinned)))
  const deadline = hoursOf(answer.workload.deadline, Date.now())
  return [
    columns,
    spot && end ? html('section', { class: 'spot' }, html('h3', {}, t.spot.title), timeline(spot, end, deadline, room())) : null,
    evidence(item, answer, room),
    item.label === null ? button(t.compare.add_this, compare) : null,
  ].filter((one) => one !== null)
}

/** Why this machine, what limits it, and what is uncertain of it. */
function inShort({ reasons: [first], estimate }: Recommendation): Child[] {
  const { basis, bottleneck, time_hours: time, throughput } = estimate
  const rate = spread(throughput, plain)
  const range = time ? spread(time, hoursRoughly) : rate && `${rate} ${word(throughput.unit)}`
  return [
    first ? inWords(first.text) : null,
    t.why.limited_by + t.colon + word(bottleneck),
    (t.why.basis[basis] ?? word(basis)) + (range ? t.gap + t.why.likely(range) : ''),
  ].filter((line) => line !== null)
}

/** Reasons and warnings, each with its rule and where that comes from; sources are told as they are called. */
function notes(items: readonly Note[], kind: string): HTMLElement {
  return html('ul', { class: kind }, items.map(({ rule, text, source }) =>
    html('li', {}, inWords(text), ' ', html('cite', { lang: 'en' }, ruleName(rule), `: ${source}`))))
}

function section(title: string, ...content: Child[]): HTMLElement {
  return html('section', {}, html('h3', {}, title), content)
}

function sizingList({ sizing, estimate }: Recommendation): HTMLElement {
  const { vcpus, batch_size: batch, disk } = sizing
  const disks = disk && joined([word(disk.product ?? disk.type), t.why.gib(plain(disk.size_gib))])
  return definitions([
    [t.why.limited_by, word(estimate.bottleneck)],
    [t.why.vcpus, t.why.needs(plain(vcpus.required), plain(vcpus.provided))],
    [t.why.disk, disks],
    [t.why.batch, batch && `${plain(batch.used)} (${t.why.at_most(plain(batch.largest))})`],
  ])
}

function memoryBars({ accelerator_memory_gib: device, memory_gib: host }: Sizing): Child {
  return [device ? memoryBar(t.why.device_memory, device) : null, memoryBar(t.why.memory, host)]
}

function priceList(item: Recommendation, answer: Answer, pinned: string): Child {
  const { price, purchase, other_regions: others, estimate } = item
  const page = pricePage(item.cloud)
  const link = html('a', { href: pinned }, answer.catalog.version)
  const regions = joined(others.map(({ region, usd_per_hour: rate }) => `${region} (${usd(rate)})`))
  const { expected_cost_usd: job, expected_usd_per_hour: hourly } = estimate
  const mean = job !== null ? usd(job) : hourly !== null ? t.answer.an_hour(usd(hourly)) : null
  const bySize = [...item.alternatives].sort((one, other) => one.node_count - other.node_count)
  const alternatives = joined(bySize.map(alternative))
  const doubt = price.low === null || price.high === null ? '' : ` (${usd(price.low)} – ${usd(price.high)})`
  return [
    definitions([
      [t.why.price, joined([t.why.price_line(usd(price.usd_per_hour), word(purchase)), dated(price)])],
      [t.why.source, [html('span', { lang: 'en' }, price.source), page && [' · ', page]]],
      [t.why.confidence, word(price.confidence) + doubt],
      [t.why.snapshot, link],
      [t.why.other_regions, regions],
      [t.answer.cost, costParts(item)],
      [t.why.expected, mean && t.why.mean(mean)],
      [t.why.alternatives, alternatives],
    ]),
    price.stale ? html('p', { class: 'warning' }, t.why.stale) : null,
  ]
}

/** What of a job's cost is for its disks, if anything. */
function costParts(item: Recommendation): string | null {
  const { cost_usd: cost, time_hours: time } = item.estimate
  const disk = diskRate(item) * (time?.value ?? 0)
  return cost && disk ? t.why.cost_parts(usd(cost.value - disk), usd(disk)) : null
}

function alternative(one: Alternative): string {
  return `${one.node_count}\u00a0×\u00a0${one.instance_type} (${usd(one.cost_usd ?? one.usd_per_hour ?? 0)})`
}

const dated = ({ as_of: date }: Price): string => (date ? t.why.as_of(date) : t.why.no_date)

function definitions(entries: readonly [string, Child][]): HTMLElement {
  return html('dl', {}, entries.filter(([, value]) => value).map(([name, value]) => [html('dt', {}, name), html('dd', {}, value)]))
}
