import { svg } from '../dom.ts'
import type { Place } from './badges.ts'

/** Machines beside the answer's, faint, as far as they lie within its chart; one shape, however many. */
export function otherDots(
  places: readonly Place[], room: { left: number; right: number; top: number; bottom: number }, size: number,
): SVGElement {
  const inside = places.filter(({ x, y }) => x >= room.left && x <= room.right && y >= room.top && y <= room.bottom)
  const d = inside.map(({ x, y }) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join('')
  return svg('path', { class: 'other-dots', d, 'stroke-width': size, 'aria-hidden': 'true' })
}
