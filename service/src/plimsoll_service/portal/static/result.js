import { byId, html } from './dom.js'
import { latencyOf, measuresOf } from './points.js'
import { accelerator, hours, machine, milliseconds, plain, spread, usd } from './units.js'

const JOB_COLUMNS = [
  ['Time', (item) => ranged(item.estimate.time_hours, hours)],
  ['Cost', (item) => ranged(item.estimate.cost_usd, usd)],
]
const SERVING_COLUMNS = [
  ['Latency', (item) => ranged(latencyOf(item.estimate), milliseconds)],
  ['USD an hour', (item) => ranged(item.estimate.usd_per_hour, usd)],
  ['USD a million', (item) => ranged(item.estimate.usd_per_million, usd)],
]

/** The recommendation in one sentence, or that there is none. */
export function headline(answer) {
  const best = answer.recommendations[0]
  if (!best) return 'No machine in the catalog meets all of this'
  const { time_hours: time, cost_usd: cost, usd_per_hour: rate } = best.estimate
  const price = cost ? `${usd(cost.value)} in all` : `${usd((rate ?? { value: best.price.usd_per_hour * best.node_count }).value)} an hour`
  return `Rent ${machine(best)} (${best.cloud}, ${best.region}): ${time ? `about ${hours(time.value)}, ` : ''}${price}`
}

/** The recommendations as a table; roles are spelt out because narrow screens lay it out as cards. */
export function table(answer) {
  const columns = [
    ['#', (item) => item.rank],
    ['Machine', machineCell],
    ['Accelerator', (item) => accelerator(item)],
    ...(measuresOf(answer).time.format === hours ? JOB_COLUMNS : SERVING_COLUMNS),
    ['Throughput', (item) => ranged(item.estimate.throughput, plain, item.estimate.throughput.unit)],
    ['Why', whyCell],
  ]
  return html('table', { role: 'table', 'aria-label': 'Recommendations' },
    html('thead', { role: 'rowgroup' }, html('tr', { role: 'row' },
      columns.map(([title]) => html('th', { role: 'columnheader', scope: 'col' }, title)))),
    html('tbody', { role: 'rowgroup' }, answer.recommendations.map((item) => html('tr', { role: 'row' },
      columns.map(([title, cell]) => html('td', { role: 'cell', 'data-title': title }, cell(item)))))))
}

/** What was assumed, what was refused, and which limit to loosen. */
export function notes(answer) {
  const rejected = Object.entries(answer.rejected).filter(([, count]) => count > 0)
  return [
    listed('Loosen a limit', answer.relax ?? [], (way) => html('li', {}, relaxed(way)), true),
    listed('Assumed, as you did not say', answer.assumptions, ({ field, value, why }) =>
      html('li', {}, html('code', {}, field), ` = ${written(value)}: ${why}`), true),
    listed('Machines left out', rejected, ([name, count]) => html('li', {}, `${plain(count)} for ${name.replaceAll('_', ' ')}`), false),
  ]
}

/** Where the numbers come from, and the same answer for scripts. */
export function links(query) {
  const formats = ['json', 'table', 'csv', 'skypilot', 'kubernetes', 'tfvars']
  return ['The same answer as ', ...formats.flatMap((format, index) => [
    index ? ', ' : null, html('a', { href: `/v1/recommendations?${query}&format=${format}` }, format)])]
}

export function show(answer, query) {
  byId('headline').textContent = headline(answer)
  byId('peek').textContent = headline(answer)
  byId('facts').textContent = `Prices of ${answer.catalog.prices_as_of}, catalog ${answer.catalog.version}`
  byId('table').replaceChildren(...(answer.recommendations.length ? [table(answer)] : []))
  byId('notes').replaceChildren(...notes(answer).filter(Boolean))
  byId('links').replaceChildren(...links(query).filter(Boolean))
}

function machineCell(item) {
  return [html('strong', {}, machine(item)), html('small', {}, `${item.cloud}, ${item.region}, ${item.purchase.replace('_', ' ')}`),
    html('small', {}, `${usd(item.price.usd_per_hour)} an hour each${item.price.confidence === 'list' ? '' : `, ${item.price.confidence} price`}`)]
}

function whyCell(item) {
  const warnings = item.warnings.map((note) => html('li', { class: 'warning' }, note.text))
  return [
    html('span', { class: `basis ${item.estimate.basis}` }, item.estimate.basis),
    warnings.length ? html('ul', { class: 'warnings' }, warnings) : null,
    html('details', {}, html('summary', {}, `Reasons (${item.reasons.length})`),
      html('ul', {}, item.reasons.map((note) => html('li', {}, note.text, ' ', html('cite', {}, note.source)))),
      html('p', {}, `Limited by ${item.estimate.bottleneck.replaceAll('_', ' ')}. `, needs(item.sizing))),
  ]
}

function needs(sizing) {
  const { vcpus, memory_gib: memory, accelerator_memory_gib: device, disk } = sizing
  const parts = [`${plain(vcpus.required)} of ${plain(vcpus.provided)} vCPUs`, `${plain(memory.required)} of ${plain(memory.provided)} GiB memory`]
  if (device) parts.push(`${plain(device.required)} of ${plain(device.provided)} GiB a device`)
  if (disk) parts.push(`disk ${disk.product ?? disk.type} of ${plain(disk.size_gib)} GiB`)
  return `Needs ${parts.join(', ')}.`
}

function ranged(range, format, unit = '') {
  if (!range) return '–'
  return [html('span', {}, `${format(range.value)} ${unit}`.trim()), html('small', { class: 'range' }, spread(range, format))]
}

function relaxed({ constraint, to, cost_usd: cost }) {
  return `${constraint.replaceAll('_', ' ')} to ${written(to)}${cost ? `: the best then costs ${usd(cost)}` : ''}`
}

function written(value) {
  if (typeof value === 'number') return plain(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function listed(title, items, line, open) {
  return items.length ? html('details', { open }, html('summary', {}, `${title} (${items.length})`), html('ul', {}, items.map(line))) : null
}
