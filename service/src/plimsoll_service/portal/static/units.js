const HOURS_A_DAY = 24
const MINUTES_AN_HOUR = 60
const SIGNIFICANT_DIGITS = 3
const TEN_CENTS = 0.1

/** A number to three significant digits, with thousands set apart. */
export function plain(value) {
  if (value === null || value === undefined) return '–'
  const digits = Math.abs(value) >= 10 ** SIGNIFICANT_DIGITS
    ? { maximumFractionDigits: 0 }
    : { maximumSignificantDigits: SIGNIFICANT_DIGITS }
  return new Intl.NumberFormat('en', digits).format(value)
}

/** US dollars: to the cent, in whole dollars from a thousand on, and below ten cents as precisely as needed. */
export function usd(value) {
  if (value === null || value === undefined) return '–'
  if (value < TEN_CENTS || value >= 10 ** SIGNIFICANT_DIGITS) return `$${plain(value)}`
  return `$${value.toFixed(2)}`
}

/** Hours, in the unit that people would say of `like`, so that the two ends of a range share theirs. */
export function hours(value, like = value) {
  if (value === null || value === undefined) return '–'
  if (like * MINUTES_AN_HOUR < 1) return `${plain(value * MINUTES_AN_HOUR * MINUTES_AN_HOUR)} s`
  if (like < 1) return `${plain(value * MINUTES_AN_HOUR)} min`
  if (like < 2 * HOURS_A_DAY) return `${plain(value)} h`
  return `${plain(value / HOURS_A_DAY)} days`
}

export const milliseconds = (value) => (value === null || value === undefined ? '–' : `${plain(value)} ms`)

/** "low–high" of a range, through the formatter of its unit; nothing where it has no width. */
export function spread(range, format) {
  return range.low < range.high ? `${format(range.low, range.value)} – ${format(range.high, range.value)}` : ''
}

/** A machine in words: how many of which. */
export function machine(item) {
  const name = item.label ?? item.instance_type
  return item.node_count > 1 ? `${item.node_count} × ${name}` : name
}

/** The accelerators of one machine in words. */
export function accelerator(item) {
  if (!item.accelerator) return 'none'
  const { name, count } = item.accelerator
  return count === 1 ? name : `${plain(count)} × ${name}`
}
