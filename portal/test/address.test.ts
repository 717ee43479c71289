import { expect, test } from 'vitest'
import { addressOf, ownIn, questionIn } from '../src/address.ts'

const SEARCH = '?task=training&model=resnet50&lang=vi&open=2&format=csv'

test("the question is what is not the page's own", () => {
  expect(questionIn(SEARCH).toString()).toBe('task=training&model=resnet50')
  expect(ownIn(SEARCH, 'lang')).toBe('vi')
})

test("an address keeps what is the page's own, but for what is changed", () => {
  const question = new URLSearchParams({ task: 'hpc' })
  expect(addressOf(question, SEARCH, { open: null, why_not: 'p3.2xlarge' })).toBe('?task=hpc&lang=vi&why_not=p3.2xlarge')
})
