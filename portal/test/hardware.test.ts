import { expect, test } from 'vitest'
import { csvOf } from '../src/hardware/csv.ts'
import { type Machine, makerOf } from '../src/hardware/facts.ts'
import { cloudsOf } from '../src/hardware/providers.ts'

test('a maker is named once', () => {
  expect([
    makerOf({ vendor: 'Apple', generation: 'Apple M3', year: 2025 }), makerOf({ vendor: 'AMD', generation: 'CDNA3', year: 2023 }),
  ]).toEqual(['Apple M3, 2025', 'AMD CDNA3, 2023'])
})

test('a file has all fields of all rows, those within a field under both names', () => {
  const rows = [{ name: 'a, "b"', part: null, prices: {} }, { name: 'c', part: { size: 2 }, clouds: ['x', 'y'], prices: { spot: 0.5 } }]
  expect(csvOf(rows)).toBe('name,part_size,clouds,prices_spot\n"a, ""b""",,,\nc,2,x y,0.5\n')
})

test('a cloud has the lowest price of one device among its machines that can be rented', () => {
  const machine = (cloud: string, count: number, prices: Record<string, number>, retired = false) =>
    ({ cloud, retired, accelerator: { name: 'A', count }, lowest_usd_per_hour: prices }) as unknown as Machine
  const found = cloudsOf([
    machine('x', 8, { on_demand: 16, spot: 8 }), machine('x', 1, { on_demand: 3 }), machine('x', 1, { on_demand: 1 }, true),
    machine('y', 2, { spot: 1 }), machine('z', 1, {}),
  ])
  expect(found).toEqual([
    { cloud: 'y', regular: null, spot: 0.5, machines: 1 }, { cloud: 'x', regular: 2, spot: 1, machines: 2 },
  ])
})
