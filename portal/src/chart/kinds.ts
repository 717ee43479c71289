import { diskRate } from '../answer/figures.ts'
import { atCloud } from '../answer/card.ts'
import { t, word } from '../texts/index.ts'
import type { Answer, Candidate, Range, Recommendation } from '../types.ts'
import { duration, hours, hoursOfUnit, hoursRoughly, memory as gibibytes, plain, rough, share, short, spread, usd } from '../units.ts'
import { type Bar, type Bars, type Part, sumOf } from './bars.ts'
import { partsOf } from './memory.ts'
import { type Measure, type Measures, type Point, type Points, isService } from './points.ts'
import { runOf } from './timeline.ts'

const MOST_BARS = 12
const PARTS = 8 // the classes part-0 … part-7 of the style sheet
const MS_A_SECOND = 1000
/** What limits a machine, each in its own colour on every chart. */
const LIMITED: Readonly<Record<string, string>> = {
  accelerator_compute: 'part-0', accelerator_memory_bandwidth: 'part-2', launch_latency: 'part-7', interconnect: 'part-3',
  network: 'part-1', input_pipeline: 'part-4', cpu_compute: 'part-5', memory_bandwidth: 'part-6', disk_throughput: 'part-4',
  disk_iops: 'part-4',
}

export type KindId = 'points' | 'speed' | 'cost' | 'time' | 'hourly' | 'rate' | 'device_memory' | 'memory'

/** A chart of an answer: points on two axes, or bars. */
export type Kind =
  | { id: 'points' | 'speed'; points: Points; measures: Measures }
  | { id: Exclude<KindId, 'points' | 'speed'>; bars: Bars }

/** The charts that an answer has figures for, that of both axes first. */
export function kindsOf(answer: Answer, points: Points, measures: Measures): Kind[] {
  const rows = rowsOf(answer, points)
  const speed = speedOf(points)
  const bars: [Exclude<KindId, 'points' | 'speed'>, Bars][] = isService(answer)
    ? [['hourly', hourly(rows, points)]]
    : [['cost', costs(rows, points)], ['time', times(rows, points)], ['hourly', hourly(rows, points)]]
  const drawn = [...bars, ['rate', rates(rows)] as const, ['device_memory', memories(rows, true)] as const, ['memory', memories(rows, false)] as const]
  return [
    { id: 'points', points, measures },
    ...(speed ? [{ id: 'speed' as const, points: speed, measures: { ...measures, time: SPEED() } }] : []),
    ...drawn.flatMap(([id, bars]) => (bars.bars.length > 1 ? [{ id, bars }] : [])),
  ]
}

/** The recommendations, then the next best of other hardware. */
function rowsOf(answer: Answer, { others }: Points): Row[] {
  const rows = answer.recommendations.map((item): Row => ({ item, rank: item.rank }))
  const known = new Set(rows.map(({ item }) => kindOf(item)))
  for (const { item } of others) {
    if (known.has(kindOf(item))) continue
    known.add(kindOf(item))
    rows.push({ item, rank: '' })
  }
  return rows.slice(0, MOST_BARS)
}

/** Devices of a cloud, however many; processors by the size of their machine. */
const kindOf = (item: Candidate): string =>
  (item.accelerator ? `${item.cloud} ${item.accelerator.name}` : atCloud(item))

interface Row {
  item: Recommendation
  rank: number | ''
}

const money: Measure = { label: '', format: usd, said: usd, tick: (value) => (value ? `$${short(value)}` : '$0') }
const one = (): number => 1
const part = (name: string, tint: string, value: number, { said }: Measure): Part[] =>
  (value > 0 ? [{ name, tint, value, said: said(value) }] : [])
const lowest = (bars: Bar[]): Bar[] => bars.sort((first, second) => sumOf(first) - sumOf(second))
const limitOf = ({ limits }: Points, parameter: string): Bars['limit'] => limits.find((limit) => limit.parameter === parameter)

function bar(
  { item, rank }: Row, parts: readonly Part[], { said, format }: Measure, range: Range | null,
  notes: readonly string[] = [],
): Bar {
  const ends = range ? spread(range, format) : ''
  const whole = parts.reduce((sum, { value }) => sum + value, 0)
  return { item, rank, parts, range, said: said(whole), notes: [...(ends ? [t.why.likely(ends)] : []), ...notes] }
}

/** What a job costs: for machines, disks and the data's way. */
function costs(rows: readonly Row[], points: Points): Bars {
  const bars = rows.flatMap((row) => {
    const { cost_usd: cost, time_hours: time, staging } = row.item.estimate
    if (!cost) return []
    const disk = diskRate(row.item) * (time?.value ?? 0)
    const moved = staging?.usd ?? 0
    const parts = [
      ...part(t.chart.part.machines, 'part-0', cost.value - disk - moved, money), ...part(t.chart.part.disks, 'part-4', disk, money),
      ...part(t.chart.part.moved, 'part-3', moved, money),
    ]
    return [bar(row, parts, money, cost)]
  })
  return { label: t.chart.cost_of_job, measure: money, unit: one, bars: lowest(bars), limit: limitOf(points, 'budget_usd') }
}

/** How long a job takes: its work, and what comes before and between. */
function times(rows: readonly Row[], points: Points): Bars {
  const measure: Measure = { label: t.chart.time, format: hoursRoughly, said: duration, tick: hours }
  const bars = rows.flatMap((row) => {
    const { time_hours: time, staging, spot } = row.item.estimate
    if (!time) return []
    const { start, lost } = spot ? runOf(spot, time) : { start: 0, lost: 0 }
    const moved = spot ? 0 : staging?.hours ?? 0
    return [bar(row, [
      ...part(t.chart.part.moved, 'part-3', moved, measure), ...part(t.spot.start, 'part-7', start, measure),
      ...part(t.chart.part.work, 'part-0', time.value - moved - start - lost, measure),
      ...part(t.spot.lost, 'part-4', lost, measure),
    ], measure, time)]
  })
  return { label: t.chart.time, measure, unit: hoursOfUnit, bars: lowest(bars), limit: limitOf(points, 'deadline') }
}

/** What all machines cost an hour, with their disks. */
function hourly(rows: readonly Row[], points: Points): Bars {
  const bars = rows.map((row) => {
    const { item } = row
    const disk = diskRate(item)
    const rate = item.estimate.usd_per_hour // of a service, with its disks
    const machines = rate ? rate.value - disk : item.price.usd_per_hour * item.node_count
    return bar(row, [...part(t.chart.part.machines, 'part-0', machines, money), ...part(t.chart.part.disks, 'part-4', disk, money)], money, rate)
  })
  return { label: t.chart.usd_an_hour, measure: money, unit: one, bars: lowest(bars), limit: limitOf(points, 'max_usd_per_hour') }
}

/** How fast the machines are, coloured by what limits them; of a service, what they could serve. */
function rates(rows: readonly Row[]): Bars {
  const unit = word(rows[0]?.item.estimate.throughput.unit ?? '')
  const measure: Measure = { label: unit, format: rough, said: (value) => `${rough(value)} ${unit}`, tick: short }
  const bars = rows.map((row) => {
    const { throughput, capacity, bottleneck } = row.item.estimate
    const rate = capacity ?? throughput
    const limit = word(bottleneck)
    return bar(row, part(limit, LIMITED[bottleneck] ?? 'part-7', rate.value, measure), measure, rate, [t.why.limited_by + t.colon + limit])
  })
  return { label: unit, measure, unit: one, bars: lowest(bars).reverse(), coloured: true }
}

/** Memory as a share of what one device or one machine has; each part has its colour in all bars. */
function memories(rows: readonly Row[], ofDevice: boolean): Bars {
  const found = rows.flatMap(({ item, rank }) => {
    const { accelerator_memory_gib: device, memory_gib: host } = item.sizing
    const memory = ofDevice ? device : host
    return memory && memory.provided > 0 ? [{ item, rank, memory, parts: partsOf(memory) }] : []
  })
  const names = [...new Set(found.flatMap(({ parts }) => parts.map(({ name }) => name)))]
  const bars = found.map(({ item, rank, memory, parts }): Bar => ({
    item, rank, range: null, said: t.why.needs(plain(memory.required), gibibytes(memory.provided)),
    notes: [], parts: parts.map(({ name, gib }) => ({
      name: word(name), tint: `part-${names.indexOf(name) % PARTS}`, value: gib / memory.provided, said: gibibytes(gib),
    })),
  }))
  const measure = { label: '', format: share, said: share, tick: share }
  return { label: t.chart.of_memory, measure, unit: one, bars, whole: 1 }
}

const SPEED = (): Measures['time'] => {
  const said = (value: number): string => t.chart.a_user(rough(value))
  return { label: t.chart.speed, format: rough, said, tick: short, headline: (words) => words, rising: true }
}

/** The same machines by how fast one user gets tokens, where the answer says that. */
function speedOf(points: Points): Points | null {
  const fast = <Of extends Candidate, One extends Point<Of>>(some: readonly One[]): One[] => some.flatMap((point) => {
    const each = point.item.estimate.serving?.tpot_p95_ms
    if (!each) return []
    const x = { value: MS_A_SECOND / each.value, low: MS_A_SECOND / each.high, high: MS_A_SECOND / each.low }
    return [{ ...point, x }]
  })
  const recommendations = fast(points.recommendations)
  if (!recommendations.length) return null
  return {
    all: fast(points.all), frontier: fast(points.frontier), others: fast(points.others), recommendations,
    compared: fast(points.compared), limits: points.limits.filter(({ across }) => across === 'y'),
  }
}
