import { isService, latencyOf } from '../chart/points.ts'
import { afterPaint, type Child, html } from '../dom.ts'
import { t, word } from '../texts/index.ts'
import type { Answer, Range, Recommendation } from '../types.ts'
import { accelerator, hours, machine, milliseconds, plain, spread, usd } from '../units.ts'

const AT_ONCE = 10 // rows that are drawn with the chart; more of them would keep it waiting

type Column = [title: string, cell: (item: Recommendation) => Child]

/** What opens a recommendation: its row's button and the row below that is then shown. */
export interface Opener {
  item: Recommendation
  button: HTMLButtonElement
  row: HTMLTableRowElement
  cell: HTMLTableCellElement
}

/** The recommendations as a table; roles are spelt out because narrow screens lay it out as cards. */
export function table(answer: Answer): { element: HTMLTableElement; openers: Opener[] } {
  const columns = columnsOf(answer)
  const openers = answer.recommendations.map((item) => opener(item, columns.length + 1))
  const head = [...columns.map(([title]) => title), t.answer.why].map((title) =>
    html('th', { role: 'columnheader', scope: 'col' }, title),
  )
  const rows = (some: readonly Opener[]) => some.flatMap((opened) => [row(opened, columns), opened.row])
  const body = html('tbody', { role: 'rowgroup' }, rows(openers.slice(0, AT_ONCE)))
  afterPaint(() => {
    body.append(...rows(openers.slice(AT_ONCE)))
  })
  const element = html('table', { role: 'table', 'aria-label': t.answer.recommendations },
    html('thead', { role: 'rowgroup' }, html('tr', { role: 'row' }, head)), body)
  return { element, openers }
}

/** A range in a cell: its value, and its ends below. */
export function ranged(range: Range | null, format: (value: number, like?: number) => string, unit = ''): Child {
  if (!range) return '–'
  return [html('span', {}, `${format(range.value)} ${unit}`.trim()), html('small', { class: 'range' }, spread(range, format))]
}

function columnsOf(answer: Answer): Column[] {
  const job: Column[] = [
    [t.answer.time, (item) => ranged(item.estimate.time_hours, hours)],
    [t.answer.cost, (item) => ranged(item.estimate.cost_usd, usd)],
  ]
  const service: Column[] = [
    [t.answer.latency, (item) => ranged(latencyOf(item.estimate), milliseconds)],
    [t.answer.usd_an_hour, (item) => ranged(item.estimate.usd_per_hour, usd)],
    [t.answer.usd_a_million, (item) => ranged(item.estimate.usd_per_million, usd)],
  ]
  return [
    ['#', (item) => item.rank],
    [t.answer.machine, machineCell],
    [t.answer.accelerator, accelerator],
    ...(isService(answer) ? service : job),
    [t.answer.throughput, ({ estimate }) => ranged(estimate.throughput, plain, estimate.throughput.unit)],
  ]
}

function row({ item, button }: Opener, columns: readonly Column[]): HTMLElement {
  const cells = columns.map(([title, cell]) => html('td', { role: 'cell', 'data-title': title }, cell(item)))
  const count = item.warnings.length
  const why = html('td', { role: 'cell', 'data-title': t.answer.why },
    html('span', { class: `basis ${item.estimate.basis}` }, word(item.estimate.basis)),
    count ? html('span', { class: 'warning' }, t.answer.warnings(count)) : null,
    button)
  return html('tr', { role: 'row', 'data-rank': item.rank }, cells, why)
}

function opener(item: Recommendation, span: number): Opener {
  const id = `why-${item.rank}`
  const cell = html('td', { role: 'cell', colspan: span, class: 'opened' })
  return {
    item,
    cell,
    row: html('tr', { role: 'row', id, hidden: true }, cell),
    button: html('button', {
      type: 'button', class: 'open', 'aria-expanded': 'false', 'aria-controls': id, 'aria-label': t.answer.open(machine(item)),
    }, t.answer.why),
  }
}

function machineCell(item: Recommendation): Child {
  const { price } = item
  const quality = price.confidence === 'list' ? '' : `, ${t.answer.quality(word(price.confidence))}`
  return [
    html('strong', {}, machine(item)),
    html('small', {}, `${item.cloud}, ${item.region}, ${word(item.purchase)}`),
    html('small', {}, t.answer.each_an_hour(usd(price.usd_per_hour)) + quality),
  ]
}
