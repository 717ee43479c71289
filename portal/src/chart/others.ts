import { svg } from '../dom.ts'
import type { Place } from './badges.ts'

interface Room {
  left: number
  right: number
  top: number
  bottom: number
}

/** Faint dots of machines beside the answer's: one shape, however many; others can be put into it as it stands. */
export function otherDots(room: Room, size: number): { element: SVGElement; put: (places: readonly Place[]) => void } {
  const element = svg('path', { class: 'other-dots', d: '', 'stroke-width': size, 'aria-hidden': 'true' })
  const put = (places: readonly Place[]): void => {
    const inside = places.filter(({ x, y }) => x >= room.left && x <= room.right && y >= room.top && y <= room.bottom)
    element.setAttribute('d', inside.map(({ x, y }) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join(''))
  }
  return { element, put }
}
