const HOURS: Readonly<Record<string, number>> = { s: 1 / 3600, m: 1 / 60, min: 1 / 60, h: 1, d: 24, w: 168 }
const WORDS = /^\s*([\d.]+(?:e[+-]?\d+)?)\s*(s|m|min|h|d|w)?\s*$/i
const ISO = /^P(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/
const MS_AN_HOUR = 3_600_000

/** The hours that a deadline leaves from `now` (in ms) on; null where it is none or cannot be read. */
export function hoursOf(deadline: unknown, now: number): number | null {
  if (typeof deadline === 'number') return deadline
  if (typeof deadline !== 'string') return null
  const words = WORDS.exec(deadline)
  if (words) return Number(words[1]) * (HOURS[words[2]?.toLowerCase() ?? 'h'] ?? 1)
  const iso = ISO.exec(deadline)
  if (iso) return inHours(iso.slice(1))
  const moment = Date.parse(deadline)
  return Number.isNaN(moment) ? null : Math.max(0, (moment - now) / MS_AN_HOUR)
}

function inHours(parts: (string | undefined)[]): number {
  const units = ['w', 'd', 'h', 'min', 's']
  return parts.reduce((sum, part, index) => sum + Number(part ?? 0) * (HOURS[units[index] ?? ''] ?? 0), 0)
}
