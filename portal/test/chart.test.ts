import { expect, test } from 'vitest'
import { isFree } from '../src/chart/badges.ts'
import { tintsOf } from '../src/chart/clouds.ts'
import { partsOf } from '../src/chart/memory.ts'
import { namesOf } from '../src/chart/marks.ts'
import { stands } from '../src/chart/names.ts'
import { measuresOf, pointsOf } from '../src/chart/points.ts'
import { axis } from '../src/chart/scale.ts'
import { hoursOf } from '../src/duration.ts'
import type { Answer, Candidate } from '../src/types.ts'
import { short } from '../src/units.ts'

test.each([
  [[10, 20], [10, 15, 20]],
  [[5], [4.8, 5, 5.2, 5.4]],
  [[1, 50], [1, 2, 5, 10, 20, 50]],
  [[1, 100], [1, 3, 10, 30, 100]],
  [[1e-3, 1e9], [1e-1, 1e2, 1e5, 1e8]],
])('the axis over %j has round ticks, and is logarithmic over more than a factor of eight', (values, expected) => {
  const { ticks } = axis(values)
  expect(ticks).toHaveLength(expected.length)
  ticks.forEach((tick, index) => {
    expect(tick / (expected[index] ?? 0)).toBeCloseTo(1, 9)
  })
})

test('an axis puts larger values further on, all within its length', () => {
  const { at } = axis([2, 3000, 40])
  expect([at(2) > 0, at(2) < at(40), at(40) < at(3000), at(3000) < 1]).toEqual([true, true, true, true])
})

test('a cloud has its own colour, whichever others are there', () => {
  expect(tintsOf(['gcp', 'aws']).get('gcp')).toBe(tintsOf(['gcp', 'lambda', 'verda']).get('gcp'))
  expect(new Set(tintsOf(['aws', 'azure', 'lambda', 'verda', 'nebius']).values()).size).toBe(5)
})

test('a deadline in any of its spellings is so many hours from now', () => {
  const now = Date.parse('2030-01-01T00:00:00Z')
  const spellings = ['48h', '2d', 'P2D', 'PT48H', '2880 min', '2030-01-03T00:00:00Z', 'soon', undefined]
  expect(spellings.map((spelling) => hoursOf(spelling, now))).toEqual([48, 48, 48, 48, 48, 48, null, null])
})

test('memory without a breakdown is one part', () => {
  expect(partsOf({ required: 3, provided: 8 }).map((part) => part.gib)).toEqual([3])
  expect(partsOf({ required: 3, provided: 8, breakdown: { weights: 2, other: 0 } }).map((part) => part.name)).toEqual([
    'weights',
  ])
})

const ROOM = { left: 0, right: 300, top: 0, bottom: 200, dots: [], lines: [] }

test('badges and their names stand apart, the first on its point and none outside its room', () => {
  const points = [{ x: 100, y: 30 }, { x: 102, y: 30 }, { x: 98, y: 31 }, { x: 200, y: 150 }]
  const all = stands(points.map((at) => ({ at, words: '8 × A100' })), ROOM)
  expect([all[0]?.badge, all[3]?.badge]).toEqual([points[0], points[3]])
  const badges = all.flatMap((one) => one?.badge ?? [])
  const names = all.flatMap((one) => one?.name ?? [])
  expect([badges.length, names.length]).toEqual([4, 4])
  for (const [place, one] of badges.entries()) {
    expect(isFree(one, badges.slice(0, place))).toBe(true)
    expect([one.x, 300 - one.x, one.y, 200 - one.y].every((room) => room >= 0)).toBe(true)
    expect(names.every((name) =>
      Math.abs(one.y - name.y) >= 17 || one.x + 10 < name.x || one.x - 10 > name.x + name.length)).toBe(true)
  }
})

test('a name keeps off dots and limits, and a crowd of badges has no room for all', () => {
  const dots = [{ x: 140, y: 100 }, { x: 60, y: 100 }]
  const [kept] = stands([{ at: { x: 100, y: 100 }, words: '8 × A100' }], { ...ROOM, dots, lines: [130] })
  const { x, y, length } = kept?.name ?? { x: 0, y: 100, length: 130 }
  expect([kept?.badge.y, y === 100, x + length < 130]).toEqual([100, false, true])
  const [long] = stands([{ at: { x: 100, y: 100 }, words: '1 × H100 at a cloud whose name has no room', short: '1 × H100' }], ROOM)
  expect(long?.name?.words).toBe('1 × H100')
  const crowd = Array.from({ length: 100 }, () => ({ at: { x: 10, y: 10 }, words: '' }))
  const badges = stands(crowd, { ...ROOM, right: 40, bottom: 40 })
  expect([badges[0]?.badge, badges.at(-1)]).toEqual([{ x: 10, y: 10 }, null])
})

test('a time axis has the round times of clocks and calendars', () => {
  const steps = [1 / 6, 0.5, 1, 3, 10, 24, 72]
  expect(axis([0.4, 30], false, { steps, unit: () => 1 }).ticks).toEqual([0.5, 1, 3, 10, 24])
  const { ticks } = axis([60, 100], false, { steps, unit: () => 24 })
  expect(ticks.map((tick) => tick / 24)).toEqual([2.5, 3, 3.5, 4, 4.5])
})

test.each([
  [{ requests_per_second: 5 }, '$ per hour', [9], [40]],
  [{ requests_per_second_by_hour: [5, 9] }, '$ per hour', [9], [40]],
  [{}, '$\u00a0per\u00a01M', [0.5], []],
])('a service with %j costs what its frontier is drawn from: %s', (load, label, costs, limits) => {
  const even = (value: number) => ({ value, low: value, high: value })
  const estimate = { latency_ms: even(20), usd_per_hour: even(9), usd_per_million: even(0.5) }
  const answer = { workload: { task: 'inference', ...load }, frontier: [{ estimate }], recommendations: [] } as unknown as Answer
  const points = pointsOf(answer, new URLSearchParams('max_usd_per_hour=40'), 0)
  expect(measuresOf(answer).cost.label).toBe(label)
  expect(measuresOf(answer).time.headline('20 ms')).toBe('latency about 20 ms')
  expect(points.frontier.map((point) => point.y.value)).toEqual(costs)
  expect(points.limits.map((limit) => limit.value)).toEqual(limits)
})

test('the latency of a language model is that of its first token', () => {
  const estimate = { serving: { ttft_p95_ms: { value: 60, low: 50, high: 70 } } }
  const answer = { workload: { task: 'inference' }, frontier: [{ estimate }], recommendations: [] } as unknown as Answer
  expect(measuresOf(answer).time.headline('60 ms')).toBe('first token in about 60 ms (p95)')
})

test('inference with an end is a job', () => {
  const even = (value: number) => ({ value, low: value, high: value })
  const estimate = { time_hours: even(7), cost_usd: even(30), usd_per_million: even(0.5) }
  const answer = { workload: { task: 'inference', requests: 1e6, deadline: '9h' }, frontier: [{ estimate }], recommendations: [] } as unknown as Answer
  const points = pointsOf(answer, new URLSearchParams(), 0)
  expect(points.frontier.map(({ x, y }) => [x.value, y.value])).toEqual([[7, 30]])
  expect(points.limits.map((limit) => limit.value)).toEqual([9])
})

test('an axis writes large figures in few signs, so that they are not cut off beside it', () => {
  expect([0.05, 200, 50_000, 500_000, 25_000_000].map(short)).toEqual(['0.05', '200', '50,000', '500K', '25M'])
})

test('a badge beside its point is near enough to be read with it', () => {
  const crowd = Array.from({ length: 40 }, (_, place) => ({ at: { x: 150 + place / 10, y: 100 }, words: '8 × A100' }))
  const placed = stands(crowd, ROOM).flatMap((stand) => stand ?? [])
  expect(placed.length).toBeGreaterThan(4)
  expect(placed.every(({ at, badge }) => Math.hypot(badge.x - at.x, badge.y - at.y) <= 1.5 * 23 + 0.01)).toBe(true)
})

test('names of machines tell each from the others', () => {
  const item = (cloud: string, instance_type: string, gpus: string): Candidate =>
    ({ cloud, instance_type, node_count: 1, label: null, accelerator: { name: gpus, count: 1 } }) as Candidate
  const items = [item('aws', 'g5.xlarge', 'A10G'), item('oci', 'one', 'T4'), item('oci', 'two', 'T4'), item('gcp', 'n1', 'T4')]
  expect(namesOf(items)).toEqual(['1 × A10G', 'one', 'two', '1 × T4 at Google Cloud'])
})
