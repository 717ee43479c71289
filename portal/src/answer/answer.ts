import { comparedPoints, keyOf, type Measures, measuresOf, type Point, type Points, pointsOf } from '../chart/points.ts'
import { recommendations } from '../client.ts'
import { type Comparand, ofCandidate } from '../comparands.ts'
import { afterPaint, byId, html, refill } from '../dom.ts'
import { t } from '../texts/index.ts'
import { learnSizes } from '../hardware/size.ts'
import type { Answer, Candidate, Recommendation } from '../types.ts'
import { Beyond, onSpot, othersOf, SPOT, withoutLimits } from './beyond.ts'
import { amounts, atCloud, card } from './card.ts'
import { Charts, type Kept } from './charts.ts'
import { type Choice, choiceCard, choicesOf, savings } from './choices.ts'
import { Comparison, type Lettered } from './comparison.ts'
import { type Change, common, notes, relaxations } from './notes.ts'
import { FORMATS, scripts } from './scripts.ts'
import { share } from './share.ts'
import { type Opener, table } from './table.ts'
import { terms } from './terms.ts'
import { why } from './why.ts'

const CELL_PADDING = 56 // left and right of what stands in an opened row

/** What the rest of the page is told of, and asked for, by a shown answer. */
export interface Surroundings extends Kept {
  change: Change
  /** The address that asks the same at the same prices. */
  pinned: (version: string) => string
  /** The rank that is open, by the address, and its telling. */
  opened: () => number | null
  open: (item: Recommendation | null) => void
  /** Is told of the machine that is chosen, in whichever way. */
  chosen: (item: Candidate) => void
  /** A name that the address asks about, which it then holds as a compared machine. */
  whyNot: () => string
  compared: () => Comparand[]
  keepCompared: (comparands: readonly Comparand[]) => void
}

/** An answer on the page, which can be drawn anew when the room for it changes. */
export class Shown {
  private points: Points
  private measures: Measures
  private readonly comparison: Comparison
  private readonly cards = new Map<string, HTMLButtonElement>()
  private readonly left = new AbortController()
  private openers: Opener[] = []
  private readonly beyond: Beyond
  private readonly charts: Charts

  constructor(
    private readonly answer: Answer,
    private readonly query: URLSearchParams,
    private readonly around: Surroundings,
  ) {
    learnSizes(answer.recommendations)
    this.points = pointsOf(answer, query, Date.now())
    this.measures = measuresOf(answer)
    this.beyond = new Beyond(query, this.left.signal)
    this.charts = new Charts(answer, around, {
      chosen: (item) => { this.chosenOnChart(item) },
      around: () => this.beyond.around(this.points.all),
      moved: ({ parameter }, value) => { around.change(parameter, parameter === 'deadline' ? `${value}h` : String(value)) },
    })
    const { keepCompared } = around
    this.comparison = new Comparison(answer, query, around.compared(), keepCompared, (some) => { this.beside(some) })
    const named = around.whyNot()
    if (named) void this.comparison.addNamed(named)
  }

  /** Puts the answer in place of the one before, whose chart had that width, if any. */
  show(width: number): void {
    const { answer, query, around } = this
    const { catalog } = answer
    this.showBest()
    this.showChoices()
    byId('facts').replaceChildren(t.answer.facts(catalog.prices_as_of, catalog.version))
    byId('pinned').setAttribute('href', around.pinned(catalog.version))
    refill(byId('relax'), relaxations(answer, around.change))
    this.draw(width)
    afterPaint(() => void (answer.relax.length ? this.drawBeyond() : this.drawOthers()))
    byId('common').replaceChildren(...common(answer))
    refill(byId('terms'), terms(answer, query, around.change))
    this.fillTable()
    refill(byId('notes'), notes(answer, around.change))
    byId('compare-box').replaceChildren(this.comparison.element)
    byId('scripts').replaceChildren(scripts(query, FORMATS))
  }

  /** Ends what was still asked for this answer. */
  leave(): void {
    this.left.abort()
  }

  /** Draws the chart anew where the room for it has changed. */
  resized(): void {
    if (this.charts.isOutgrown()) this.draw()
  }

  /** The recommendation with its figures in one line. */
  inShort(): string {
    const [best] = this.answer.recommendations
    return best ? [atCloud(best), ...amounts(this.pointOf(best), this.measures)].join(' · ') : t.answer.none
  }

  /** Opens the recommendation of that rank and closes the others; null closes all. */
  open(rank: number | null): void {
    for (const opener of this.openers) this.set(opener, opener.item.rank === rank)
  }

  private showBest(): void {
    const { answer, around } = this
    const [best] = answer.recommendations
    byId('share').replaceChildren(share({
      answer, headline: this.inShort(), asked: () => byId('asked').textContent, pinned: () => around.pinned(answer.catalog.version),
    }))
    if (best) this.put(best)
    else byId('card').replaceChildren(html('h1', { id: 'headline' }, t.answer.none))
    byId('peek').textContent = this.inShort()
  }

  /** Puts a machine on the card. */
  private put(item: Candidate, point = this.pointOf(item)): void {
    byId('card').replaceChildren(...card(item, point, this.answer, this.measures))
    for (const [key, made] of this.cards) made.setAttribute('aria-pressed', String(key === keyOf(item)))
  }

  private choose(item: Candidate, point = this.pointOf(item)): void {
    this.put(item, point)
    this.around.chosen(item)
    const opener = this.openers.find((one) => keyOf(one.item) === keyOf(item))
    for (const { row } of this.openers) row.previousElementSibling?.classList.remove('chosen-row')
    opener?.row.previousElementSibling?.classList.add('chosen-row')
  }

  private pointOf(item: Candidate): Point | null {
    return this.points.all.find((point) => keyOf(point.item) === keyOf(item)) ?? null
  }

  private showChoices(): void {
    const choices = choicesOf(this.answer, this.points.all, this.points.limits.length > 0)
    const [best] = this.points.all
    const box = byId('choices')
    box.hidden = !best
    if (!best) return
    for (const choice of choices) {
      const made = choiceCard(choice, best, this.measures, (item) => { this.choose(item) }, this.left.signal)
      this.cards.set(keyOf(choice.point.item), made)
    }
    this.cards.get(keyOf(best.item))?.setAttribute('aria-pressed', 'true')
    const rented = this.points.all.find(({ item }) => item.purchase === SPOT)
    const room = rented || best.item.cloud === 'own' ? [] : [html('div', { class: 'choice bone', 'aria-hidden': 'true' })]
    box.replaceChildren(...this.cards.values(), ...room)
    if (!rented) afterPaint(() => void this.showSpot(best))
  }

  /** The best on spot beside what is recommended on demand, asked for once the answer is seen. */
  private async showSpot(best: Point): Promise<void> {
    if (this.shownElsewhere()) return
    const point = await onSpot(this.query, this.left.signal)
    const room = byId('choices').querySelector('.bone')
    if (this.shownElsewhere()) return
    if (!point) {
      room?.remove()
      return
    }
    const choice: Choice = { aims: [SPOT], point, limited: true }
    const made = choiceCard(choice, best, this.measures, (item) => { this.choose(item, point) }, this.left.signal)
    made.querySelector('small')?.replaceChildren(savings(point, best))
    this.cards.set(keyOf(point.item), made)
    room?.replaceWith(made)
  }

  /** Whether another answer has taken this one's place. */
  private readonly shownElsewhere = (): boolean => this.left.signal.aborted

  /** Draws compared machines beside the recommended ones. */
  private beside(some: readonly Lettered[]): void {
    if (this.shownElsewhere() || (!some.length && !this.points.compared.length)) return
    this.points = { ...this.points, compared: comparedPoints(some, this.answer) }
    this.draw()
  }

  private chosenOnChart(item: Candidate): void {
    const compared = this.points.compared.find((point) => point.item === item)
    if (compared) {
      this.comparison.element.querySelector(`[data-rank=${compared.letter}]`)?.scrollIntoView({ block: 'nearest' })
      return
    }
    const opener = this.openers.find((one) => keyOf(one.item) === keyOf(item))
    if (opener) this.open(opener.item.rank)
    opener?.button.focus()
    const other = this.points.others.find((point) => point.item === item) // of a bar
    this.choose(item, other ?? this.pointOf(item))
  }

  private draw(width = 0): void {
    this.charts.draw(this.points, this.measures, width)
  }

  /** Where nothing fits: what there is beyond the limits, with the limits across it. */
  private async drawBeyond(): Promise<void> {
    const query = withoutLimits(this.query)
    const found = await recommendations(query, this.left.signal).catch(() => null)
    if (this.shownElsewhere() || !found) return
    const { limits, compared } = this.points
    this.points = { ...pointsOf(found, query, Date.now()), limits, compared }
    this.measures = measuresOf(found)
    this.draw()
  }

  /** What else meets the limits, faint behind the answer; asked for once the answer is seen. */
  private async drawOthers(): Promise<void> {
    const others = await othersOf(this.query, this.points.all, this.left.signal)
    if (this.shownElsewhere()) return
    learnSizes(others.map(({ item }) => item))
    this.points = { ...this.points, others }
    this.charts.put(this.points, this.measures)
  }

  private fillTable(): void {
    const { element, openers } = table(this.answer)
    this.openers = openers
    for (const { item, button } of openers) {
      button.addEventListener('click', () => {
        const rank = button.getAttribute('aria-expanded') === 'true' ? null : item.rank
        this.open(rank)
        this.around.open(rank === null ? null : item)
        if (rank !== null) this.choose(item)
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
