import { html, svg } from '../dom.ts'
import { t, word } from '../texts/index.ts'
import type { Memory } from '../types.ts'
import { memory as said } from '../units.ts'

const WIDTH = 100 // the bar's own units: percent of what is there
const HEIGHT = 10
const PARTS = 8 // the classes part-0 … part-7 of the style sheet

/** Each part of the memory against what the machine or device has, as a bar and in words. */
export function memoryBar(title: string, memory: Memory): HTMLElement {
  const parts = partsOf(memory)
  const whole = Math.max(memory.provided, parts.reduce((sum, part) => sum + part.gib, 0))
  const words = title + t.colon + t.why.needs(said(memory.required), said(memory.provided))
  return html('figure', { class: 'memory' },
    html('figcaption', {}, words),
    svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': words },
      svg('rect', { class: 'free', width: WIDTH, height: HEIGHT }),
      placed(parts, whole).map(({ start, width }, index) =>
        svg('rect', { class: `part-${index % PARTS}`, x: start, width, height: HEIGHT })),
      limit(memory.provided / whole)),
    html('ul', { class: 'legend' }, parts.map(({ name, gib }, index) =>
      html('li', {}, html('span', { class: `swatch part-${index % PARTS}` }), `${word(name)} ${said(gib)}`))))
}

/** The parts that take memory, in the order of the answer; without a breakdown, what is needed as one. */
export function partsOf({ breakdown, required }: Memory): { name: string; gib: number }[] {
  const parts = Object.entries(breakdown ?? {}).filter(([, gib]) => gib > 0)
  return parts.length ? parts.map(([name, gib]) => ({ name, gib })) : [{ name: t.why.required, gib: required }]
}

function placed(parts: readonly { gib: number }[], whole: number): { start: number; width: number }[] {
  let start = 0
  return parts.map(({ gib }) => {
    const width = (gib / whole) * WIDTH
    start += width
    return { start: start - width, width }
  })
}

/** Where what is there ends, if more than that is needed. */
function limit(share: number): SVGElement | null {
  return share < 1 ? svg('rect', { class: 'short', x: share * WIDTH, width: (1 - share) * WIDTH, height: HEIGHT }) : null
}
