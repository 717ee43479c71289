import { type Bar, type Bars, drawBars, namesOfBars, type Part, sumOf } from '../chart/bars.ts'
import { draw, type Told } from '../chart/chart.ts'
import { type Kind, type KindId, kindsOf } from '../chart/kinds.ts'
import { isService, type Measure, type Measures, type Point, type Points } from '../chart/points.ts'
import { button, byId, type Child, html } from '../dom.ts'
import { type Column, tableOf } from '../hardware/tables.ts'
import { sentence, t } from '../texts/index.ts'
import type { Answer, Range } from '../types.ts'
import { machine, spread } from '../units.ts'
import { atCloud } from './card.ts'

/** The chart that the address names, and its telling. */
export interface Kept {
  chart: () => string
  keepChart: (id: string) => void
}

/** The charts of an answer, one of which is shown: its title, its picture, what it says, and the same as a table. */
export class Charts {
  private width = 0
  private putOthers: ((others: readonly Point[]) => void) | null = null
  private kinds: Kind[] = []

  constructor(private readonly answer: Answer, private readonly kept: Kept, private readonly told: Told) {}

  /** Draws the chart that the address names, else the first, in that width, else in the room that there is. */
  draw(points: Points, measures: Measures, width = 0): void {
    const empty = points.frontier.length + points.recommendations.length === 0
    byId('chart').hidden = empty
    if (empty) return
    this.kinds = kindsOf(this.answer, points, measures)
    this.width = width || byId('plot').clientWidth
    this.fillSwitch()
    this.show()
  }

  /** Puts other machines behind the points, or their bars below the others. */
  put(points: Points, measures: Measures): void {
    if (this.current()?.id === 'points') {
      this.kinds = kindsOf(this.answer, points, measures)
      this.fillSwitch()
      this.putOthers?.(points.others)
    } else this.draw(points, measures, this.width)
  }

  /** Whether the room for the chart is another than it was drawn for. */
  isOutgrown(): boolean {
    return byId('plot').clientWidth !== this.width
  }

  private current(): Kind | undefined {
    return this.kinds.find(({ id }) => id === this.kept.chart()) ?? this.kinds[0]
  }

  /** A button for each chart; where they are the same as before they stay, and the focus with them. */
  private fillSwitch(): void {
    const box = byId('kinds')
    const wanted = this.kinds.map(({ id }) => button(this.wordsOf(id).name, () => undefined, { 'data-chart': id }))
    const same = wanted.map((one) => one.textContent).join() === [...box.children].map((one) => one.textContent).join()
    if (!same) box.replaceChildren(...wanted)
    box.onclick = ({ target }) => {
      const id = target instanceof HTMLElement ? target.dataset.chart : undefined
      if (!id) return
      this.kept.keepChart(id)
      this.show()
    }
  }

  private wordsOf(id: KindId): Record<'name' | 'title' | 'caption', string> {
    return t.charts[id === 'points' && isService(this.answer) ? 'points_service' : id]
  }

  private show(): void {
    const kind = this.current()
    if (!kind) return
    const box = byId('kinds')
    for (const one of box.querySelectorAll('button')) {
      const chosen = one.dataset.chart === kind.id
      one.setAttribute('aria-pressed', String(chosen))
      if (chosen) box.scrollLeft = one.offsetLeft - (box.clientWidth - one.offsetWidth) / 2
    }
    const { title, caption } = this.wordsOf(kind.id)
    byId('chart-title').textContent = title
    byId('chart-caption').textContent = 'bars' in kind ? caption : caption + t.gap + this.othersLine()
    this.putOthers = null
    if ('bars' in kind) drawBars(byId('plot'), this.width, kind.bars, this.told.chosen)
    else this.putOthers = draw(byId('plot'), this.width, kind.points, kind.measures, this.told)
    this.fillTable(kind, title)
  }

  private othersLine(): string {
    return this.answer.recommendations.length ? t.chart.others : t.chart.none_fits
  }

  /** The same as a table, made when it is unfolded. */
  private fillTable(kind: Kind, title: string): void {
    const fold = byId('chart-table')
    const fill = (): void => {
      const table = 'bars' in kind ? tableOfBars(kind.bars, title) : tableOfPoints(kind.points, kind.measures, title)
      fold.lastElementChild?.replaceChildren(...(fold.hasAttribute('open') ? [table] : []))
    }
    fold.ontoggle = fill
    fill()
  }
}

function tableOfPoints({ all }: Points, { cost, time }: Measures, title: string): HTMLElement {
  const cell = (range: Range, { format }: Measure): Child =>
    [html('span', {}, format(range.value)), html('small', { class: 'range' }, spread(range, format))]
  return tableOf<Point>(title, [
    [t.answer.machine, 'name', ({ item }) => [html('strong', {}, atCloud(item)), html('small', {}, machine(item))], ({ item }) => atCloud(item)],
    [sentence(cost.label), 'figure', ({ y }) => cell(y, cost), ({ y }) => y.value],
    [sentence(time.label), 'figure', ({ x }) => cell(x, time), ({ x }) => x.value],
  ], all)
}

function tableOfBars({ bars, label, measure }: Bars, title: string): HTMLElement {
  const names = namesOfBars(bars)
  const parts = [...new Set(bars.flatMap((bar) => bar.parts.map(({ name }) => name)))]
  const partOf = (bar: Bar, wanted: string): Part | undefined => bar.parts.find(({ name }) => name === wanted)
  return tableOf<Bar>(title, [
    [t.answer.machine, 'name', (bar) => [html('strong', {}, names[bars.indexOf(bar)]), html('small', {}, machine(bar.item))], ({ item }) => atCloud(item)],
    [sentence(label), 'figure', ({ said, range }) =>
      [html('span', {}, said), html('small', { class: 'range' }, range && spread({ ...range, value: range.low }, measure.format))], sumOf],
    ...(parts.length > 1 ? parts.map((name): Column<Bar> =>
      [sentence(name), 'figure', (bar) => partOf(bar, name)?.said ?? '–', (bar) => partOf(bar, name)?.value ?? null]) : []),
  ], bars)
}
