import { expect, test } from 'vitest'
import { makerOf } from '../src/hardware/facts.ts'

test('a maker is named once', () => {
  expect([
    makerOf({ vendor: 'Apple', generation: 'Apple M3', year: 2025 }), makerOf({ vendor: 'AMD', generation: 'CDNA3', year: 2023 }),
  ]).toEqual(['Apple M3, 2025', 'AMD CDNA3, 2023'])
})
