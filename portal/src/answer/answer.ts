import { draw } from '../chart/chart.ts'
import { measuresOf, pointsOf, type Points } from '../chart/points.ts'
import { type Comparand, ofCandidate } from '../comparands.ts'
import { byId, type Child, html, refill } from '../dom.ts'
import { t, word } from '../texts/index.ts'
import type { Answer, Recommendation } from '../types.ts'
import { hours, machine, usd } from '../units.ts'
import { Comparison } from './comparison.ts'
import { bestFigures, nameParts } from './figures.ts'
import { type Change, notes, relaxations } from './notes.ts'
import { FORMATS, scripts } from './scripts.ts'
import { type Opener, table } from './table.ts'
import { why } from './why.ts'
import { whyNot } from './whynot.ts'

const CELL_PADDING = 56 // left and right of what stands in an opened row

/** What the rest of the page is told of, and asked for, by a shown answer. */
export interface Surroundings {
  change: Change
  /** The address that asks the same at the same prices. */
  pinned: (version: string) => string
  /** The rank that is open, by the address, and its telling. */
  opened: () => number | null
  open: (item: Recommendation | null) => void
  whyNot: () => string
  keepWhyNot: (name: string) => void
  compared: () => Comparand[]
  keepCompared: (comparands: readonly Comparand[]) => void
}

/** An answer on the page, which can be drawn anew when the room for it changes. */
export class Shown {
  private readonly points: Points
  private readonly comparison: Comparison
  private openers: Opener[] = []
  private width = 0

  constructor(
    private readonly answer: Answer,
    private readonly query: URLSearchParams,
    private readonly around: Surroundings,
  ) {
    this.points = pointsOf(answer, query, Date.now())
    this.comparison = new Comparison(answer, query, around.compared(), around.keepCompared)
  }

  /** Puts the answer in place of the one before, whose chart had that width, if any. */
  show(width: number): void {
    const { answer, query, around } = this
    const { catalog } = answer
    byId('headline').replaceChildren(html('span', {}, headline(answer)))
    byId('place').textContent = placeOf(answer)
    byId('figures').replaceChildren(...bestFigures(answer))
    byId('peek').textContent = inShort(answer)
    byId('facts').replaceChildren(t.answer.facts(catalog.prices_as_of, catalog.version))
    byId('pinned').setAttribute('href', around.pinned(catalog.version))
    byId('relax').replaceChildren(...relaxations(answer))
    this.draw(width)
    this.fillTable()
    refill(byId('notes'), notes(answer, around.change))
    byId('why-not-box').replaceChildren(whyNot(answer, query, around.whyNot(), around.keepWhyNot))
    byId('compare-box').replaceChildren(this.comparison.element)
    byId('scripts').replaceChildren(scripts(query, FORMATS))
  }

  /** Draws the chart anew where the room for it has changed. */
  resized(): void {
    if (byId('plot').clientWidth !== this.width) this.draw()
  }

  private draw(width = 0): void {
    const empty = this.points.frontier.length + this.points.recommendations.length === 0
    byId('chart').hidden = empty
    if (empty) return
    this.width = width || byId('plot').clientWidth
    draw(byId('plot'), this.width, this.points, measuresOf(this.answer), (rank) => {
      this.open(rank)
      this.openers.find(({ item }) => item.rank === rank)?.button.focus()
    })
  }

  /** Opens the recommendation of that rank and closes the others; null closes all. */
  open(rank: number | null): void {
    for (const opener of this.openers) this.set(opener, opener.item.rank === rank)
  }

  private fillTable(): void {
    const { element, openers } = table(this.answer)
    this.openers = openers
    for (const { item, button } of openers) {
      button.addEventListener('click', () => {
        const rank = button.getAttribute('aria-expanded') === 'true' ? null : item.rank
        this.open(rank)
        this.around.open(rank === null ? null : item)
      })
    }
    byId('table').replaceChildren(...(openers.length ? [element] : []))
    this.open(this.around.opened())
  }

  private set({ item, button, row, cell }: Opener, open: boolean): void {
    button.setAttribute('aria-expanded', String(open))
    row.hidden = !open
    if (!open || cell.firstChild) return
    cell.append(...why(item, this.answer, {
      pinned: this.around.pinned(this.answer.catalog.version),
      compare: () => {
        this.comparison.add(ofCandidate(item))
        this.comparison.element.scrollIntoView()
      },
      room: () => byId('table').clientWidth - CELL_PADDING,
    }))
  }
}

/** Where the recommendation is rented, and how. */
function placeOf({ recommendations: [best] }: Answer): string {
  return best ? [best.cloud, best.region, word(best.purchase)].join(', ') : ''
}

/** What to rent, or that there is nothing. */
function headline({ recommendations: [best] }: Answer): Child {
  return best ? nameParts(t.answer.headline(machine(best))) : t.answer.none
}

/** The recommendation with its figures in one line. */
export function inShort({ recommendations: [best] }: Answer): string {
  if (!best) return t.answer.none
  const { time_hours: time, cost_usd: cost, usd_per_hour: rate } = best.estimate
  const price = cost
    ? t.answer.in_all(usd(cost.value))
    : t.answer.an_hour(usd(rate?.value ?? best.price.usd_per_hour * best.node_count))
  const figures = time ? [t.answer.about(hours(time.value)), price] : [price]
  return t.answer.in_short(t.answer.headline(machine(best)), figures)
}
