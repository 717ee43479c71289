import { svg } from '../dom.ts'
import type { Place } from './badges.ts'

/** One shape for each tint, however many dots: an element each would keep thousands from being drawn. */
export function dotShapes(dots: readonly { at: Place; tint: string }[], radius: number): SVGElement[] {
  const shapes = new Map<string, string[]>()
  for (const { at: { x, y }, tint } of dots) {
    const known = shapes.get(tint) ?? []
    known.push(`M${x.toFixed(1)} ${y.toFixed(1)}h0`)
    shapes.set(tint, known)
  }
  return [...shapes].map(([tint, parts]) =>
    svg('path', { class: `frontier-dots ${tint}`, d: parts.join(''), 'stroke-width': 2 * radius }))
}
