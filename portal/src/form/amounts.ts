import { language } from '../texts/index.ts'

/** Amounts and times as people write them, read into what the API takes; null where one cannot be read. */

const MAGNITUDES: Readonly<Record<string, number>> = {
  '': 1, k: 1e3, thousand: 1e3, m: 1e6, mn: 1e6, million: 1e6, b: 1e9, bn: 1e9, g: 1e9, billion: 1e9, t: 1e12, trillion: 1e12,
  '万': 1e4, '亿': 1e8, nghìn: 1e3, triệu: 1e6, tỷ: 1e9, tr: 1e6,
}
const AMOUNT = /^[$€£¥]?\s*([\d.]+(?:e[+-]?\d+)?)\s*([a-zà-ỹ万亿]*)\s*(?:usd|\$)?$/iu
const GROUPED = /(\d)[,_\s](?=\d{3}(?!\d))/g

/** `$200`, `50M`, `1e9`, `1,000,000`. */
export function amountOf(text: string): number | null {
  const [, digits = '', word = ''] = AMOUNT.exec(text.trim().replace(GROUPED, '$1').replace(GROUPED, '$1')) ?? []
  const factor = MAGNITUDES[word.toLowerCase().replace(/usd$/, '')]
  const value = Number(digits) * (factor ?? NaN)
  return digits && Number.isFinite(value) ? Number(value.toPrecision(12)) : null
}

const MS_A_UNIT: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1000, sec: 1000, second: 1000, seconds: 1000, '秒': 1000, '毫秒': 1, giây: 1000 }
const TARGET = /^([\d.]+)\s*([a-zà-ỹ秒毫]*)$/iu

/** `500`, `500 ms`, `2 s`. */
export function millisecondsOf(text: string): number | null {
  const [, digits = '', unit = ''] = TARGET.exec(text.trim()) ?? []
  const value = Number(digits) * (MS_A_UNIT[unit.toLowerCase()] ?? NaN)
  return digits && Number.isFinite(value) ? value : null
}

const UNITS: readonly [string, RegExp][] = [
  ['min', /^(m|min|mins|minutes?|phút|分钟|分)$/iu],
  ['h', /^(|h|hr|hrs|hours?|giờ|小时|个小时)$/iu],
  ['d', /^(d|days?|ngày|天|日)$/iu],
  ['w', /^(w|wk|weeks?|tuần|周|星期)$/iu],
]
const HOURS_A_WEEK = 168
const SPAN = /^([\d.]+)\s*([^\d\s]*)$/u
const MORNING = 9 // the hour that a day without a time means: work that is due on Monday is there when Monday begins
const DAYS_A_WEEK = 7
const A_SUNDAY = Date.UTC(2023, 0, 1)
const MS_A_DAY = 86_400_000
const DATE = /^\d{4}-\d{2}-\d{2}$/
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/
const TOMORROW = ['tomorrow', 'ngày mai', '明天']

/** `24`, `2 days`, `Monday`, `tomorrow`, `2030-01-31`: a duration or a moment as the API takes them. */
export function deadlineOf(text: string, now: Date): string | null {
  const typed = text.trim().replace(/^(till|until|by|before|next|trước)\s+/i, '')
  const span = SPAN.exec(typed)
  if (span) return spanOf(span[1] ?? '', span[2] ?? '')
  const days = daysUntil(typed, now)
  if (days !== null) return moment(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING))
  if (DATE.test(typed)) return moment(new Date(`${typed}T0${MORNING}:00:00`))
  return LOCAL_TIME.test(typed) ? moment(new Date(typed)) : null
}

function spanOf(digits: string, word: string): string | null {
  const unit = UNITS.find(([, words]) => words.test(word))?.[0]
  const value = Number(digits)
  if (!unit || !Number.isFinite(value)) return null
  return unit === 'w' ? `${value * HOURS_A_WEEK}h` : `${value}${unit}`
}

function daysUntil(name: string, now: Date): number | null {
  if (TOMORROW.includes(name.toLowerCase())) return 1
  const day = weekdays().findIndex((names) => names.includes(name.toLowerCase()))
  return day < 0 ? null : (day - now.getDay() + DAYS_A_WEEK - 1) % DAYS_A_WEEK + 1
}

/** The names of each day of the week from Sunday on, in English and in the reader's language. */
function weekdays(): string[][] {
  return Array.from({ length: DAYS_A_WEEK }, (_, day) => ['en', language].flatMap((tag) =>
    (['long', 'short'] as const).map((weekday) =>
      new Intl.DateTimeFormat(tag, { weekday, timeZone: 'UTC' }).format(A_SUNDAY + day * MS_A_DAY).toLowerCase())))
}

const moment = (date: Date): string | null =>
  Number.isNaN(date.getTime()) ? null : date.toISOString().replace(/\.\d+Z$/, 'Z')
