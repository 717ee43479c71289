import { expect, test } from 'vitest'
import { tintsOf } from '../src/chart/clouds.ts'
import { partsOf } from '../src/chart/memory.ts'
import { axis } from '../src/chart/scale.ts'
import { hoursOf } from '../src/duration.ts'

test.each([
  [[10, 20], [10, 15, 20]],
  [[5], [4.8, 5, 5.2, 5.4]],
  [[1, 50], [1, 2, 5, 10, 20, 50]],
  [[1, 100], [1, 10, 100]],
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
