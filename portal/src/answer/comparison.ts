import { ratioBars } from '../chart/ratios.ts'
import { comparison } from '../client.ts'
import { added, asked, type Comparand, FEWEST, isSame, MOST, ofCandidate } from '../comparands.ts'
import { button, type Child, html, refill } from '../dom.ts'
import { bodyOf } from '../request.ts'
import { linesOf } from '../problem.ts'
import { comparesRanked } from '../shortcuts.ts'
import { joined, limitName, t, word } from '../texts/index.ts'
import type { Answer, Compared, Judgement } from '../types.ts'
import { hoursRoughly, machine, milliseconds, plain, times, usd } from '../units.ts'
import { isService, latencyOf, measuresOf, placeIn } from '../chart/points.ts'
import { adder, comparandsOf } from './adder.ts'
import { atCloud } from './card.ts'
import { differences } from './choices.ts'
import { cloudName } from './clouds.ts'
import { latencyName, ranged } from './figures.ts'
import { hardwareOf } from '../hardware/size.ts'
import { inWords } from './rule.ts'

type Keep = (comparands: readonly Comparand[]) => void

const BREAK = /[:;：；]/ // after which a reason goes into its particulars
const GIB = '_gib' // the unit, in a resource's name
const FIRST_LETTER = 65 // A

/** A machine of the comparison with the letter that it has in the table and on the chart; the choice has none. */
export interface Lettered {
  letter: string
  one: Compared
  /** Its hardware and whose it is, where its name does not say so. */
  hardware: string
}

/**
 * Machines beside each other for the workload, each with why it is not the choice: instance types, the best with an
 * accelerator, or own hardware. One alone stands beside the recommendation.
 */
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
    private readonly tell: (some: readonly Lettered[]) => void,
  ) {
    const items = answer.recommendations.filter((item) => item.label === null)
    this.all = button(t.compare.recommended, () => {
      this.set(items.map(ofCandidate).reduce(added, [...this.comparands]))
    })
    this.element = html('section', { class: 'card compare' }, html('h2', {}, t.compare.title),
      html('p', { class: 'facts' }, t.compare.how), this.chosen,
      adder(query, (some) => { this.add(...some) }), items.length >= FEWEST ? this.all : null, this.said)
    this.show()
    comparesRanked((rank) => this.addRanked(rank))
  }

  /** Puts machines beside the others. */
  add(...some: readonly Comparand[]): void {
    this.set(some.reduce(added, [...this.comparands]))
  }

  /** Puts the recommendation of that rank beside the others; returns its name, or nothing where there is none. */
  private addRanked(rank: number): string {
    const item = this.answer.recommendations.find((one) => one.rank === rank && one.label === null)
    if (!item) return ''
    this.add(ofCandidate(item))
    return machine(item)
  }

  /** Puts the machines of that name beside the others. */
  async addNamed(name: string): Promise<void> {
    const found = await comparandsOf(name, this.query, this.asked.signal).catch(() => [])
    if (found.length) this.add(...found)
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
    if (this.compared().length < FEWEST) {
      this.said.replaceChildren()
      this.tell([])
    } else void this.fill(this.asked.signal)
  }

  /** What the service compares: one machine alone beside the recommendation. */
  private compared(): readonly Comparand[] {
    const [best] = this.answer.recommendations
    const [only] = this.comparands
    if (!best || !only || best.label !== null || this.comparands.length >= FEWEST) return this.comparands
    return isSame(ofCandidate(best), only) ? this.comparands : [ofCandidate(best), only]
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
    const all = this.compared()
    const on = all.map((one) => asked(one, nameOf(one)))
    const [best] = this.answer.recommendations
    try {
      const [compared, hardware] = await Promise.all([
        comparison({ workload, constraints, on }, this.query.get('snapshot'), signal),
        Promise.all(all.map((one) => hardwareIn(one, signal))),
      ])
      const lettered = compared.map((one, place): Lettered => {
        const comparand = all[place]
        if (best && comparand && isSame(comparand, ofCandidate(best))) return { one, letter: '', hardware: atCloud(best) }
        const letter = comparand ? String.fromCharCode(FIRST_LETTER + this.comparands.indexOf(comparand)) : ''
        return { one, letter, hardware: hardware[place] ?? '' }
      })
      this.said.replaceChildren(picture(lettered, this.answer))
      this.tell(lettered.filter(({ letter }) => letter))
    } catch (error) {
      if (signal.aborted) return
      this.said.replaceChildren(...linesOf(error).map((line) => html('p', { class: 'fault', lang: 'en' }, line)))
    }
  }
}

/** The table whose cells are bars: ratios to the first machine that fits, and the figures behind them. */
function picture(compared: readonly Lettered[], answer: Answer): HTMLElement {
  const service = isService(answer)
  const ratios = compared.flatMap(({ one }) => [one.relative_performance, one.relative_cost, one.performance_per_cost])
  const bar = ratioBars(ratios.filter((ratio) => ratio !== null))
  const cell = (ratio: number | null, tint: string): Child =>
    ratio === null ? '–' : [html('span', {}, times(ratio)), bar(ratio, tint)]
  const columns: [string, (one: Compared) => Child][] = [
    [t.compare.performance, (one) => cell(one.relative_performance, 'part-0')],
    [t.compare.cost, (one) => cell(one.relative_cost, 'part-4')],
    [t.compare.per_cost, (one) => cell(one.performance_per_cost, 'part-2')],
    service
      ? [latencyName(answer), ({ estimate }) => ranged(estimate && latencyOf(estimate), milliseconds)]
      : [t.answer.time, ({ estimate }) => ranged(estimate?.time_hours ?? null, hoursRoughly)],
    service
      ? [t.answer.usd_an_hour, ({ estimate }) => ranged(estimate?.usd_per_hour ?? null, usd)]
      : [t.answer.cost, ({ estimate }) => ranged(estimate?.cost_usd ?? null, usd)],
  ]
  return html('figure', { class: 'comparison' },
    html('figcaption', {}, t.compare.caption),
    html('table', { role: 'table', 'aria-label': t.compare.title },
      html('thead', { role: 'rowgroup' }, html('tr', { role: 'row' },
        html('th', { role: 'columnheader', scope: 'col' }, t.answer.machine),
        columns.map(([title]) => html('th', { role: 'columnheader', scope: 'col', class: 'figure' }, title)))),
      html('tbody', { role: 'rowgroup' }, compared.map((one) => row(one, columns)))),
    reasons(compared, answer))
}

/** Why each machine is not the choice, in the service's words, and how far it is from the choice. */
function reasons(compared: readonly Lettered[], answer: Answer): HTMLElement | null {
  const told = compared.filter(({ letter, one }) => letter && one.fits && one.rank !== 1 && one.why_not.length)
  return told.length ? html('ul', { class: 'against' }, told.map(({ letter, one }) =>
    html('li', {}, mark(letter), html('span', {}, apart(one, answer),
      one.why_not.map(({ text }) => inWords(text)).join('; '))))) : null
}

/** What a machine costs and takes more than the choice, or less. */
function apart({ estimate }: Compared, answer: Answer): Child {
  const [own, first] = [estimate, answer.recommendations[0]?.estimate].map((one) => one && placeIn(answer)(one))
  if (!own?.x || !own.y || !first?.x || !first.y) return null
  return [html('strong', {}, differences({ x: own.x, y: own.y }, { x: first.x, y: first.y }, measuresOf(answer))), t.colon]
}

const mark = (letter: string): Child => (letter ? html('span', { class: 'letter' }, letter) : null)

function row({ one, letter, hardware }: Lettered, columns: readonly [string, (one: Compared) => Child][]): HTMLElement {
  const status = letter ? against(one) : t.choices.recommended
  const name = html('td', { role: 'cell', class: 'name', 'data-title': t.answer.machine },
    mark(letter), html('strong', {}, hardware || one.label),
    html('small', {}, hardware && html('code', { class: 'sku' }, one.label), hardware && status && ' · ', status))
  const about = { role: 'row', 'data-rank': letter || null }
  if (one.fits) {
    return html('tr', about, name, columns.map(([title, cell]) =>
      html('td', { role: 'cell', class: 'figure', 'data-title': title }, cell(one))))
  }
  return html('tr', about, name,
    html('td', { role: 'cell', colspan: columns.length, class: 'unfit', 'data-title': t.answer.why },
      t.compare.unfit, html('small', {}, one.short.map(shortOf).join('; '))))
}

/** Why a machine is not the choice, as short as a row has room for; or that it would be. */
function against({ rank, why_not: some, fits }: Compared): string {
  if (rank === 1) return t.compare.would_be_first
  if (!fits) return ''
  return rank ? t.chart.rank(rank) : some.map(({ text }) => text.split(BREAK)[0]).join(', ')
}

/** What a machine lacks, in words. */
function shortOf({ resource, required, available }: Judgement['short'][number]): string {
  const gib = resource.endsWith(GIB)
  const said = (value: number | string | null): string => (gib ? t.why.gib(amount(value)) : amount(value))
  return t.why_not.short_of(limitName(resource.replace(GIB, '')), said(required), said(available))
}

const amount = (value: number | string | null): string => (typeof value === 'string' ? value : plain(value))

/** A catalog machine's hardware; one's own is named by it. */
async function hardwareIn(one: Comparand, signal: AbortSignal): Promise<string> {
  if ('accelerator' in one) return ''
  const found = await hardwareOf(one, signal).catch(() => '')
  const nodes = one.node_count ?? 1
  return found && t.answer.at(nodes > 1 ? `${nodes} × (${found})` : found, cloudName(one.cloud))
}

/** A machine by the name that the page shows. */
function nameOf(one: Comparand): string {
  if ('accelerator' in one) {
    const devices = one.count === 1 ? one.accelerator : `${one.count} × ${one.accelerator}`
    return one.usd_per_hour === undefined ? devices : `${devices}, ${t.answer.an_hour(usd(one.usd_per_hour))}`
  }
  const name = machine({ label: null, instance_type: one.instance_type, node_count: one.node_count ?? 1 })
  return joined([name, one.region, one.purchase === 'spot' ? word('spot') : ''])
}
