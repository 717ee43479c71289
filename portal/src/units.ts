import { language, t } from './texts/index.ts'
import type { Candidate, Range } from './types.ts'

const HOURS_A_DAY = 24
/** Of a month as clouds bill it. */
export const HOURS_A_MONTH = 365 * HOURS_A_DAY / 12
const MINUTES_AN_HOUR = 60
const SIGNIFICANT_DIGITS = 3
const TEN_CENTS = 0.1
const MINUTES_UP_TO_HOURS = 10 // from there on, minutes say nothing
const HUNDRED = 100
const FIVE = 5
const NOTHING = '–'
const UNIT = /[^\d.,]+$/

const EXACT = { maximumFractionDigits: 20 }
const WHOLE = { maximumFractionDigits: 0 }
const SIGNIFICANT = { maximumSignificantDigits: SIGNIFICANT_DIGITS }
const SURE = 0.999 // the last tenth of a percent below certainty
const PERCENT: Intl.NumberFormatOptions = { style: 'percent', maximumFractionDigits: 1 }
const LONG = 1e5 // more than five digits and their separator have no room beside an axis
const COMPACT: Intl.NumberFormatOptions = { notation: 'compact', maximumSignificantDigits: SIGNIFICANT_DIGITS }
const WORDED: Intl.NumberFormatOptions = { ...COMPACT, compactDisplay: 'long' } // in Vietnamese, T is 10⁹
const LARGEST_NAMED = 1e15 // beyond, there are no words that everyone knows
const MILLS = { minimumFractionDigits: 3, maximumFractionDigits: 3 }
const LEAST_UNIT_PRICE = 0.01
const MS_A_SECOND = 1000
const MIB_A_GIB = 1024
const LEAST_GIB = 1
const POWERS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const NO_CENTS = /[.,]00$/
const RATE = { minimumFractionDigits: 2, maximumFractionDigits: 4 }
const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 }

// A formatter takes far longer to make than to use, and a chart writes thousands of numbers.
const formatters = new Map<Intl.NumberFormatOptions, Intl.NumberFormat>()
let formattersOf = ''

export type Amount = number | null | undefined

/** A number to three significant digits, with thousands set apart. */
export function plain(value: Amount): string {
  if (value === null || value === undefined) return NOTHING
  return formatter(Math.abs(value) >= 10 ** SIGNIFICANT_DIGITS ? WHOLE : SIGNIFICANT).format(value)
}

/** A number with all its digits. */
export const exact = (value: number): string => formatter(EXACT).format(value)

/** The same in few signs, for where there is little room: large ones with a word for thousands or millions. */
export function short(value: number): string {
  return value < LONG ? plain(value) : formatter(COMPACT).format(value)
}

/** A count in as few signs as tell it, such as 50M; what is no number as it is. */
export function compact(value: string): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  return number < LARGEST_NAMED ? formatter(language === 'vi' ? WORDED : COMPACT).format(number) : scientific(number)
}

/** A number beyond all that has a name, as a power of ten. */
function scientific(value: number): string {
  const [digits = '', power = ''] = value.toExponential(2).split('e+')
  const ten = `10${power.replace(/\d/g, (digit) => POWERS[Number(digit)] ?? '')}`
  return Number(digits) === 1 ? ten : `${plain(Number(digits))} × ${ten}`
}

/** A figure that is known to three digits at most. */
export function rough(value: Amount): string {
  return plain(value && Number(value.toPrecision(SIGNIFICANT_DIGITS)))
}

/** US dollars: to the cent, in whole dollars from a thousand on, and below ten cents as precisely as needed. */
export function usd(value: Amount): string {
  if (value === null || value === undefined) return NOTHING
  if (value < TEN_CENTS || value >= 10 ** SIGNIFICANT_DIGITS) return `$${plain(value)}`
  return `$${formatter(CENTS).format(value)}`
}

/** A price per hour with all of its digits that a month's cost shows. */
export const rate = (value: number): string => `$${formatter(RATE).format(value)}`

/** A limit in US dollars, whose cents are said only where it has some. */
export function dollars(value: Amount): string {
  return usd(value).replace(NO_CENTS, '')
}

/** Unit prices below a dollar, all with the same digits so that they can be held against each other. */
export function unitPrice(value: Amount): string {
  if (!value || value >= 1 || value < LEAST_UNIT_PRICE) return usd(value)
  return `$${formatter(MILLS).format(value)}`
}

/** Hours, in the unit that people would say of `like`, so that the two ends of a range share theirs. */
export function hours(value: Amount, like: Amount = value): string {
  if (value === null || value === undefined || like === null || like === undefined) return NOTHING
  if (like * MINUTES_AN_HOUR < 1) return t.units.second(plain(value * MINUTES_AN_HOUR * MINUTES_AN_HOUR))
  if (like < 1) return t.units.minute(plain(value * MINUTES_AN_HOUR))
  if (like < 2 * HOURS_A_DAY) return t.units.hour(plain(value))
  return t.units.day(plain(value / HOURS_A_DAY))
}

/** A time as people say it, or an end of the range of `like`: two digits in its unit, or hours and minutes. */
export function hoursRoughly(value: number, like?: number): string {
  if (!like) return duration(value)
  if (like >= 1 && like < MINUTES_UP_TO_HOURS) return t.units.hour(clock(value, like < 2 ? 1 : FIVE))
  const unit = hoursOfUnit(like)
  const said = value / unit
  return hours((said >= HUNDRED ? Math.round(said) : Number(said.toPrecision(2))) * unit, like)
}

/** Hours and minutes as 1:05, to so many minutes. */
function clock(value: number, step: number): string {
  const minutes = Math.round(value * MINUTES_AN_HOUR / step) * step
  return `${plain(Math.floor(minutes / MINUTES_AN_HOUR))}:${String(minutes % MINUTES_AN_HOUR).padStart(2, '0')}`
}

/** Hours as people say a time: 40 min, 1 h 8 min, 12 h, 2.4 days. */
export function duration(value: Amount): string {
  if (value === null || value === undefined) return NOTHING
  if (value < 1 || value >= MINUTES_UP_TO_HOURS) return hours(rounded(value), value)
  const whole = Math.round(value * MINUTES_AN_HOUR)
  const minutes = whole % MINUTES_AN_HOUR
  return [t.units.hour(plain((whole - minutes) / MINUTES_AN_HOUR)), ...(minutes ? [t.units.minute(plain(minutes))] : [])].join(' ')
}

/** To whole hours where they are told alone, and else to two digits of the unit. */
function rounded(value: number): number {
  const unit = hoursOfUnit(value)
  return unit === 1 ? Math.round(value) : Number((value / unit).toPrecision(2 + Number(value / unit >= HUNDRED))) * unit
}

/** An accelerator's name as people say it. */
export function gpu(name: string): string {
  return name.replace(/-/g, ' ')
}

/** How many hours the unit has in which so many hours are said. */
export function hoursOfUnit(like: number): number {
  if (like * MINUTES_AN_HOUR < 1) return 1 / MINUTES_AN_HOUR ** 2
  if (like < 1) return 1 / MINUTES_AN_HOUR
  return like < 2 * HOURS_A_DAY ? 1 : HOURS_A_DAY
}

/** A ratio to something else. */
export function times(value: number): string {
  return `× ${plain(value)}`
}

/** A chance as a percentage, where only what is sure is 100. */
export function chance(share: number): string {
  if (share > SURE && share < 1) return `> ${formatter(PERCENT).format(SURE)}`
  return formatter(PERCENT).format(share)
}

/** A part of a whole as a percentage. */
export const share = (part: number): string => formatter(PERCENT).format(part)

/** Milliseconds, or seconds where `like` is more than one. */
export function milliseconds(value: Amount, like: Amount = value): string {
  if (value === null || value === undefined) return NOTHING
  return (like ?? value) < MS_A_SECOND ? `${plain(value)}\u00a0ms` : t.units.second(plain(value / MS_A_SECOND))
}

/** Memory in the unit that has digits before its point. */
export function memory(gib: number): string {
  return gib < LEAST_GIB ? `${plain(Math.max(1, Math.round(gib * MIB_A_GIB)))} MiB` : t.why.gib(plain(gib))
}

/** "low – high" of a range, through the formatter of its unit, which is said once; nothing where it has no width. */
export function spread(range: Range, format: (value: number, like: number) => string): string {
  if (range.low >= range.high) return ''
  const high = format(range.high, range.value)
  return `${withoutUnit(format(range.low, range.value), high)} – ${high}`
}

/** A machine in words: how many of which. */
export function machine(item: Pick<Candidate, 'label' | 'instance_type' | 'node_count'>): string {
  const name = item.label ?? item.instance_type
  return item.node_count > 1 ? `${item.node_count} × ${name}` : name
}

/** The accelerators of one machine in words. */
export function accelerator(item: Pick<Candidate, 'accelerator'>): string {
  if (!item.accelerator) return t.answer.no_accelerator
  const { name, count } = item.accelerator
  return count === 1 ? gpu(name) : `${plain(count)} × ${gpu(name)}`
}

/** The first of two figures without the unit that the second ends with as well. */
function withoutUnit(one: string, other: string): string {
  const unit = UNIT.exec(other)?.[0] ?? ''
  return unit && one.endsWith(unit) ? one.slice(0, -unit.length) : one
}

function formatter(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  if (formattersOf !== language) formatters.clear()
  formattersOf = language
  const known = formatters.get(options)
  if (known) return known
  const made = new Intl.NumberFormat(language, options)
  formatters.set(options, made)
  return made
}
