const LOG_FROM_RATIO = 8 // from here on, a linear axis would squeeze the cheap and quick ends together
const TICKS = 5
const MARGIN = 1.08
const STEPS = [1, 2, 5, 10]

/** An axis over the values: position in 0…1, and round ticks; logarithmic where they span far. */
export function axis(values) {
  const low = Math.min(...values) / MARGIN
  const high = Math.max(...values) * MARGIN
  return high / low > LOG_FROM_RATIO ? logarithmic(low, high) : linear(low, high)
}

function linear(low, high) {
  const rough = (high - low) / TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = STEPS.find((factor) => factor * power >= rough) * power
  const first = Math.ceil(low / step)
  const count = Math.floor(high / step) - first + 1
  return { at: (value) => (value - low) / (high - low), ticks: Array.from({ length: count }, (_, index) => (first + index) * step) }
}

function logarithmic(low, high) {
  const decades = Math.log10(high / low)
  const factors = decades <= 2 ? [1, 2, 5] : [1]
  const every = Math.max(1, Math.ceil(decades / (TICKS + 1)))
  const ticks = []
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += every) {
    ticks.push(...factors.map((factor) => factor * 10 ** power))
  }
  return {
    at: (value) => Math.log(value / low) / Math.log(high / low),
    ticks: ticks.filter((tick) => tick >= low && tick <= high),
  }
}
