import { addressOf, ownIn, questionIn } from '../address.ts'
import { button, type Child, html } from '../dom.ts'

/** What rows are sorted by; null, which stands last whichever way they are sorted, where a row has none. */
export type Order<Row> = (row: Row) => number | string | null

/**
 * A column: its title, its class, what stands in it, what its title sorts the rows by, its name in the address, and the
 * unit of its numbers, where `$` is a price.
 */
export type Column<Row> = readonly [
  title: string, kind: string, cell: (row: Row) => Child, order?: Order<Row> | undefined, key?: string | undefined,
  unit?: string,
]

/** Where the order of a table is kept: a column's name, after a minus where it goes downwards. */
export interface KeptOrder {
  read: () => string
  write: (order: string) => void
}

/** The order of the only table of a page, which its address has. */
export const IN_ADDRESS: KeptOrder = {
  read: () => ownIn(location.search, 'sort') ?? '',
  write: (sort) => { history.replaceState(null, '', addressOf(questionIn(location.search), location.search, { sort })) },
}

/** Puts entries into the address; those without a value leave it. */
export function put(entries: Record<string, string>): void {
  const question = questionIn(location.search)
  for (const [name, value] of Object.entries(entries)) {
    if (value) question.set(name, value)
    else question.delete(name)
  }
  history.replaceState(null, '', addressOf(question, location.search))
}

const NOTHING = '–'
const DOWN = '-' // before a column's name in the address

/** A table whose roles are spelt out, since narrow screens lay its rows out as cards. */
export function tableOf<Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]): HTMLTableElement {
  return sortable(title, columns, rows, rows.length).table
}

/** Whether a row is in sight, by what it stands for or by what it says. */
export type Keep<Row> = (row: Row, line: () => HTMLElement) => boolean

/**
 * A table that the titles of its columns sort. The first rows are in sight, until `show` says how many of which are;
 * it returns all of those. A line is made when it is first looked at.
 */
export function sortable<Row>(
  title: string, columns: readonly Column<Row>[], rows: readonly Row[], first: number, keptOrder?: KeptOrder,
): { table: HTMLTableElement; show: (most: number, keep: Keep<Row>) => Row[] } {
  const lines = rows.map((row) => {
    let made: HTMLElement | undefined
    return { row, line: () => (made ??= lineOf(columns, row)) }
  })
  const body = html('tbody', { role: 'rowgroup' })
  let most = first
  let kept: Keep<Row> = () => true
  const show = (): Row[] => {
    const found = lines.filter(({ row, line }) => kept(row, line))
    body.replaceChildren(...found.slice(0, most).map(({ line }) => line()))
    return found.map(({ row }) => row)
  }
  const head = headOf<Row>(columns.map(([name, kind, , order, key]) => [name, kind, order, key]), (order, down) => {
    lines.sort((one, other) => compared(order(one.row), order(other.row), down))
    show()
  }, keptOrder)
  show()
  const table = html('table', { role: 'table', 'aria-label': title }, head, body)
  return {
    table,
    show: (first, keep) => {
      most = first
      kept = keep
      return show()
    },
  }
}

/** The titles of columns, each of which sorts by its order where it has one: upwards, and downwards again. */
export function headOf<Row>(
  columns: readonly (readonly [name: string, kind: string, order?: Order<Row> | undefined, key?: string | undefined])[],
  sort: (order: Order<Row>, down: boolean) => void,
  kept?: KeptOrder,
): HTMLElement {
  const heads = columns.map(([name, kind, order, key]) => {
    const head = html('th', { role: 'columnheader', scope: 'col', class: kind }, order ? null : name)
    const take = (down: boolean): void => {
      for (const other of heads) other.head.removeAttribute('aria-sort')
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending')
      if (order) sort(order, down)
    }
    const pressed = (): void => {
      const down = head.getAttribute('aria-sort') === 'ascending'
      take(down)
      if (key) kept?.write(down ? DOWN + key : key)
    }
    if (order) head.append(button(name, pressed, { class: 'sort' }))
    return { head, take, key }
  })
  const asked = kept?.read() ?? ''
  heads.find(({ key }) => key && key === asked.replace(DOWN, ''))?.take(asked.startsWith(DOWN))
  return html('thead', { role: 'rowgroup' }, html('tr', { role: 'row' }, heads.map(({ head }) => head)))
}

function lineOf<Row>(columns: readonly Column<Row>[], row: Row): HTMLElement {
  return html('tr', { role: 'row' }, columns.map(([name, kind, cell]) => {
    const content = cell(row)
    const classes = content === NOTHING ? `${kind} nothing` : kind
    return html('td', { role: 'cell', class: classes, 'data-title': name }, content)
  }))
}

export function compared(one: string | number | null, other: string | number | null, down: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  const order = typeof one === 'string' ? one.localeCompare(String(other)) : one - Number(other)
  return down ? -order : order
}
