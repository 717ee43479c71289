const TICKS = 6
const STEPS = [1, 2, 5, 10]

/** An axis from nothing to `last`, with round ticks. */
export function axis(last: number): { at: (value: number) => number; ticks: number[] } {
  const rough = last / TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = (STEPS.find((factor) => factor * power >= rough) ?? 1) * power
  const ticks = Array.from({ length: Math.floor(last / step) + 1 }, (_, place) => place * step)
  return { at: (value) => value / last, ticks }
}
