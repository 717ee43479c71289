import { atCloud, rentedAs } from '../answer/card.ts'
import { html, svg } from '../dom.ts'
import { joined, t } from '../texts/index.ts'
import type { Candidate } from '../types.ts'
import { machine } from '../units.ts'
import { tintsOf } from './clouds.ts'
import { axis } from './linear.ts'
import { type Mark, navigate } from './navigate.ts'
import { RADIUS } from './marks.ts'
import type { Measure } from './points.ts'

const EDGE = { top: 8, bottom: 44, right: 12 }
const WIDE = 640 // from here on, a name stands beside its bar, else above it
const ROW = { wide: 36, narrow: 50 }
const BAR = { wide: 18, narrow: 16 }
const BADGE_WIDTH = 28 // of a rank with the gap behind it
const GAP = 10
const RANGE_GAP = 5 // from a bar to the line of its range
const CAP = 3 // half the height of that line's ends
const SIGN = { narrow: 7.2, wide: 12.5 } // about what a sign takes, and one of Chinese
const FIRST_WIDE_SIGN = 0x2e80
const LABEL_DROP = 4 // from a text's middle to its base line
const TICK_WIDTH = 52 // what a tick's words take

/** One of the values that make up a bar. */
export interface Part {
  name: string
  tint: string
  value: number
  said: string
}

/** A machine's bar: its parts, the range of their sum, if there is one, and the sum in words. */
export interface Bar {
  item: Candidate
  rank: number | ''
  parts: readonly Part[]
  range: { low: number; high: number } | null
  said: string
  /** What is said of it beside them. */
  notes: readonly string[]
}

/** Bars on one axis from nothing on. */
export interface Bars {
  label: string
  measure: Measure
  /** Of what the axis' numbers are whole ones, such as hours or days. */
  unit: (last: number) => number
  bars: readonly Bar[]
  /** The value that every machine has, behind its bar. */
  whole?: number
  /** Whether the colours tell something even where all bars have one. */
  coloured?: boolean
  limit?: { value: number; label: string } | undefined
}

export const sumOf = ({ parts }: Bar): number => parts.reduce((sum, { value }) => sum + value, 0)
const endOf = (bar: Bar): number => Math.max(sumOf(bar), bar.range?.high ?? 0)
const widthOf = (words: string): number =>
  Array.from(words, (sign) => (sign.charCodeAt(0) < FIRST_WIDE_SIGN ? SIGN.narrow : SIGN.wide))
    .reduce((sum, one) => sum + one, 0)

/** A name for each machine: its hardware and cloud, or where several have these, its own, or that with its place. */
export function namesOfBars(bars: readonly Bar[]): string[] {
  const ways = [atCloud, machine, (item: Candidate): string => joined([machine(item), ...rentedAs(item)])]
  const said = ways.map((way) => bars.map(({ item }) => way(item)))
  return bars.map(({ item }, place) =>
    said.find((names) => names.indexOf(names[place] ?? '') === names.lastIndexOf(names[place] ?? ''))?.[place] ?? machine(item))
}

interface Frame {
  width: number
  wide: boolean
  left: number
  right: number
  bottom: number
  last: number
  ticks: readonly number[]
  x: (value: number) => number
}

/** Draws the bars into the box, which has that width. */
export function drawBars(box: HTMLElement, width: number, all: Bars, chosen: (item: Candidate) => void): void {
  const { bars, label, limit } = all
  const names = namesOfBars(bars)
  const frame = frameOf(width, names, all)
  const tints = tintsOf(bars.map(({ item }) => item.cloud))
  const marks = bars.map((bar, place) =>
    barMark(bar, place, { ...frame, all, tint: tints.get(bar.item.cloud) ?? '', name: names[place] ?? '' }))
  const height = frame.bottom + EDGE.bottom
  const about = { role: 'group', 'aria-label': t.chart.bars(label, bars.length) }
  const picture = svg('svg', { class: 'bars', viewBox: `0 0 ${width} ${height}`, width, height, ...about },
    grid(frame, all),
    marks.map(({ element }) => element()),
    svg('g', { 'aria-hidden': 'true' }, marks.map(({ texts }) => texts)),
    limit && limit.value <= frame.last ? limitLine(limit, frame, all) : null)
  const tip = html('div', { class: 'tip', 'aria-hidden': 'true', hidden: true })
  box.replaceChildren(picture, tip, ...legend(all))
  navigate(picture, tip, marks, chosen, 'y')
}

function frameOf(width: number, names: readonly string[], { bars, whole, unit: unitOf }: Bars): Frame {
  const beside = BADGE_WIDTH + Math.max(...names.map(widthOf)) + GAP
  const wide = width >= WIDE && beside < width / 2
  const last = Math.max(whole ?? 0, ...bars.map(endOf))
  const unit = unitOf(last)
  const { at, ticks } = axis(last / unit)
  const left = wide ? beside : 0
  const right = width - EDGE.right - Math.max(...bars.map(({ said }) => widthOf(said)))
  return {
    width, wide, left, right, last, ticks: ticks.map((tick) => tick * unit),
    bottom: EDGE.top + bars.length * ROW[wide ? 'wide' : 'narrow'],
    x: (value) => left + at(value / unit) * (right - left),
  }
}

function grid({ x, left, right, bottom, width, last, ticks }: Frame, { label, measure }: Bars): SVGElement {
  const every = Math.max(1, Math.ceil((ticks.length * TICK_WIDTH) / (right - left)))
  return svg('g', { class: 'grid', 'aria-hidden': 'true' }, ticks.filter((_, place) => place % every === 0).map((tick) => [
    svg('line', { x1: x(tick), x2: x(tick), y1: EDGE.top, y2: bottom }),
    svg('text', { x: x(tick), y: bottom + 2 * GAP - 2, 'text-anchor': tick || left ? 'middle' : 'start' }, measure.tick(tick, last)),
  ]), svg('text', { class: 'axis', x: width - EDGE.right, y: bottom + EDGE.bottom - LABEL_DROP, 'text-anchor': 'end' }, `${label} →`))
}

function limitLine(
  { value, label }: NonNullable<Bars['limit']>, { x, right, left, bottom }: Frame, { measure }: Bars,
): SVGElement {
  const late = x(value) > (left + right) / 2
  return svg('g', { class: 'limit', 'aria-hidden': 'true' },
    svg('line', { x1: x(value), x2: x(value), y1: 0, y2: bottom }),
    svg('text', { x: x(value) + (late ? -GAP : GAP) / 2, y: bottom + EDGE.bottom - LABEL_DROP, 'text-anchor': late ? 'end' : 'start' },
      `${label} ${measure.said(value)}`))
}

/** A machine's badge and bar, which the pointer and the keyboard find, and the words beside them. */
function barMark(
  bar: Bar, place: number, frame: Frame & { tint: string; name: string; all: Bars },
): Mark & { texts: SVGElement[] } {
  const { width, wide, left, x, tint, name, all } = frame
  const { item, rank, said } = bar
  const [row, thick] = wide ? [ROW.wide, BAR.wide] : [ROW.narrow, BAR.narrow]
  const top = EDGE.top + place * row
  const line = top + (wide ? 2 + thick / 2 : RADIUS.recommended + 1) // the middle of the words
  const y = wide ? top + 2 : top + 2 * RADIUS.recommended + 4
  const parts = bar.parts.length > 1 ? bar.parts.map((part) => `${part.name}${t.colon}${part.said}`) : []
  const lines = [joined([machine(item), ...rentedAs(item)]), said, ...bar.notes, ...parts]
  const element = svg('g', {
    class: `point bar-row ${tint}`, role: 'button', 'data-rank': rank === '' ? null : rank,
    'aria-label': `${rank === '' ? '' : `${t.chart.rank(rank)}: `}${[name, ...lines].join('; ')}`,
  },
  svg('rect', { class: 'row-ground', x: 0, y: top - 2, width, height: row }),
  badge(rank, line),
  all.whole ? svg('rect', { class: 'free', x: left, y, width: x(all.whole) - left, height: thick }) : null,
  partsOf(bar, frame, y, thick),
  range(bar, frame, y + thick + RANGE_GAP))
  const texts = [
    svg('text', { class: 'gpu', x: BADGE_WIDTH, y: line + LABEL_DROP }, name),
    svg('text', { class: 'gpu said', x: x(all.whole ?? endOf(bar)) + GAP, y: y + thick / 2 + LABEL_DROP }, said),
  ]
  const at = { x: x(sumOf(bar)), y: y + thick / 2 }
  return { element: () => element, at, words: () => [name, ...lines], item, rank, texts }
}

function badge(rank: number | '', y: number): SVGElement[] {
  const x = RADIUS.recommended
  if (rank === '') return [svg('circle', { class: 'spot-on', cx: x, cy: y, r: RADIUS.frontier })]
  return [svg('circle', { class: 'recommended', cx: x, cy: y, r: RADIUS.recommended }),
    svg('text', { class: 'rank', x, y: y + LABEL_DROP, 'text-anchor': 'middle' }, rank)]
}

function partsOf({ parts }: Bar, { x }: Frame, y: number, height: number): SVGElement[] {
  let start = 0
  return parts.map(({ tint, value }) => {
    const from = x(start)
    start += value
    return svg('rect', { class: `piece ${tint}`, x: from, y, width: Math.max(x(start) - from, 0), height })
  })
}

/** The range of a bar, as a line below it. */
function range({ range }: Bar, { x }: Frame, y: number): SVGElement | null {
  if (!range || range.low >= range.high) return null
  const [low, high] = [x(range.low), x(range.high)]
  return svg('path', { class: 'span', d: `M${low} ${y - CAP}v${2 * CAP}M${low} ${y}H${high}M${high} ${y - CAP}v${2 * CAP}` })
}

/** The parts by their colours, where these tell anything. */
function legend({ bars, coloured }: Bars): HTMLElement[] {
  const tints = new Map(bars.flatMap(({ parts }) => parts.map(({ name, tint }) => [name, tint])))
  if (tints.size < 2 && !coloured) return []
  return [html('ul', { class: 'legend', 'aria-label': t.chart.parts },
    [...tints].map(([name, tint]) => html('li', { class: tint }, html('span', { class: 'swatch' }), name)))]
}
