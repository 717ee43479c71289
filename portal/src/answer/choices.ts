import { isService, type Measures, type Point } from '../chart/points.ts'
import { afterPaint, html } from '../dom.ts'
import { hardwareOf } from '../hardware/size.ts'
import { t } from '../texts/index.ts'
import type { Answer, Candidate } from '../types.ts'
import { chance, plain } from '../units.ts'
import { atCloud } from './card.ts'

const UNPROVEN = 1.25 // what rests on no measurement counts so many times, as in the service's ranking
// Of the service's rule objective-balanced: half the time is worth a fifth more money.
const WORTH_OF_TIME = 0.26
const NOTICEABLE_HOURS = 1
const NOTICEABLE_MS = 200
const DISTRIBUTED = 1.1

/** Why someone would take a machine. */
export type Aim = 'cheapest' | 'balanced' | 'fastest' | 'spot'

/** A machine that is the best for one or more aims. */
export interface Choice {
  aims: Aim[]
  point: Point
  /** Whether the question has a limit, within which it is the fastest. */
  limited: boolean
}

/** The machines that an answer has for each aim; one that is the best for several stands once. */
export function choicesOf(answer: Answer, points: readonly Point[], limited: boolean): Choice[] {
  const [first] = points
  if (!first) return []
  const cheapest = least(points, expected)
  // The service may prefer fewer machines to the very cheapest: that is a trade-off, too.
  const traded = answer.objective === 'cost' ? first.item !== cheapest.item : answer.objective !== 'time'
  const alone = points.filter(({ item }) => item.node_count === 1)
  const quick = limited || !alone.length ? points : alone // without a limit, more machines are always faster
  const found: [Aim, Point][] = [
    ['cheapest', cheapest],
    ['balanced', traded ? first : least(points, (point) => balance(point, isService(answer)))],
    ['fastest', answer.objective === 'time' ? first : least(quick, (point) => point.x.value)],
  ]
  const choices: Choice[] = []
  for (const [aim, point] of found) {
    const known = choices.find((choice) => choice.point.item === point.item)
    if (known) known.aims.push(aim)
    else choices.push({ aims: [aim], point, limited })
  }
  return choices
}

function least(points: readonly Point[], measure: (point: Point) => number): Point {
  return points.reduce((best, point) => (measure(point) < measure(best) ? point : best))
}

/** What a machine is expected to cost, as the service ranks it. */
function expected({ item, y }: Point): number {
  const { expected_cost_usd: cost, expected_usd_per_hour: rate, basis } = item.estimate
  return (cost ?? rate ?? y.value) * (basis === 'modelled' ? UNPROVEN : 1)
}

/** What a machine costs and takes together, by the service's rule objective-balanced. */
function balance(point: Point, service: boolean): number {
  const { value: time } = point.x
  const patience = service ? Math.sqrt(time + NOTICEABLE_MS) : Math.max(time, NOTICEABLE_HOURS) ** WORTH_OF_TIME
  return expected(point) * patience * (point.item.node_count > 1 ? DISTRIBUTED : 1)
}

/** A card that chooses its machine; figures are told against the first recommendation, which has none. */
export function choiceCard(
  { aims, point, limited }: Choice, best: Point, { time, cost }: Measures, choose: (item: Candidate) => void,
  signal: AbortSignal,
): HTMLButtonElement {
  const { item, x, y } = point
  const title = aims.map((aim) => t.choices[aim === 'fastest' && !limited ? 'fastest_alone' : aim]).join(' · ')
  const against = item === best.item ? t.choices.recommended : differences(point, best, { time, cost })
  const machines = item.node_count > 1 ? [t.answer.machines(plain(item.node_count))] : [] // for which one is preferred
  const made = html('button', { type: 'button', class: 'choice', 'data-aims': aims.join(' '), 'aria-pressed': 'false' },
    html('span', { class: 'aim' }, title),
    html('strong', {}, atCloud(item)),
    html('span', { class: 'amounts' }, [cost.said(y.value), time.said(x.value)].map((said) => html('span', {}, said))),
    html('small', {}, [against, ...machines].join(' · ')))
  made.addEventListener('click', () => { choose(item) })
  afterPaint(() => void nameHardware(made, item, signal))
  return made
}

/** Names a choice by its hardware where the answer has only its type's name. */
async function nameHardware(made: HTMLElement, item: Candidate, signal: AbortSignal): Promise<void> {
  if (item.accelerator || item.label !== null) return
  const known = await hardwareOf(item, signal).catch(() => null)
  if (known) made.querySelector('strong')?.replaceChildren(atCloud(item))
}

type Figures = Pick<Point, 'x' | 'y'>

/** What a machine costs and takes more than another, or less. */
export function differences({ x, y }: Figures, best: Figures, { time, cost }: Measures): string {
  const signed = (difference: number, say: (value: number) => string): string =>
    `${difference < 0 ? '−' : '+'}${say(Math.abs(difference))}`
  return [signed(y.value - best.y.value, cost.said), signed(x.value - best.x.value, time.said)].join(' · ')
}

/** What spot saves against the same machines on demand, where that is known, and against the best on demand. */
export function savings(spot: Point, best: Point): string {
  const same = spot.item.estimate.spot?.on_demand_cost_usd ?? null
  const lines = [
    ...(same ? [t.choices.saves_same(percent(spot.y.value, same))] : []),
    t.choices.saves_best(percent(spot.y.value, best.y.value)),
  ]
  return lines.join(t.gap)
}

const percent = (value: number, than: number): string => {
  const share = 1 - value / than
  return `${share < 0 ? '+' : '−'}${chance(Math.abs(Number(share.toFixed(2))))}`
}
