import { html, svg } from '../dom.ts'
import type { Candidate } from '../types.ts'

const TIP_GAP = 14 // between a point and what is said of it
const REACH = 9 // pixels around a point in which the pointer is on it
const RING = 7

/** A point on the chart: what stands for it, where it lies, what is said of it, its machine, and its rank, if any. */
export interface Mark<Item = Candidate> {
  /** Its element, made when it is first asked for. */
  element: () => SVGElement
  at: { x: number; y: number }
  words: () => string[]
  item: Item
  /** Its rank, or its letter of the comparison; '' for another's bar, null where its element is yet to be made. */
  rank: number | string | null
}

/** Is told of the machine that is chosen. */
export type Open<Item> = (item: Item) => void

/** Lets the pointer and the arrow keys find the points, in order along an axis, and Enter or a click choose one. */
export function navigate<Item>(
  picture: SVGElement, tip: HTMLElement, marks: readonly Mark<Item>[], open: Open<Item>, along: 'x' | 'y' = 'x',
): void {
  const order = marks.toSorted((one, other) => one.at[along] - other.at[along])
  const byElement = new Map<Element, Mark<Item>>()
  const reachable = (mark: Mark<Item>, tabindex: string): SVGElement => {
    const element = mark.element()
    element.setAttribute('tabindex', tabindex)
    byElement.set(element, mark)
    return element
  }
  for (const mark of order) if (mark.rank !== null) reachable(mark, '-1')
  const first = order.find((mark) => mark.rank === 1) ?? order[0]
  if (first) reachable(first, '0')
  const ring = svg('circle', { class: 'ring', r: RING, visibility: 'hidden' })
  picture.append(ring)

  const owner = ({ target }: Event): Mark<Item> | null =>
    byElement.get((target instanceof Element ? target.closest('.point') : null) ?? picture) ?? null
  const say = (mark: Mark<Item> | null): void => {
    surround(ring, mark)
    show(tip, picture, mark)
  }
  picture.addEventListener('pointermove', (event) => {
    say(owner(event) ?? nearest(order, event.offsetX, event.offsetY))
  })
  picture.addEventListener('focusin', (event) => { say(owner(event)) })
  for (const end of ['pointerleave', 'focusout']) picture.addEventListener(end, () => { say(null) })
  picture.addEventListener('click', (event) => {
    const mark = owner(event) ?? nearest(order, event.offsetX, event.offsetY)
    if (mark) open(mark.item)
  })
  picture.addEventListener('keydown', (event) => {
    const mark = owner(event)
    if (!mark) return
    const goal = goalOf(event.key, order.indexOf(mark), order, along)
    if (goal) step(mark, reachable(goal, '0'))
    else if (event.key === 'Escape') say(null)
    else if (event.key === 'Enter' || event.key === ' ') open(mark.item)
    else return
    event.preventDefault()
  })
}

/** The point that a key leads to, the ends included; null for a key that leads nowhere. */
function goalOf<Item>(key: string, place: number, order: readonly Mark<Item>[], along: 'x' | 'y'): Mark<Item> | null {
  const last = order.length - 1
  const goals: Record<string, number> = {
    ArrowRight: place + 1,
    ArrowUp: along === 'x' ? place + 1 : place - 1,
    ArrowLeft: place - 1,
    ArrowDown: along === 'x' ? place - 1 : place + 1,
    Home: 0,
    End: last,
  }
  const goal = goals[key]
  return goal === undefined ? null : (order[Math.min(Math.max(goal, 0), last)] ?? null)
}

function step<Item>(from: Mark<Item>, to: SVGElement): void {
  if (from.element() !== to) from.element().setAttribute('tabindex', '-1')
  to.focus()
}

function nearest<Item>(marks: readonly Mark<Item>[], x: number, y: number): Mark<Item> | null {
  let found: Mark<Item> | null = null
  let least = REACH
  for (const mark of marks) {
    const distance = Math.hypot(mark.at.x - x, mark.at.y - y)
    if (distance > least) continue
    least = distance
    found = mark
  }
  return found
}

/** Marks a point that has no element to light up. */
function surround<Item>(ring: SVGElement, mark: Mark<Item> | null): void {
  ring.setAttribute('visibility', mark?.rank === null ? 'visible' : 'hidden')
  if (!mark) return
  ring.setAttribute('cx', String(mark.at.x))
  ring.setAttribute('cy', String(mark.at.y))
}

function show<Item>(tip: HTMLElement, picture: SVGElement, mark: Mark<Item> | null): void {
  tip.hidden = mark === null
  if (!mark) return
  const [title = '', ...lines] = mark.words()
  tip.replaceChildren(html('b', {}, title), ...lines.map((line) => html('span', {}, line)))
  const room = picture.clientWidth - tip.offsetWidth
  const left = mark.at.x + TIP_GAP
  tip.style.setProperty('left', `${Math.max(0, left > room ? mark.at.x - TIP_GAP - tip.offsetWidth : left)}px`)
  tip.style.setProperty('top', `${Math.max(0, mark.at.y - tip.offsetHeight - TIP_GAP)}px`)
}
