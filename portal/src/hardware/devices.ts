import { type Child, html } from '../dom.ts'
import { t, word } from '../texts/index.ts'
import { gpu, plain, usd } from '../units.ts'
import { type Device, makerOf } from './facts.ts'
import { linkTo } from './links.ts'
import { folded } from './prices.ts'
import type { Column } from './tables.ts'

/** The devices in a table, those that can be rented first, the cheapest on top. */
export function sideBySide(devices: readonly Device[]): HTMLElement[] {
  const priceOf = (one: Device): number => lowest(one, 'on_demand') ?? Infinity
  const rows = [...devices].sort((one, other) => priceOf(one) - priceOf(other) || one.name.localeCompare(other.name))
  return folded(t.hardware.side_by_side, columns(), rows, rows.filter(({ clouds }) => clouds.length).length, true)
}

const columns = (): Column<Device>[] => [
  [t.answer.accelerator, 'name', (one) => [
    html('strong', {}, linkTo(['accelerators', one.name], gpu(one.name))), html('small', {}, makerOf(one)),
  ], ({ name }) => name, 'name'],
  price('on_demand'),
  price('spot'),
  [t.form.clouds, 'figure', ({ clouds }) => count(clouds.length || undefined), ({ clouds }) => clouds.length || null, 'clouds'],
  [t.why.memory, 'figure', ({ memory_gib: gib }) => amount(gib, 'GiB'), ({ memory_gib: gib }) => gib, 'memory'],
  [t.hardware.bandwidth, 'figure', ({ memory_bandwidth_gb_s: rate }) => amount(rate, 'GB/s'), ({ memory_bandwidth_gb_s: rate }) => rate, 'bandwidth'],
  [t.hardware.peak('FP16'), 'figure', (one) => amount(half(one), 'TFLOP/s'), half, 'fp16'],
  [t.hardware.power, 'figure', ({ power_w: watts }) => amount(watts, 'W'), ({ power_w: watts }) => watts, 'power'],
]

const price = (purchase: string): Column<Device> => [
  t.hardware.from(word(purchase)), 'figure', (one): Child => usd(lowest(one, purchase)), (one) => lowest(one, purchase), purchase,
]

const lowest = ({ lowest_usd_per_hour: prices }: Device, purchase: string): number | null => prices[purchase] ?? null
const half = ({ precisions: { fp16, bf16 } }: Device): number | null => fp16 ?? bf16 ?? null
const count = (value: number | undefined): string => plain(value)
const amount = (value: number | null, unit: string): string => (value === null ? '–' : `${plain(value)} ${unit}`)
