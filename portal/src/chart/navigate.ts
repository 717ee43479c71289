import { html } from '../dom.ts'

const TIP_GAP = 14 // between a point and what is said of it

/** A point on the chart: where it lies, what is said of it, and the rank that it opens, if any. */
export interface Mark {
  element: SVGElement
  at: { x: number; y: number }
  words: () => string[]
  rank: number | null
  /** Whether a recommendation lies on the very same place and speaks for it. */
  covered: boolean
}

/** Is told the rank of a recommendation that is chosen. */
export type Open = (rank: number) => void

/** Lets the pointer and the arrow keys find the points, and Enter or a click open a recommendation. */
export function navigate(picture: SVGElement, tip: HTMLElement, marks: readonly Mark[], open: Open): void {
  const byElement = new Map<Element, Mark>(marks.map((mark) => [mark.element, mark]))
  const order = marks.filter((mark) => !mark.covered).sort((one, other) => one.at.x - other.at.x)
  const markOf = (event: Event): Mark | null => {
    const element = event.target instanceof Element ? event.target.closest('.point') : null
    return (element && byElement.get(element)) ?? null
  }
  for (const mark of order) mark.element.setAttribute('tabindex', '-1')
  const first = order.find((mark) => mark.rank === 1) ?? order[0]
  first?.element.setAttribute('tabindex', '0')

  const said = (event: Event): void => {
    show(tip, picture, markOf(event))
  }
  picture.addEventListener('pointerover', said)
  picture.addEventListener('focusin', said)
  for (const end of ['pointerleave', 'focusout']) {
    picture.addEventListener(end, () => {
      tip.hidden = true
    })
  }
  picture.addEventListener('click', (event) => {
    const rank = markOf(event)?.rank
    if (rank) open(rank)
  })
  picture.addEventListener('keydown', (event) => {
    const mark = markOf(event)
    if (mark && pressed(event.key, mark, order, tip, open)) event.preventDefault()
  })
}

function pressed(key: string, mark: Mark, order: readonly Mark[], tip: HTMLElement, open: Open): boolean {
  const place = order.indexOf(mark)
  const goals: Record<string, number> = {
    ArrowRight: place + 1,
    ArrowUp: place + 1,
    ArrowLeft: place - 1,
    ArrowDown: place - 1,
    Home: 0,
    End: order.length - 1,
  }
  const goal = goals[key]
  if (goal !== undefined) step(mark, order[Math.min(Math.max(goal, 0), order.length - 1)] ?? mark)
  else if (key === 'Escape') tip.hidden = true
  else if ((key === 'Enter' || key === ' ') && mark.rank) open(mark.rank)
  else return false
  return true
}

function step(from: Mark, to: Mark): void {
  from.element.setAttribute('tabindex', '-1')
  to.element.setAttribute('tabindex', '0')
  to.element.focus()
}

function show(tip: HTMLElement, picture: SVGElement, mark: Mark | null): void {
  tip.hidden = mark === null
  if (!mark) return
  const [title = '', ...lines] = mark.words()
  tip.replaceChildren(html('b', {}, title), ...lines.map((line) => html('span', {}, line)))
  const room = picture.clientWidth - tip.offsetWidth
  const left = mark.at.x + TIP_GAP
  tip.style.setProperty('left', `${Math.max(0, left > room ? mark.at.x - TIP_GAP - tip.offsetWidth : left)}px`)
  tip.style.setProperty('top', `${Math.max(0, mark.at.y - tip.offsetHeight - TIP_GAP)}px`)
}
