import { addressOf, ownIn, questionIn } from '../address.ts'
import { added, type Comparand, read, written } from '../comparands.ts'
import { button, html, saveAs } from '../dom.ts'
import { linesOf } from '../problem.ts'
import { joined, t, word } from '../texts/index.ts'
import { HOURS_A_MONTH, plain, usd } from '../units.ts'
import { csvOf } from './csv.ts'
import { Chart, type Charted } from './chart.ts'
import { type Filter, passing, selection, told } from './filters.ts'
import { folded } from './fold.ts'
import { compareLink } from './links.ts'
import { type Column, IN_ADDRESS, put, sortable } from './tables.ts'

const ONLY = 'only' // in the address: whether the picked rows alone are shown
const MONTHS_A_YEAR = 12
const HOURS = { hour: 1, month: HOURS_A_MONTH, year: MONTHS_A_YEAR * HOURS_A_MONTH }
type Per = keyof typeof HOURS
const PURCHASES = ['on_demand', 'spot']

interface Priced {
  lowest_usd_per_hour: Record<string, number>
}

/** The lowest price per hour under a purchase option. */
export const lowestPrice = ({ lowest_usd_per_hour: prices }: Priced, purchase: string): number | null =>
  prices[purchase] ?? null

/** Hardware in a list: its rows, what narrows them, the columns that show them, and how one is compared. */
export interface List<Row extends Priced> {
  title: string
  /** Its name as a file and as a class of its table. */
  name: string
  rows: readonly Row[]
  filters: readonly Filter<Row>[]
  /** The columns but for the last; the first names the row. */
  columns: readonly [Column<Row>, ...Column<Row>[]]
  /** What the last column may show instead of the first of these. */
  last: readonly Column<Row>[]
  comparand: (row: Row) => Comparand
  charted: Charted<Row>
  count: (shown: string, total: string) => string
  /** Rows at first, and with each step. */
  seen: number
  /** A choice of a region, and the rows with the prices there. */
  place?: { control: HTMLSelectElement; rows: (region: string) => Promise<readonly Row[]> }
}

/** The list with its controls, the cheapest rows on top. */
export function listed<Row extends Priced>(list: List<Row>): HTMLElement[] {
  return new Listing(list).elements
}

class Listing<Row extends Priced> {
  readonly elements: HTMLElement[]
  private readonly status = html('p', { class: 'facts', role: 'status' })
  private readonly box = html('div')
  private readonly more: HTMLButtonElement
  private readonly picks = html('div', { class: 'picks', role: 'group', 'aria-label': t.compare.chosen })
  private readonly per: HTMLSelectElement
  private readonly last: HTMLSelectElement
  private readonly chart: Chart<Row>
  private picked: Comparand[] = read(ownIn(location.search, 'compare') ?? '')
  private only = told(ONLY) !== ''
  private rows: readonly Row[]
  private found: Row[] = []
  private most: number
  private narrow: (most: number, keep: (row: Row) => boolean) => Row[] = () => []

  constructor(private readonly list: List<Row>) {
    this.rows = byPrice(list.rows)
    this.most = list.seen
    this.more = button('', () => { this.fill(this.most + list.seen) }, { class: 'more' })
    this.per = selection('per', Object.keys(HOURS).map((name) => [name, t.hardware.per[name as Per]]))
    this.last = selection('column', list.last.map(([title, , , , key = '']) => [key, title]))
    const view = html('div', { class: 'view' }, this.status,
      html('label', {}, t.terms.label, this.per), html('label', {}, t.hardware.last, this.last),
      button('CSV', () => { saveAs(new Blob([csvOf(this.found)], { type: 'text/csv' }), `plimsoll-${list.name}.csv`) }))
    this.chart = new Chart(list.name, this.numbers(), list.charted)
    this.elements = [this.controls(), this.chart.element, view, this.box, this.more, this.picks]
    this.listen()
    this.build()
    this.tell()
    if (list.place?.control.value) void this.move()
  }

  private controls(): HTMLElement {
    const { filters, place } = this.list
    const fields = filters.map(({ label, control }) => html('label', { class: 'field' }, label, control))
    if (place) fields.splice(2, 0, html('label', { class: 'field' }, t.hardware.region, place.control)) // after the cloud
    return folded(t.hardware.filters, html('div', { class: 'row filters' }, fields))
  }

  private listen(): void {
    const { filters, place, seen, last: [usual] } = this.list
    for (const { name, control } of filters) {
      control.addEventListener('input', () => {
        this.fill(seen)
        put({ [name]: control.value.trim() })
      })
    }
    place?.control.addEventListener('input', () => {
      put({ region: place.control.value })
      void this.move()
    })
    this.per.addEventListener('input', () => {
      put({ per: this.per.value === 'hour' ? '' : this.per.value })
      this.build()
    })
    this.last.addEventListener('input', () => {
      put({ column: this.last.value === usual?.[4] ? '' : this.last.value })
      this.build()
    })
  }

  /** Takes the prices of the region that is chosen, or the lowest of all. */
  private async move(): Promise<void> {
    const { rows, place } = this.list
    const region = place?.control.value ?? ''
    try {
      const found = region && place ? await place.rows(region) : rows
      if (region !== place?.control.value) return // another was chosen meanwhile
      this.rows = byPrice(found)
      this.build()
    } catch (error) {
      this.status.textContent = linesOf(error).join(' ')
    }
  }

  /** Makes the table anew, in the order that the address has. */
  private build(): void {
    const { title, name, columns: [first, ...others], last } = this.list
    const shown = last.find(([, , , , key]) => key === this.last.value) ?? last[0]
    const [heading, kind, cell, order, key] = first
    const named: Column<Row> = [heading, kind, (row) => [this.boxOf(row), cell(row)], order, key]
    const columns = [named, ...PURCHASES.map((purchase) => this.price(purchase)), ...others, ...(shown ? [shown] : [])]
    const { table, show } = sortable(title, columns, this.rows, 0, IN_ADDRESS)
    table.classList.add(name)
    table.classList.toggle('own-last', shown !== last[0])
    this.narrow = show
    this.fill(this.list.seen)
    this.box.replaceChildren(table)
  }

  private fill(most: number): void {
    this.most = most
    const { filters, seen, count } = this.list
    const tests = filters.map(passing)
    const fits = (row: Row): boolean => tests.every((passes) => passes?.(row) ?? true)
    this.found = this.narrow(most, (row) => (this.only && this.picked.length ? this.isPicked(row) : fits(row)))
    const shown = this.found.length
    this.status.textContent = tests.includes(null) ? t.form.no_number : count(plain(shown), plain(this.rows.length))
    this.more.textContent = t.hardware.more(plain(Math.min(seen, shown - most)))
    this.more.hidden = shown <= most
    this.draw()
  }

  /** Puts on the chart what the table has. */
  private draw(): void {
    this.chart.show(this.found, this.numbers(), (row) => this.isPicked(row))
  }

  /** The columns that the chart can have, where the title of a price stands alone. */
  private numbers(): Column<Row>[] {
    const { columns, last } = this.list
    const prices = PURCHASES.map((purchase): Column<Row> => {
      const [, ...rest] = this.price(purchase)
      return [joined([`$ ${t.hardware.per[this.per.value as Per]}`, word(purchase)]), ...rest]
    })
    return [...prices, ...columns, ...last]
  }

  private price(purchase: string): Column<Row> {
    const per = this.per.value as Per
    const title = t.hardware.from(word(purchase)) + (per === 'hour' ? '' : t.comma + t.hardware.per[per])
    const price = (row: Row): number | null => scaled(lowestPrice(row, purchase), HOURS[per])
    return [title, 'figure', (row) => usd(price(row)), price, purchase, '$']
  }

  /** What picks a row to be compared. */
  private boxOf(row: Row): HTMLElement {
    const [, , , name] = this.list.columns[0]
    const label = t.hardware.pick(String(name?.(row) ?? ''))
    const box = html('input', { type: 'checkbox', class: 'pick', checked: this.isPicked(row), 'aria-label': label })
    box.addEventListener('change', () => {
      const one = this.list.comparand(row)
      this.take(box.checked ? added(this.picked, one) : this.picked.filter((other) => nameOf(other) !== nameOf(one)))
      box.checked = this.isPicked(row) // not beyond the most that are compared
    })
    return box
  }

  private isPicked(row: Row): boolean {
    const name = nameOf(this.list.comparand(row))
    return this.picked.some((one) => nameOf(one) === name)
  }

  private take(picked: Comparand[]): void {
    this.picked = picked
    this.only &&= picked.length > 0
    const compare = written(picked) || null
    history.replaceState(null, '', addressOf(questionIn(location.search), location.search, { compare }))
    put({ [ONLY]: this.only ? '1' : '' })
    if (this.only) this.fill(this.most)
    else this.draw()
    this.tell()
  }

  /** What there is to do with the picked rows. */
  private tell(): void {
    this.picks.hidden = !this.picked.length
    const only = button(t.hardware.only, () => {
      this.only = !this.only
      only.setAttribute('aria-pressed', String(this.only))
      put({ [ONLY]: this.only ? '1' : '' })
      this.fill(this.list.seen)
    }, { 'aria-pressed': String(this.only) })
    this.picks.replaceChildren(html('span', {}, t.hardware.picked(plain(this.picked.length))), only,
      compareLink(this.picked),
      button(t.hardware.clear, () => {
        this.take([])
        this.build()
        this.box.querySelector('input')?.focus()
      }))
  }
}

/** What tells a machine or a device from the others of its list. */
const nameOf = (one: Comparand): string => ('accelerator' in one ? one.accelerator : `${one.cloud}/${one.instance_type}`)

const byPrice = <Row extends Priced>(rows: readonly Row[]): Row[] =>
  [...rows].sort((one, other) => (lowestPrice(one, 'on_demand') ?? Infinity) - (lowestPrice(other, 'on_demand') ?? Infinity))

const scaled = (value: number | null, factor: number): number | null => (value === null ? null : value * factor)
