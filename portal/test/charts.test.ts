import { expect, test } from 'vitest'
import { sumOf } from '../src/chart/bars.ts'
import { kindsOf } from '../src/chart/kinds.ts'
import { measuresOf, pointsOf } from '../src/chart/points.ts'
import { savingOf, waysOf } from '../src/hardware/commitment.ts'
import { changed, type Past } from '../src/hardware/history.ts'
import type { Answer, Recommendation } from '../src/types.ts'

const range = (value: number) => ({ value, low: value / 2, high: value * 2 })

/** A recommendation of a training run: 2 machines at $3, 10 hours, and $73 of disks a month. */
function machine(rank: number, cost: number): Recommendation {
  return {
    rank, cloud: 'aws', region: 'us-east-1', instance_type: `m${rank}`, node_count: 2, purchase: 'on_demand', label: null,
    accelerator: { name: `A${rank}`, count: 1, memory_gib: 40 }, price: { usd_per_hour: 3 },
    estimate: {
      time_hours: range(10), cost_usd: range(cost), throughput: { ...range(rank), unit: 'samples/s' }, capacity: null,
      bottleneck: 'network', usd_per_hour: null, staging: { hours: 2, usd: 5 }, spot: null, serving: null,
    },
    sizing: {
      disk: { usd_per_month: 73, root_volume: null }, vcpus: { required: 1, provided: 4 },
      memory_gib: { required: 4, provided: 8 },
      accelerator_memory_gib: { required: 30, provided: 40, breakdown: { weights: 10, activations: 20 } },
    },
  } as unknown as Recommendation
}

const recommendations = [machine(1, 80), machine(2, 70)]
const answer = { workload: { task: 'training' }, frontier: [], recommendations } as unknown as Answer
const kinds = kindsOf(answer, pointsOf(answer, new URLSearchParams(), 0), measuresOf(answer))
const barsOf = (wanted: string) => kinds.flatMap((kind) => (kind.id === wanted && 'bars' in kind ? kind.bars.bars : []))

test('a job has a chart of each figure, and none of speed per user', () => {
  expect(kinds.map(({ id }) => id)).toEqual(['points', 'cost', 'time', 'hourly', 'rate', 'device_memory', 'memory'])
})

test('the parts of a cost are those of the answer, the cheapest machine on top', () => {
  const [cheapest] = barsOf('cost')
  expect(cheapest?.rank).toBe(2)
  expect(cheapest?.parts.map(({ value }) => Math.round(value))).toEqual([63, 2, 5])
  expect(cheapest && sumOf(cheapest)).toBeCloseTo(70)
})

test('time is told apart from the way of the data, and an hour is that of all machines', () => {
  expect(barsOf('time')[0]?.parts.map(({ value }) => value)).toEqual([2, 8])
  expect(barsOf('hourly')[0]?.parts.map(({ value }) => Number(value.toFixed(3)))).toEqual([6, 0.2])
})

test('memory is a share of what there is, the most throughput is on top', () => {
  expect(barsOf('device_memory')[0]?.parts.map(({ value }) => value)).toEqual([0.25, 0.5])
  expect(barsOf('rate').map(({ rank }) => rank)).toEqual([2, 1])
})

test.each([['30%', 0.3], ['30', 0.3], ['$1.5', 0.25], ['$2', null], ['0', null], ['100%', null], ['half', null], ['', null]])(
  'a saving typed as %s on $2 is %s', (typed, expected) => {
    expect(savingOf(typed, 2)).toBe(expected)
  })

test('a commitment is paid for all hours, and pays off from the hours at which on demand costs as much', () => {
  const { regular, discount, commitment, even } = waysOf({ regular: 2, own: 1.5, hours: 100 })
  expect([regular.month, discount.month, commitment.month, even]).toEqual([200, 150, 1095, 547.5])
  expect(waysOf({ regular: 2, own: 1.5, hours: even }).regular.month).toBe(commitment.month)
})

test('lists without a change of the prices are left out, the oldest is not', () => {
  const past = (version: string, price: number) => ({ version, on_demand: price, spot: null }) as Past
  expect(changed([past('d', 2), past('c', 1), past('b', 1), past('a', 1)]).map(({ version }) => version)).toEqual(['d', 'a'])
})
