import { namesOf } from '../chart/marks.ts'
import { afterPaint, type Child, html } from '../dom.ts'
import { machineLink } from '../hardware/links.ts'
import { compared, headOf, type Order } from '../hardware/tables.ts'
import { t, word } from '../texts/index.ts'
import type { Answer, Recommendation } from '../types.ts'
import { machine, usd } from '../units.ts'
import { atCloud, doubtOf, rateOf, regionName } from './card.ts'
import { OWN } from './clouds.ts'
import { diskRate, figuresOf, nameParts } from './figures.ts'
import { sharedWarnings } from './notes.ts'
import { termsOf } from './terms.ts'

const AT_ONCE = 5 // rows that are drawn with the chart; more of them would keep it waiting
const NOTABLE = 0.1 // of a rate: less makes no difference to a choice

interface Column {
  title: string
  kind: 'rank' | 'name' | 'figure'
  cell: (item: Recommendation) => Child
  order?: Order<Recommendation>
}

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
  const names = namesOf(answer.recommendations)
  const openers = answer.recommendations.map((item, place) => opener(item, names[place] ?? '', columns.length + 1))
  const shared = sharedWarnings(answer.recommendations).length
  const titles = [...columns.map(({ title, kind, order }) => [title, kind, order] as const), [t.answer.why, 'reason'] as const]
  const lines: { item: Recommendation; rows: HTMLElement[] }[] = []
  const body = html('tbody', { role: 'rowgroup' })
  const add = (some: readonly Opener[]): void => {
    lines.push(...some.map((opened) => ({ item: opened.item, rows: [row(opened, columns, shared), opened.row] })))
    body.replaceChildren(...lines.flatMap(({ rows }) => rows))
  }
  add(openers.slice(0, AT_ONCE))
  if (openers.length > AT_ONCE) afterPaint(() => { add(openers.slice(AT_ONCE)) })
  const head = headOf(titles, (order, down) => {
    lines.sort((one, other) => compared(order(one.item), order(other.item), down))
    body.replaceChildren(...lines.flatMap(({ rows }) => rows))
  })
  return { element: html('table', { role: 'table', 'aria-label': t.answer.recommendations }, head, body), openers }
}

function columnsOf(answer: Answer): Column[] {
  return [
    { title: '#', kind: 'rank', cell: (item) => item.rank, order: (item) => item.rank },
    { title: t.answer.machine, kind: 'name', cell: machineCell, order: atCloud },
    { title: t.answer.usd_an_hour, kind: 'figure', cell: rateCell, order: rateOf },
    ...figuresOf(answer).filter(([title]) => title !== t.answer.usd_an_hour)
      .map(([title, cell, order]): Column => ({ title, kind: 'figure', cell, order })),
  ]
}

function row({ item, button }: Opener, columns: readonly Column[], shared: number): HTMLElement {
  const cells = columns.map(({ title, kind, cell }) =>
    html('td', { role: 'cell', class: kind, 'data-title': title }, cell(item)))
  const count = item.warnings.length - shared
  const why = html('td', { role: 'cell', class: 'reason', 'data-title': t.answer.why }, html('div', { class: 'grounds' },
    html('span', { class: `basis ${item.estimate.basis}` }, word(item.estimate.basis)),
    button,
    count ? html('span', { class: 'warning', title: t.answer.warnings(count) },
      html('span', { class: 'count', 'aria-hidden': 'true' }, count),
      html('span', { class: 'words' }, t.answer.warnings(count))) : null))
  return html('tr', { role: 'row', 'data-rank': item.rank }, cells, why)
}

function opener(item: Recommendation, name: string, span: number): Opener {
  const id = `why-${item.rank}`
  const cell = html('td', { role: 'cell', colspan: span, class: 'opened' })
  return {
    item,
    cell,
    row: html('tr', { role: 'row', id, hidden: true }, cell),
    button: html('button', {
      type: 'button', class: 'open', 'aria-expanded': 'false', 'aria-controls': id, 'aria-label': t.answer.open(name),
    }, t.answer.why),
  }
}

function machineCell(item: Recommendation): Child {
  const name = nameParts(atCloud(item))
  if (item.label !== null) return html('strong', { class: 'machine' }, name)
  const terms = termsOf(item)
  return [
    html('strong', {}, name),
    html('small', {}, html('code', { class: 'sku machine' }, machineLink(item, machine(item))), terms && ` · ${terms}`),
  ]
}

/** What all machines cost an hour, with the region below. */
function rateCell(item: Recommendation): Child {
  const { cloud, region } = item
  const rate = usd(rateOf(item))
  const doubt = doubtOf(item)
  const place = cloud === OWN ? '' : regionName(region)
  const disk = item.estimate.usd_per_hour ? 0 : diskRate(item) // which the rate of a service holds
  return [
    html('span', { title: doubt || null }, doubt ? ['≈\u00a0', html('span', { class: 'unseen' }, `${doubt}: `)] : null, rate),
    place ? html('small', {}, place) : null,
    disk && disk >= NOTABLE * (rateOf(item) + disk) ? html('small', {}, t.answer.disk_too(usd(disk))) : null,
  ]
}
