import { html, svg } from '../dom.ts'
import { t } from '../texts/index.ts'
import type { Candidate } from '../types.ts'
import type { Room } from './badges.ts'
import { tintsOf } from './clouds.ts'
import { legend } from './legend.ts'
import { dotShapes } from './dots.ts'
import { gridOf, thinned, type Tick } from './grid.ts'
import { type Field, limitLine, tradeOf, withLimits } from './limits.ts'
import { label, marksOf, placeOf, RADIUS, type Scales, tintOf, wordsOf } from './marks.ts'
import { NAME_HEIGHT } from './names.ts'
import { type Mark, navigate } from './navigate.ts'
import { otherDots } from './others.ts'
import { keyOf, type Limit, type Measure, type Measures, type Point, type Points } from './points.ts'
import { type Axis, axis } from './scale.ts'

const HEIGHT = { share: 0.36, least: 320, most: 440 } // of the width; and in pixels
const LEAST_WIDTH = 260
const EDGE = { top: 30, right: 18, bottom: 44, left: 64 }
const TICK_WIDTH = 64 // what a tick's number takes
const FREE: Tick = [0, '$0']

interface Frame extends Scales {
  width: number
  height: number
  fromX: (place: number) => number
  fromY: (place: number) => number
  xTicks: Tick[]
  yTicks: Tick[]
}

/** What a chart tells of: a machine that is chosen, a limit that is moved. */
export interface Told {
  chosen: (item: Candidate) => void
  moved: (limit: Limit, value: number) => void
  /** The machines within a limit and, as far as they are known, beyond it. */
  around: () => readonly Point[]
}

/** Draws the points into the box, which has that width; what is returned puts other machines behind them. */
export function draw(
  box: HTMLElement, wide: number, points: Points, measures: Measures, told: Told,
): (others: readonly Point[]) => void {
  const frame = frameOf(wide, points, measures)
  const bottom = frame.height - EDGE.bottom
  const room = { left: EDGE.left, right: frame.width - EDGE.right / 2, top: EDGE.top, bottom }
  const dots = [...points.frontier, ...points.recommendations].map((point) => placeOf(point, frame))
  const lines = points.limits.filter(({ across }) => across === 'x').map(({ value }) => frame.x(value))
  const ground = { ...within(room, RADIUS.recommended), dots, lines }
  const { recommended, compared, names } = marksOf(points, frame, frame.width, ground)
  const behind = otherDots(room, 2 * RADIUS.frontier)
  const putOthers = (others: readonly Point[]) => { behind.put(others.map((point) => placeOf(point, frame))) }
  putOthers(points.others)
  const attributes = {
    viewBox: `0 0 ${frame.width} ${frame.height}`,
    width: frame.width,
    height: frame.height,
    role: 'group',
    'aria-label': t.chart.summary(measures.cost.label, measures.time.label, points.recommendations.length),
  }
  const picture = svg('svg', attributes,
    gridOf({ width: frame.width, height: frame.height, edge: EDGE },
      { at: frame.x, ticks: frame.xTicks, label: measures.time.label },
      { at: frame.y, ticks: frame.yTicks, label: measures.cost.label }),
    behind.element,
    frontierLine(points.frontier, frame),
    points.limits.map((limit) => limitLine(limit, limit.across === 'x' ? measures.time : measures.cost,
      fieldOf(frame, limit.across), (value) => { told.moved(limit, value) }, tradeOf(limit, told.around, measures))),
    names.map(({ ground }) => ground),
    dotShapes(points.frontier.map((point) => ({ at: placeOf(point, frame), tint: tintOf(point, frame) })),
      RADIUS.frontier),
    recommended.map((mark) => mark.element()),
    names.map(({ text }) => text),
    compared.map((mark) => mark.element()),
  )
  const tip = html('div', { class: 'tip', 'aria-hidden': 'true', hidden: true })
  box.replaceChildren(picture, tip, legend(frame.tints, picture))
  navigate(picture, tip, [...frontierMarks(points, frame, picture), ...recommended, ...compared], told.chosen)
  return putOthers
}

/** A room without so much at each of its sides. */
function within({ left, right, top, bottom }: Room, edge: number): Room {
  return { left: left + edge, right: right - edge, top: top + edge, bottom: bottom - edge }
}

function frameOf(room: number, points: Points, measures: Measures): Frame {
  const width = Math.max(room, LEAST_WIDTH)
  const height = Math.min(Math.max(HEIGHT.share * width, HEIGHT.least), HEIGHT.most)
  const all = [...points.frontier, ...points.recommendations, ...points.compared]
  const ends = (across: 'x' | 'y') => all.flatMap(({ [across]: { value, low, high } }) => [value, low, high]).filter((value) => value > 0)
  const limits = (across: 'x' | 'y') => points.limits.filter((limit) => limit.across === across).map((limit) => limit.value)
  const x = axis(withLimits(ends('x'), limits('x')), false, measures.time.round)
  const y = axis(withLimits(ends('y'), limits('y')), false, measures.cost.round)
  const across = width - EDGE.left - EDGE.right
  const up = height - EDGE.top - EDGE.bottom
  const free = all.some((point) => point.y.value === 0)
  return {
    width,
    height,
    measures,
    x: (value) => EDGE.left + x.at(value) * across,
    y: (value) => height - EDGE.bottom - (value > 0 ? y.at(value) * up : 0),
    fromX: (place) => x.from((place - EDGE.left) / across),
    fromY: (place) => y.from((height - EDGE.bottom - place) / up),
    xTicks: thinned(written(x, measures.time), across, TICK_WIDTH),
    yTicks: free ? [FREE, ...above(written(y, measures.cost), (tick) => y.at(tick) * up)] : written(y, measures.cost),
    tints: tintsOf([...points.frontier, ...points.recommendations].map((point) => point.item.cloud)),
  }
}

/** The ticks that stand clear of the lower edge. */
function above(ticks: readonly Tick[], height: (value: number) => number): Tick[] {
  return ticks.filter(([tick]) => height(tick) > NAME_HEIGHT)
}

/** The ticks of an even axis share a unit, those of a logarithmic one have each its own. */
function written({ ticks, even, high }: Axis, { tick }: Measure): Tick[] {
  return ticks.map((value) => [value, tick(value, even ? high : value)])
}

/** Where a limit lies across the chart. */
function fieldOf(frame: Frame, across: Limit['across']): Field {
  const { width, height } = frame
  const ends = { left: EDGE.left, right: width - EDGE.right, top: EDGE.top, bottom: height - EDGE.bottom }
  return across === 'x' ? { ...ends, at: frame.x, from: frame.fromX } : { ...ends, at: frame.y, from: frame.fromY }
}

/** Through the frontier; where more is better across, through those of its machines that none of them beats there. */
function frontierLine(frontier: readonly Point[], { x, y, measures }: Frame): SVGElement {
  const ordered = [...frontier].sort((one, other) => one.x.value - other.x.value).filter((point, place, all) =>
    !measures.time.rising || all.slice(place + 1).every((other) => other.y.value > point.y.value))
  const points = ordered.map((point) => `${x(point.x.value)},${y(point.y.value)}`).join(' ')
  return svg('polyline', { class: 'frontier-line', points })
}

/** Points of the frontier get an element of their own only when the keyboard comes to them. */
function frontierMarks({ frontier, recommendations }: Points, frame: Frame, picture: SVGElement): Mark[] {
  const recommended = new Set(recommendations.map((point) => keyOf(point.item)))
  return frontier.filter((point) => !recommended.has(keyOf(point.item))).map((point) => {
    const at = placeOf(point, frame)
    let made: SVGElement | null = null
    const element = (): SVGElement => {
      if (made) return made
      const names = { role: 'img', 'aria-label': label(point, frame.measures) }
      made = svg('circle', { cx: at.x, cy: at.y, r: RADIUS.frontier, class: `point frontier ${tintOf(point, frame)}`, ...names })
      picture.append(made)
      return made
    }
    return { element, at, words: () => wordsOf(point, frame.measures), item: point.item, rank: null }
  })
}
