import { ratioBars } from '../chart/ratios.ts'
import { comparison } from '../client.ts'
import { added, asked, type Comparand, FEWEST, MOST, ofCandidate } from '../comparands.ts'
import { button, type Child, html, refill } from '../dom.ts'
import { bodyOf } from '../request.ts'
import { linesOf } from '../problem.ts'
import { t, word } from '../texts/index.ts'
import type { Answer, Compared } from '../types.ts'
import { machine, milliseconds, times, usd } from '../units.ts'
import { isService, latencyOf } from '../chart/points.ts'
import { adder } from './adder.ts'
import { ranged, timed } from './figures.ts'
import { shortOf } from './whynot.ts'

type Keep = (comparands: readonly Comparand[]) => void

/** Machines beside each other for the workload: chosen by name, from the recommendations, or as bare hardware. */
export class Comparison {
  readonly element: HTMLElement
  private readonly chosen = html('ul', { class: 'chosen', 'aria-label': t.compare.chosen })
  private readonly said = html('div', { id: 'comparison', role: 'status' })
  private readonly all: HTMLButtonElement
  private asked = new AbortController()

  constructor(
    private readonly answer: Answer,
    private readonly query: URLSearchParams,
    private comparands: readonly Comparand[],
    private readonly keep: Keep,
  ) {
    const items = answer.recommendations.filter((item) => item.label === null)
    this.all = button(t.compare.recommended, () => {
      this.set(items.map(ofCandidate).reduce(added, [...this.comparands]))
    })
    this.element = html('section', { class: 'card compare' }, html('h2', {}, t.compare.title),
      html('p', { class: 'facts' }, t.compare.how), this.chosen,
      adder((one) => { this.add(one) }), items.length >= FEWEST ? this.all : null, this.said)
    this.show()
  }

  /** Puts a machine beside the others. */
  add(one: Comparand): void {
    this.set(added(this.comparands, one))
  }

  private set(comparands: readonly Comparand[]): void {
    this.comparands = comparands
    this.keep(comparands)
    this.show()
  }

  private show(): void {
    this.asked.abort()
    this.asked = new AbortController()
    this.all.disabled = this.comparands.length >= MOST
    refill(this.chosen, this.comparands.map((one, place) => this.chip(one, place)), this.element.querySelector('input'))
    this.chosen.hidden = !this.comparands.length
    if (this.comparands.length < FEWEST) this.said.replaceChildren()
    else void this.fill(this.asked.signal)
  }

  private chip(one: Comparand, place: number): HTMLElement {
    const name = nameOf(one)
    const others = this.comparands.filter((other) => other !== one)
    return html('li', {}, name,
      place ? button('↑', () => { this.set([one, ...others]) }, { 'aria-label': t.compare.first(name), title: t.compare.first(name) }) : null,
      button('×', () => { this.set(others) }, { 'aria-label': t.form.remove(name), title: t.form.remove(name) }))
  }

  private async fill(signal: AbortSignal): Promise<void> {
    const { workload = {}, constraints = {} } = bodyOf(this.query)
    const on = this.comparands.map((one) => asked(one, nameOf(one)))
    try {
      const compared = await comparison({ workload, constraints, on }, this.query.get('snapshot'), signal)
      this.said.replaceChildren(picture(compared, isService(this.answer)))
    } catch (error) {
      if (signal.aborted) return
      this.said.replaceChildren(...linesOf(error).map((line) => html('p', { class: 'fault', lang: 'en' }, line)))
    }
  }
}

/** The table whose cells are bars: ratios to the first machine that fits, and the figures behind them. */
function picture(compared: readonly Compared[], service: boolean): HTMLElement {
  const ratios = compared.flatMap((one) => [one.relative_performance, one.relative_cost, one.performance_per_cost])
  const bar = ratioBars(ratios.filter((ratio) => ratio !== null))
  const cell = (ratio: number | null, tint: string): Child =>
    ratio === null ? '–' : [html('span', {}, times(ratio)), bar(ratio, tint)]
  const columns: [string, (one: Compared) => Child][] = [
    [t.answer.machine, ({ label }) => html('strong', {}, label)],
    [t.compare.performance, (one) => cell(one.relative_performance, 'part-0')],
    [t.compare.cost, (one) => cell(one.relative_cost, 'part-4')],
    [t.compare.per_cost, (one) => cell(one.performance_per_cost, 'part-2')],
    service
      ? [t.answer.latency, ({ estimate }) => ranged(estimate && latencyOf(estimate), milliseconds)]
      : [t.answer.time, ({ estimate }) => timed(estimate?.time_hours ?? null)],
    service
      ? [t.answer.usd_an_hour, ({ estimate }) => ranged(estimate?.usd_per_hour ?? null, usd)]
      : [t.answer.cost, ({ estimate }) => ranged(estimate?.cost_usd ?? null, usd)],
  ]
  return html('figure', { class: 'comparison' },
    html('figcaption', {}, t.compare.caption),
    html('table', { role: 'table', 'aria-label': t.compare.title },
      html('thead', { role: 'rowgroup' }, html('tr', { role: 'row' },
        columns.map(([title]) => html('th', { role: 'columnheader', scope: 'col' }, title)))),
      html('tbody', { role: 'rowgroup' }, compared.map((one) => row(one, columns)))))
}

function row(one: Compared, columns: readonly [string, (one: Compared) => Child][]): HTMLElement {
  const cells = columns.map(([title, cell]) => html('td', { role: 'cell', class: title === t.answer.machine ? 'name' : null, 'data-title': title }, cell(one)))
  const [name, ...rest] = cells
  if (one.fits) return html('tr', { role: 'row' }, cells)
  const reasons = one.short.map((missing) => html('li', {}, shortOf(missing)))
  return html('tr', { role: 'row' }, name,
    html('td', { role: 'cell', colspan: rest.length, class: 'unfit', 'data-title': t.answer.why },
      html('span', {}, t.compare.unfit), html('ul', {}, reasons)))
}

/** A machine by the name that the page shows. */
function nameOf(one: Comparand): string {
  if ('accelerator' in one) {
    const devices = one.count === 1 ? one.accelerator : `${one.count} × ${one.accelerator}`
    return one.usd_per_hour === undefined ? devices : `${devices}, ${t.answer.an_hour(usd(one.usd_per_hour))}`
  }
  const name = machine({ label: null, instance_type: one.instance_type, node_count: one.node_count ?? 1 })
  return [name, one.region, one.purchase === 'spot' ? word('spot') : ''].filter(Boolean).join(', ')
}
