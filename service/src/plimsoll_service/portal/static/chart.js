import { svg } from './dom.js'
import { axis } from './scale.js'
import { accelerator, machine } from './units.js'

const HEIGHT = 300
const EDGE = { top: 28, right: 16, bottom: 42, left: 64 }
const TICK_GAP = 8

/** Draws the points into a box; `measures` say what cost and time are and how they are written. */
export function draw(box, { frontier, recommendations }, measures) {
  const width = Math.max(box.clientWidth, 260)
  const points = [...frontier, ...recommendations]
  const scales = { x: axis(points.flatMap(xs)), y: axis(points.flatMap(ys)) }
  const place = {
    x: (value) => EDGE.left + scales.x.at(value) * (width - EDGE.left - EDGE.right),
    y: (value) => HEIGHT - EDGE.bottom - scales.y.at(value) * (HEIGHT - EDGE.top - EDGE.bottom),
  }
  const summary = `${measures.cost.label} against ${measures.time.label} of ${recommendations.length} recommendations; the table below lists them`
  box.replaceChildren(svg('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: 'img', 'aria-label': summary },
    grid(scales, place, width, measures),
    frontierLine(frontier, place),
    recommendations.map((point) => whiskers(point, place)),
    frontier.map((point) => dot(point, place, measures, 4, 'frontier')),
    recommendations.map((point) => recommended(point, place, measures))))
}

const xs = (point) => [point.x.value, point.x.low ?? point.x.value, point.x.high ?? point.x.value]
const ys = (point) => [point.y.value, point.y.low ?? point.y.value, point.y.high ?? point.y.value]

function grid(scales, place, width, { time, cost }) {
  const bottom = HEIGHT - EDGE.bottom
  return svg('g', { class: 'grid' },
    scales.x.ticks.map((tick) => [
      svg('line', { x1: place.x(tick), x2: place.x(tick), y1: EDGE.top, y2: bottom }),
      svg('text', { x: place.x(tick), y: bottom + 2 * TICK_GAP, 'text-anchor': 'middle' }, time.tick(tick))]),
    scales.y.ticks.map((tick) => [
      svg('line', { x1: EDGE.left, x2: width - EDGE.right, y1: place.y(tick), y2: place.y(tick) }),
      svg('text', { x: EDGE.left - TICK_GAP, y: place.y(tick) + TICK_GAP / 2, 'text-anchor': 'end' }, cost.tick(tick))]),
    svg('text', { class: 'axis', x: width - EDGE.right, y: HEIGHT - TICK_GAP / 2, 'text-anchor': 'end' }, `${time.label} →`),
    svg('text', { class: 'axis', x: 0, y: EDGE.top / 2 }, `↑ ${cost.label}`))
}

function frontierLine(frontier, place) {
  const ordered = [...frontier].sort((a, b) => a.x.value - b.x.value)
  return svg('polyline', { class: 'frontier-line', points: ordered.map(({ x, y }) => `${place.x(x.value)},${place.y(y.value)}`).join(' ') })
}

function whiskers(point, place) {
  const { x, y } = point
  if (x.low === undefined || y.low === undefined) return null
  return svg('g', { class: 'whisker' },
    svg('line', { x1: place.x(x.low), x2: place.x(x.high), y1: place.y(y.value), y2: place.y(y.value) }),
    svg('line', { x1: place.x(x.value), x2: place.x(x.value), y1: place.y(y.low), y2: place.y(y.high) }))
}

function dot(point, place, { time, cost }, radius, kind) {
  const { item, x, y } = point
  const words = `${item.cloud} ${machine(item)} (${accelerator(item)}): ${cost.format(y.value)}, ${time.format(x.value)}`
  return svg('circle', { class: kind, cx: place.x(x.value), cy: place.y(y.value), r: radius }, svg('title', {}, words))
}

function recommended(point, place, measures) {
  return svg('g', {},
    dot(point, place, measures, 9, 'recommended'),
    svg('text', { class: 'rank', x: place.x(point.x.value), y: place.y(point.y.value) + 4, 'text-anchor': 'middle' }, String(point.item.rank)))
}
