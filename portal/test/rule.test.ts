import { expect, test } from 'vitest'
import { inFields } from '../src/answer/rule.ts'

test('a sentence names the fields of the form, and keeps what is none', () => {
  expect(inFields('state dataset.region or batch_size; usd_per_hour and p4d.24xlarge stay')).toBe(
    'state “Region or cloud of the data” or “Batch size per device”; usd_per_hour and p4d.24xlarge stay',
  )
})
