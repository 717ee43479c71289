import { expect, test } from 'vitest'
import { amountOf, deadlineOf, millisecondsOf } from '../src/form/amounts.ts'
import { forgiven, line, partsOf, shownIn } from '../src/form/asked.ts'
import { matchingModels, ofThatSize } from '../src/form/models.ts'
import { exampleOf, isTabOf, TABS, tabOf } from '../src/form/tabs.ts'
import { useLanguage } from '../src/texts/index.ts'
import { duration } from '../src/units.ts'

const A_WEDNESDAY = new Date(2030, 0, 2, 15)

test.each([
  ['$200', 200], ['200 USD', 200], ['50M', 5e7], ['1.5 bn', 1.5e9], ['1e9', 1e9], ['1,000,000', 1e6], ['1_000', 1000], ['50万', 5e5],
  ['many', null], ['-3', null], ['', null], ['12 parsecs', null],
])('the amount %j is %j', (typed, expected) => {
  expect(amountOf(typed)).toBe(expected)
})

test.each([['24', '24h'], ['2 days', '2d'], ['36 hours', '36h'], ['90 min', '90min'], ['1 week', '168h'], ['2天', '2d'], ['soon', null]])(
  'the deadline %j is %j', (typed, expected) => {
    expect(deadlineOf(typed, A_WEDNESDAY)).toBe(expected)
  })

test.each([['Monday', 7], ['till Monday', 7], ['wednesday', 9], ['thu', 3], ['tomorrow', 3], ['2030-01-20', 20]])(
  'a day without a time, such as %j, means the morning of it, in the future', (typed, day) => {
    expect(deadlineOf(typed, A_WEDNESDAY)).toBe(new Date(2030, 0, day, 9).toISOString().replace('.000', ''))
  })

test('days have the names of the reader\'s language too', () => {
  useLanguage('zh', [])
  expect(deadlineOf('星期一', A_WEDNESDAY)).toBe(new Date(2030, 0, 7, 9).toISOString().replace('.000', ''))
  useLanguage('en', [])
})

test('a target is in milliseconds, unless it says seconds', () => {
  expect(['500', '500 ms', '2 s', 'none'].map(millisecondsOf)).toEqual([500, 500, 2000, null])
})

test('what is no amount is left as it was typed, and so are units of memory', () => {
  const typed = [['epochs', 'many'], ['memory_gib', '64GB'], ['model', '7b'], ['latency_ms', 'none'], ['budget_usd', '$1k']]
  expect(typed.map(([name = '', value = '']) => forgiven(name, value))).toEqual(['many', '64GB', '7b', 'none', '1000'])
})

test('a large amount is shown as it can be typed', () => {
  const amounts = ['50000000', '10000000000', '1281167', '90']
  const shown = amounts.map((amount) => shownIn('tokens', amount))
  expect(shown).toEqual(['50M', '10B', '1281167', '90'])
  expect(shown.map((amount) => forgiven('tokens', amount))).toEqual(amounts)
})

test('money and latencies are shown with their units, as they can be typed', () => {
  const asked = [['budget_usd', '200'], ['budget_usd', '0.5'], ['max_usd_per_hour', '1000000'], ['latency_ms', '2000'], ['tpot_ms', '12.5']] as const
  const shown = asked.map(([name, value]) => shownIn(name, value))
  expect(shown).toEqual(['$200', '$0.5', '$1M', '2 s', '12.5 ms'])
  expect(asked.map(([name], place) => forgiven(name, shown[place] ?? ''))).toEqual(asked.map(([, value]) => value))
  expect(partsOf(new URLSearchParams({ latency_ms: '2000' }))).toEqual(['within 2\u00a0s'])
})

test('a size finds the models of about that size, those that are current first', () => {
  const models = [
    ['opt-6.7b', 6.7e9], ['qwen2.5-vl-7b', 8.3e9], ['llama-7b', 6.7e9], ['qwen2.5-7b', 7.6e9], ['mistral-7b', 7.2e9],
    ['qwen2.5-72b', 72e9], ['mistral-large-123b', 123e9],
  ].map(([name, parameters]) => ({ name: String(name), parameters: Number(parameters) }))
  const found = (typed: string): string[] => matchingModels(models, typed).map(({ name }) => name)
  expect(found('7b')).toEqual(['mistral-7b', 'qwen2.5-7b', 'llama-7b', 'opt-6.7b', 'qwen2.5-vl-7b'])
  expect(found('qwen 7b')).toEqual(['qwen2.5-7b', 'qwen2.5-vl-7b'])
  expect(found('Mistral')).toEqual(['mistral-7b', 'mistral-large-123b'])
})

test('a model of any size is asked for by a name that nobody has', () => {
  const models = ['qwen2.5-7b', 'llama-7b'].map((name) => ({ name }))
  expect(['9b', 'qwen2.5 9b', '350M', '7b', 'none 9b', 'qwen'].map((typed) => ofThatSize(models, typed)))
    .toEqual(['llama-9b', 'qwen2.5-9b', 'llama-350m', null, null, null])
})

test('each example belongs to its tab, as far as a question says', () => {
  for (const tab of TABS) {
    for (const place of [0, 1, 2]) {
      const example = exampleOf(tab, place)
      expect(isTabOf(tab, example)).toBe(true)
      if (!example.has('dataset_samples')) expect(tabOf(example)).toBe(tab)
    }
  }
})

test('a question is told in one line', () => {
  const asked = new URLSearchParams('task=training&model=mistral-7b&method=lora&tokens=50000000&budget_usd=200&deadline=2d')
  expect(line('finetune', asked, {})).toBe('Fine-tune: mistral-7b, LoRA, 50M tokens, within 2\u00a0days, at most $200')
  asked.set('deadline', '3.28h')
  expect(line('finetune', asked, {})).toContain('within 3\u00a0h 17\u00a0min')
  asked.set('deadline', '2030-01-07T09:00')
  expect(line('finetune', asked, {})).toContain('by Mon, Jan 7, 9:00')
})

test('a time is told as people say it', () => {
  expect([0.0015, 0.5, 1.1333, 3, 12.4, 58].map((hours) => duration(hours).replaceAll('\u00a0', ' '))).toEqual([
    '5.4 s', '30 min', '1 h 8 min', '3 h', '12 h', '2.4 days',
  ])
})
