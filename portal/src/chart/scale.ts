const LOG_FROM_RATIO = 4 // from here on, a linear axis would squeeze the cheap and quick ends together
const TICKS = 5
const MARGIN = 1.08
const STEPS = [1, 2, 5, 10]
const DENSE_DECADES = 2 // up to here, ticks at 2 and 5 between the powers of ten have room
const LOOSE_DECADES = 4 // and up to here, those at 3

export interface Axis {
  /** Position of a value, in 0…1. */
  at: (value: number) => number
  /** The value at a position. */
  from: (position: number) => number
  ticks: number[]
  /** The values at its two ends. */
  low: number
  high: number
  /** Whether the same distance is the same difference, not the same ratio. */
  even: boolean
}

/** What is round on an axis where it is not tens: the steps of a logarithmic one, and what a linear one counts in. */
export interface Round {
  steps: readonly number[]
  unit: (high: number) => number
}

/** An axis over the values (all above zero) with round ticks; logarithmic where they span far, or where it must be. */
export function axis(values: readonly number[], ratios = false, round?: Round): Axis {
  const low = values.reduce((a, b) => Math.min(a, b)) / MARGIN
  const high = values.reduce((a, b) => Math.max(a, b)) * MARGIN
  return ratios || high / low > LOG_FROM_RATIO
    ? logarithmic(low, high, round?.steps ?? [])
    : linear(low, high, round?.unit(high) ?? 1)
}

function linear(low: number, high: number, unit: number): Axis {
  const rough = (high - low) / TICKS / unit
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = (STEPS.find((factor) => factor * power >= rough) ?? 1) * power * unit
  const first = Math.ceil(low / step)
  const count = Math.floor(high / step) - first + 1
  const ticks = Array.from({ length: count }, (_, index) => (first + index) * step)
  const from = (position: number): number => low + position * (high - low)
  return { at: (value) => (value - low) / (high - low), from, ticks, low, high, even: true }
}

function logarithmic(low: number, high: number, steps: readonly number[]): Axis {
  const inside = (tick: number): boolean => tick >= low && tick <= high
  const decades = Math.log10(high / low)
  const factors = decades <= DENSE_DECADES ? [1, 2, 5] : decades <= LOOSE_DECADES ? [1, 3] : [1]
  const every = Math.max(1, Math.ceil(decades / (TICKS + 1)))
  const ticks: number[] = []
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += every) {
    ticks.push(...factors.map((factor) => factor * 10 ** power))
  }
  return {
    at: (value) => Math.log(value / low) / Math.log(high / low),
    from: (position) => low * (high / low) ** position,
    ticks: (steps.length ? steps : ticks).filter(inside),
    low,
    high,
    even: false,
  }
}
