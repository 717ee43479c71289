import { expect, test } from 'vitest'
import { tradeOf } from '../src/chart/limits.ts'
import type { Measures, Point } from '../src/chart/points.ts'
import { agreements, bareMachine, constraintsOf, mine, useMine, whenMine } from '../src/mine.ts'

test.each([
  ['aws 20%', { discounts: [{ cloud: 'aws', percent: 20 }] }],
  ['Google reserved 30%', { commitments: [{ cloud: 'gcp', kind: 'reserved', percent: 30 }] }],
  ['aws p5.48xlarge reserved $30', {
    commitments: [{ cloud: 'aws', kind: 'reserved', instance_types: ['p5.48xlarge'], usd_per_hour: 30 }],
  }],
  ['aws max 4', { quotas: [{ cloud: 'aws', max_nodes: 4 }] }],
  ['8×A100 $12', { own_machines: [{ label: '8×A100 $12', accelerator: 'A100', count: 8, usd_per_hour: 12 }] }],
  ['something', {}],
])('%s is what the API takes', (entry, expected) => {
  expect(constraintsOf([entry])).toEqual(expected)
})

test('agreements are the entries that are prices of a cloud, and whoever shows them is told of others', () => {
  const shown: (readonly string[])[] = []
  whenMine(() => { shown.push(mine()) })
  useMine(['8×A100 $12', 'aws 20%', 'gcp reserved 30%', 'aws max 4'])
  expect(agreements()).toEqual(['aws 20%', 'gcp reserved 30%'])
  useMine([])
  expect(shown.map((entries) => entries.length)).toEqual([4, 0])
})

test('a machine without a price is compared without one', () => {
  expect([bareMachine('8 x A100 80GB'), bareMachine('2×H100 @ 5'), bareMachine('g5.xlarge')]).toEqual([
    { accelerator: 'A100-80GB', count: 8 }, { accelerator: 'H100', count: 2, usd_per_hour: 5 }, null,
  ])
})

test('a limit that is moved says what that saves or costs', () => {
  const range = (value: number) => ({ value, low: value, high: value })
  const point = (x: number, y: number) => ({ item: {}, x: range(x), y: range(y) }) as unknown as Point
  const measures = { time: { said: (value: number) => `${value} h` }, cost: { said: (value: number) => `$${value}` } }
  const limit = { across: 'x' as const, value: 10, label: '', parameter: 'deadline' }
  const points = [point(9, 20), point(15, 15), point(4, 30)]
  const trade = tradeOf(limit, () => points, measures as unknown as Measures)
  expect([trade(16), trade(5), trade(10), trade(12), trade(1)]).toEqual(['6 h more saves $5', '5 h less costs $10', '', '', ''])
})
