import { svg } from '../dom.ts'

const WIDTH = 100 // the bars' own units
const HEIGHT = 12
const MARGIN = 0.04 // of the axis, beyond its outermost bar
const LEAST_SPAN = Math.log(2) // machines that are nearly alike shall not look far apart

/** A bar from 1 to the ratio, on the scale of all bars. */
export type Bar = (ratio: number, tint: string) => SVGElement

/** Bars of ratios to the first machine on one logarithmic scale: twice is as far to the right as half to the left. */
export function ratioBars(ratios: readonly number[]): Bar {
  const logs = [0, ...ratios.map(Math.log)]
  const low = Math.min(...logs)
  const span = Math.max(Math.max(...logs) - low, LEAST_SPAN)
  const at = (ratio: number): number => WIDTH * (MARGIN + (1 - 2 * MARGIN) * (Math.log(ratio) - low) / span)
  const one = at(1)
  return (ratio, tint) => {
    const end = at(ratio)
    return ground(
      svg('rect', { class: tint, x: Math.min(one, end), width: Math.abs(end - one), height: HEIGHT }),
      svg('line', { x1: one, x2: one, y1: 0, y2: HEIGHT, 'vector-effect': 'non-scaling-stroke' }))
  }
}

/** A bar from nothing to a share of the longest one. */
export const shareBar: Bar = (share, tint) => ground(svg('rect', { class: tint, width: WIDTH * share, height: HEIGHT }))

const ground = (...bar: readonly SVGElement[]): SVGElement =>
  svg('svg', { class: 'ratio', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('rect', { class: 'free', width: WIDTH, height: HEIGHT }), bar)
