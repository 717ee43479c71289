import { expect, test } from 'vitest'
import { inWords } from '../src/answer/rule.ts'
import { useLanguage } from '../src/texts/index.ts'

test('a sentence names the fields of the form, and keeps what is none', () => {
  expect(inWords('state dataset.region or batch_size; usd_per_hour and p4d.24xlarge stay')).toBe(
    'state “Region or cloud of the data” or “Batch size per device”; usd_per_hour and p4d.24xlarge stay',
  )
})

test('a sentence names machines as the page does, in each language', () => {
  const said = (tag: string, text: string): string => {
    useLanguage(tag, [])
    return inWords(text)
  }
  expect(said('en', 'ahead of 2 × H100-SXM (1 × hyperbolic 2x-H100-149-1443): costs 61% less')).toBe(
    'ahead of 2 × H100 SXM at Hyperbolic: costs 61% less')
  expect(said('en', '16 × A100-40GB (2 × aws p4d.24xlarge) at 44 USD')).toBe('16 × A100 40GB at AWS (2\u00a0machines) at 44 USD')
  expect(said('zh', '优于 8 × RTX-A4000（1 × hyperstack n3-RTX-A4000x8）：')).toBe('优于 Hyperstack 的 8 × RTX A4000：')
  expect(said('en', '1 × oci VM.Standard.E6.Flex$_2ocpu_8gb; 2 × the peak rate')).toBe(
    'VM.Standard.E6.Flex$_2ocpu_8gb at Oracle Cloud; 2 × the peak rate')
})
