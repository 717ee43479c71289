import { type Child, html } from '../dom.ts'

/** A column: its title, its class, and what stands in it. */
export type Column<Row> = readonly [title: string, kind: string, cell: (row: Row) => Child]

/** A table whose roles are spelt out, since narrow screens lay its rows out as cards. */
export function tableOf<Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]): HTMLTableElement {
  const head = columns.map(([name, kind]) => html('th', { role: 'columnheader', scope: 'col', class: kind }, name))
  const lines = rows.map((row) => html('tr', { role: 'row' }, columns.map(([name, kind, cell]) =>
    {
      const content = cell(row)
      return html('td', { role: 'cell', class: content === '–' ? `${kind} nothing` : kind, 'data-title': name }, content)
    })))
  return html('table', { role: 'table', 'aria-label': title },
    html('thead', { role: 'rowgroup' }, html('tr', { role: 'row' }, head)),
    html('tbody', { role: 'rowgroup' }, lines))
}
