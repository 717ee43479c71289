import { expect, test } from 'vitest'
import { GROUPS } from '../src/form/fields.ts'
import parameters from '../src/parameters.json'
import { wordsOf } from '../src/request.ts'
import { LANGUAGES, language, limitName, useLanguage } from '../src/texts/index.ts'
import { matching, partTyped } from '../src/form/suggestions.ts'
import {
  compact, dollars, hours, hoursRoughly, memory, milliseconds, plain, rough, spread, unitPrice, usd,
} from '../src/units.ts'

const FIELDS = GROUPS.flatMap((group) => group.fields)

test.each(Object.entries(LANGUAGES))('%s names every field, once each', (_, texts) => {
  const names = FIELDS.map((field) => texts.fields[field.name])
  expect(names.filter((name) => !name)).toEqual([])
  expect(Object.keys(texts.fields).sort()).toEqual(FIELDS.map((field) => field.name).sort())
  expect(new Set(names).size).toBe(names.length)
})

test.each(Object.entries(LANGUAGES))('%s has the same hints and unset words as English', (_, texts) => {
  expect(Object.keys(texts.hints)).toEqual(Object.keys(LANGUAGES.en?.hints ?? {}))
  expect(Object.keys(texts.unset)).toEqual(Object.keys(LANGUAGES.en?.unset ?? {}))
})

test.each(['zh', 'vi'])('%s has a name for whatever a machine can fail at', (tag) => {
  const constraints = Object.entries(parameters).filter(([, { path }]) => path[0] === 'constraints').map(([name]) => name)
  const resources = ['accelerator_memory', 'memory', 'network', 'price', 'deadline', 'budget', 'latency', 'quota', 'framework', 'precision']
  useLanguage(tag, [])
  const nameless = [...constraints, ...resources].filter((name) => limitName(name) === name.replaceAll('_', ' '))
  useLanguage('en', [])
  expect(nameless).toEqual([])
})

test('a choice offers only words that its parameter takes', () => {
  const strange = FIELDS.flatMap(({ name, words = [] }) => {
    const known = wordsOf(name)
    return words.flatMap((word) => word.split(',')).filter((word) => known.length && !known.includes(word))
  })
  expect(strange).toEqual([])
})

test("the language that is asked for comes first, then the reader's own, then English", () => {
  const chosen = (asked: string | null, preferred: string[]): string => {
    useLanguage(asked, preferred)
    return language
  }
  expect([chosen('vi', ['zh-CN']), chosen(null, ['fr', 'zh-CN']), chosen('xx', [])]).toEqual(['vi', 'zh', 'en'])
})

test('figures have three digits and the unit that people would say', () => {
  useLanguage('en', [])
  expect([plain(1234.5), plain(0.012345), plain(null)]).toEqual(['1,235', '0.0123', '–'])
  expect([usd(0.05), usd(2.5), usd(12345)]).toEqual(['$0.05', '$2.50', '$12,345'])
  expect([hours(0.25), hours(30), hours(72), hours(1, 72)]).toEqual(['15\u00a0min', '30\u00a0h', '3\u00a0days', '0.0417\u00a0days'])
})

test('names that begin with what is typed come before those that hold it', () => {
  const items = [{ name: 'tiny-bert' }, { name: 'bert-large', aliases: ['big'] }, { name: 'other', aliases: ['bert'] }]
  expect(matching(items, 'BERT').map((item) => item.name)).toEqual(['bert-large', 'other', 'tiny-bert'])
})

test('of a field that takes several, the last one is being typed', () => {
  expect(partTyped('instance_types', 'p3.2xlarge, g5')).toEqual({ before: 'p3.2xlarge,', typed: 'g5' })
  expect(partTyped('model', 'a,b')).toEqual({ before: '', typed: 'a,b' })
})

test('the ends of a range share their unit, where it is the same', () => {
  useLanguage('en', [])
  const range = (low: number, value: number, high: number) => ({ low, value, high })
  expect(spread(range(2, 3.4, 5.9), hours)).toBe('2 – 5.9\u00a0h')
  expect(spread(range(24, 60, 72), hours)).toBe('1\u00a0day – 3\u00a0days')
  expect(spread(range(10, 20, 30), milliseconds)).toBe('10 – 30\u00a0ms')
  expect(spread(range(1, 2, 3), usd)).toBe('$1.00 – $3.00')
  expect(spread(range(2, 2, 2), usd)).toBe('')
})

test('estimates are rounded as people say them', () => {
  useLanguage('en', [])
  const range = (low: number, value: number, high: number) => ({ low, value, high })
  expect(spread(range(0.998, 1.17, 1.36), hoursRoughly)).toBe('1:00 – 1:22\u00a0h')
  expect(spread(range(1.26, 3.65, 10.6), hoursRoughly)).toBe('1:15 – 10:35\u00a0h')
  expect([0.5, 1.17, 6.4, 13].map((value) => hoursRoughly(value))).toEqual(
    ['30\u00a0min', '1\u00a0h 10\u00a0min', '6\u00a0h 24\u00a0min', '13\u00a0h'])
  expect([rough(13331), unitPrice(0.0496), unitPrice(0.1), unitPrice(1.5)]).toEqual(['13,300', '$0.050', '$0.100', '$1.50'])
  expect([dollars(100), dollars(0.5), memory(0.147), memory(14.2)]).toEqual(['$100', '$0.50', '151 MiB', '14.2 GiB'])
  expect([milliseconds(303), milliseconds(5987), compact('1e18'), compact('2.5e19')])
    .toEqual(['303\u00a0ms', '5.99\u00a0s', '10¹⁸', '2.5 × 10¹⁹'])
})

test('a number before a word has that word in the singular or plural', () => {
  const { asked } = LANGUAGES.en ?? {}
  expect([asked?.requests_per_second?.('1'), asked?.epochs?.('90')]).toEqual(['1 request/s', '90 epochs'])
  expect([LANGUAGES.zh?.asked.tokens?.('5000万'), LANGUAGES.zh?.asked.tokens?.('300')]).toEqual(['5000万个 token', '300 个 token'])
})
