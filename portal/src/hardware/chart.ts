import type { Place } from '../chart/badges.ts'
import { dotShapes } from '../chart/dots.ts'
import { fileButtons } from '../chart/export.ts'
import { gridOf, type Side, thinned, type Tick } from '../chart/grid.ts'
import { legend } from '../chart/legend.ts'
import { axis as fromZero } from '../chart/linear.ts'
import { labelOf, namesBeside } from '../chart/names.ts'
import { type Mark, navigate } from '../chart/navigate.ts'
import { axis } from '../chart/scale.ts'
import { pathTo } from '../address.ts'
import { html, svg } from '../dom.ts'
import { joined, t } from '../texts/index.ts'
import { plain, short, usd } from '../units.ts'
import { selection, told } from './filters.ts'
import { type Column, put } from './tables.ts'

const HEIGHT = { share: 0.36, least: 320, most: 440 } // of the width; and in pixels
const LEAST_WIDTH = 260
const EDGE = { top: 30, right: 18, bottom: 44, left: 64 }
const TICK_WIDTH = 64 // what a tick's number takes
const MARGIN = 1.05 // beyond the largest value
const RADIUS = { few: 4.5, many: 3.5 }
const PICKED = 8 // the radius of the ring around a picked point
const FEW = 150 // points, up to which those have names that have room for one
const PRICE = '$'
const LINEAR = 'linear'
const SIDES = ['x', 'y'] as const
type Across = (typeof SIDES)[number]

/** How the rows of a list stand on its chart. */
export interface Charted<Row> {
  /** The columns across and up at first. */
  axes: Record<Across, string>
  name: (row: Row) => string
  /** What a row has its colour of: its name, and the class of each. */
  group: (row: Row) => string
  tints: ReadonlyMap<string, string>
  groupName: (group: string) => string
  groups: string
  /** The page that a point leads to. */
  page: (row: Row) => string[]
}

/** A row with its figures and its place. */
interface Point<Row> {
  row: Row
  at: Place
  tint: string
}

/** A chart of the rows of a list: any of its numbers against any other. */
export class Chart<Row> {
  readonly element: HTMLElement
  private readonly title = html('h2')
  private readonly plot = html('div', { class: 'plot' })
  private readonly status = html('span')
  private readonly chosen: Record<Across, HTMLSelectElement>
  private readonly logarithmic: Record<Across, HTMLInputElement>
  private columns: readonly Column<Row>[]
  private rows: readonly Row[] = []
  private isPicked: (row: Row) => boolean = () => false
  private width = 0

  constructor(private readonly name: string, columns: readonly Column<Row>[], private readonly about: Charted<Row>) {
    this.columns = columns.filter(isNumeric)
    const chooser = (across: Across): HTMLSelectElement => {
      const made = selection(across, this.columns.map(([title, , , , key = '']) => [key, title]))
      made.ariaLabel = t.free[across]
      if (!this.columns.some(([, , , , key]) => key === told(across))) made.value = about.axes[across]
      return made
    }
    const ticked = (across: Across): HTMLInputElement => html('input', {
      type: 'checkbox', checked: told(`${across}_scale`) !== LINEAR, 'aria-label': joined([t.free[across], t.free.log]),
    })
    this.chosen = { x: chooser('x'), y: chooser('y') }
    this.logarithmic = { x: ticked('x'), y: ticked('y') }
    const open = SIDES.some((across) => told(across)) // the table comes first, unless the address tells of axes
    this.element = html('figure', { class: 'free', 'aria-live': 'off' },
      html('details', { class: 'roomy', open }, html('summary', {}, this.title), this.controls(), this.plot,
        html('figcaption', {}, this.status, t.gap, html('span', { class: 'keys' }, t.free.keys))))
    this.listen()
  }

  /** Draws these rows, with a ring around those that are picked. */
  show(rows: readonly Row[], columns: readonly Column<Row>[], isPicked: (row: Row) => boolean): void {
    this.rows = rows
    this.columns = columns.filter(isNumeric)
    this.isPicked = isPicked
    this.draw()
  }

  private controls(): HTMLElement {
    const files = fileButtons(() => {
      const chart = this.plot.querySelector('svg')
      const entries = [...this.plot.querySelectorAll<HTMLElement>('.legend li')]
      return chart && { chart, lines: [this.title.textContent, this.status.textContent], legend: entries, name: `plimsoll-${this.name}` }
    })
    return html('div', { class: 'view' }, SIDES.toReversed().map((across) => html('div', { class: 'axis' },
      html('label', {}, t.free[across], this.chosen[across]),
      html('label', {}, this.logarithmic[across], html('span', { 'aria-hidden': 'true' }, t.free.log)))),
    html('div', { class: 'files' }, files))
  }

  private listen(): void {
    for (const across of SIDES) {
      const [chosen, logarithmic] = [this.chosen[across], this.logarithmic[across]]
      chosen.addEventListener('input', () => {
        put({ [across]: chosen.value === this.about.axes[across] ? '' : chosen.value })
        this.draw()
      })
      logarithmic.addEventListener('input', () => {
        put({ [`${across}_scale`]: logarithmic.checked ? '' : LINEAR })
        this.draw()
      })
    }
    new ResizeObserver(() => {
      if (this.plot.clientWidth !== this.width) this.draw()
    }).observe(this.plot)
  }

  private draw(): void {
    this.width = this.plot.clientWidth
    const [x, y] = [this.column('x'), this.column('y')]
    if (!x || !y) return
    const rows = this.rows.filter((row) => valueOf(x, row) > 0 && valueOf(y, row) > 0)
    this.title.textContent = t.free.title(y[0], inside(x[0]))
    this.status.textContent = t.free.count(plain(rows.length), plain(this.rows.length))
    if (!rows.length) this.plot.replaceChildren()
    else if (this.width) this.picture(rows, x, y)
  }

  private picture(rows: readonly Row[], x: Column<Row>, y: Column<Row>): void {
    const width = Math.max(this.width, LEAST_WIDTH)
    const height = Math.min(Math.max(HEIGHT.share * width, HEIGHT.least), HEIGHT.most)
    const [bottom, right] = [height - EDGE.bottom, width - EDGE.right]
    const side = (across: Across, column: Column<Row>, from: number, to: number): Side =>
      sideOf(column, rows.map((row) => valueOf(column, row)), this.logarithmic[across].checked, from, to)
    const wide = side('x', x, EDGE.left, right)
    const across = { ...wide, ticks: thinned(wide.ticks, right - EDGE.left, TICK_WIDTH) }
    const up = side('y', y, bottom, EDGE.top)
    const points = rows.map((row): Point<Row> => ({
      row, at: { x: across.at(valueOf(x, row)), y: up.at(valueOf(y, row)) }, tint: this.about.tints.get(this.about.group(row)) ?? '',
    }))
    const ground = { left: EDGE.left, right, top: EDGE.top, bottom, lines: [], dots: points.map(({ at }) => at) }
    const picked = points.filter(({ row }) => this.isPicked(row))
    const named = [...picked, ...(points.length > FEW ? [] : points.filter((point) => !picked.includes(point)))]
    const names = namesBeside(named.map(({ row, at }) => ({ at, words: this.about.name(row) })), ground).map((name) => labelOf(name, ''))
    const label = `${this.title.textContent}: ${this.status.textContent}`
    const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'group', 'aria-label': label },
      gridOf({ width, height, edge: EDGE }, across, up),
      dotShapes(points, points.length > FEW ? RADIUS.many : RADIUS.few), names.map(({ text }) => text),
      picked.map(({ at }) => svg('circle', { class: 'picked', cx: at.x, cy: at.y, r: PICKED })))
    const tip = html('div', { class: 'tip', 'aria-hidden': 'true', hidden: true })
    const shown = new Map([...this.about.tints].filter(([, tint]) => points.some((point) => point.tint === tint)))
    this.plot.replaceChildren(picture, tip, legend(shown, picture, this.about.groups, this.about.groupName))
    navigate(picture, tip, points.map((point) => this.mark(point, picture, x, y)),
      (row) => { location.href = pathTo(this.about.page(row), location.search) })
  }

  /** A point, whose element is made when the keyboard comes to it. */
  private mark({ row, at, tint }: Point<Row>, picture: SVGElement, x: Column<Row>, y: Column<Row>): Mark<Row> {
    const { name, group, groupName } = this.about
    const figures = (): string[] => [y, x].map((column) => `${column[0]}${t.colon}${said(column, row)}`)
    const words = (): string[] => [name(row), groupName(group(row)), ...figures()]
    let made: SVGElement | null = null
    const element = (): SVGElement => {
      if (made) return made
      made = svg('circle', { class: `point frontier ${tint}`, cx: at.x, cy: at.y, r: RADIUS.few, role: 'link', 'aria-label': words().join('; ') })
      picture.append(made)
      return made
    }
    return { element, at, words, item: row, rank: null }
  }

  private column(across: Across): Column<Row> | undefined {
    return this.columns.find(([, , , , key]) => key === this.chosen[across].value)
  }
}

/** A title within a sentence, where a name keeps its capitals. */
const inside = (title: string): string =>
  (/^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title)

const isNumeric = <Row>([, kind, , , key]: Column<Row>): boolean => kind === 'figure' && key !== undefined

/** A row's number in a column; zero, which is on no chart, where it has none. */
function valueOf<Row>([, , , order]: Column<Row>, row: Row): number {
  const value = order?.(row)
  return typeof value === 'number' ? value : 0
}

function said<Row>(column: Column<Row>, row: Row): string {
  const [, , , , , unit = ''] = column
  return unit === PRICE ? usd(valueOf(column, row)) : `${plain(valueOf(column, row))}\u00a0${unit}`.trim()
}

/** The axis of a column over these values, from one place of the picture to another. */
function sideOf<Row>(
  [title, , , , , unit = '']: Column<Row>, values: readonly number[], logarithmic: boolean, from: number, to: number,
): Side {
  const { at, ticks } = scaleOf(values, logarithmic)
  const words = (tick: number): string => (unit === PRICE ? usd(tick) : short(tick))
  return {
    at: (value) => from + at(value) * (to - from),
    ticks: ticks.map((tick): Tick => [tick, words(tick)]),
    label: unit && unit !== PRICE ? `${title}, ${unit}` : title,
  }
}

/** A linear axis begins at nothing; values too close to each other for a logarithmic one have an even one. */
function scaleOf(values: readonly number[], logarithmic: boolean): Pick<ReturnType<typeof axis>, 'at' | 'ticks'> {
  if (!logarithmic) return fromZero(MARGIN * values.reduce((one, other) => Math.max(one, other)))
  const found = axis(values, true)
  return found.ticks.length > 1 ? found : axis(values)
}
