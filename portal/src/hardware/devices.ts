import { cloudName } from '../answer/clouds.ts'
import type { Comparand } from '../comparands.ts'
import { html } from '../dom.ts'
import { t } from '../texts/index.ts'
import { gpu, plain } from '../units.ts'
import { type Device, makerOf } from './facts.ts'
import { affordable, choice, type Filter, least, words } from './filters.ts'
import { linkTo } from './links.ts'
import { listed, lowestPrice } from './list.ts'
import type { Column } from './tables.ts'

/** The devices in a table, those that can be rented first, the cheapest on top. */
export function sideBySide(devices: readonly Device[]): HTMLElement[] {
  return listed<Device>({
    title: t.hardware.side_by_side, name: 'accelerators', filters: filters(devices), columns: columns(), last: lasts(),
    rows: [...devices].sort((one, other) => one.name.localeCompare(other.name)),
    seen: devices.filter(({ clouds }) => clouds.length).length, count: t.hardware.so_many_devices,
    comparand: comparandOf,
    charted: {
      axes: { x: 'memory', y: 'on_demand' },
      name: ({ name }) => gpu(name),
      group: ({ vendor }) => vendor, tints: tintsOfMakers(devices), groupName: (name) => name, groups: t.free.makers,
      page: ({ name }) => ['accelerators', name],
    },
  })
}

/** One device at its lowest price, as it is compared with other hardware. */
export function comparandOf(one: Device): Comparand {
  const price = regular(one)
  return { accelerator: one.name, count: 1, ...(price === null ? {} : { usd_per_hour: price }) }
}

/** The class that colours each maker's devices, since most devices are at several clouds. */
const tintsOfMakers = (devices: readonly Device[]): Map<string, string> =>
  new Map([...new Set(devices.map(({ vendor }) => vendor))].sort().map((vendor, place) => [vendor, `tint-${place}`]))

function filters(devices: readonly Device[]): Filter<Device>[] {
  const among = (
    name: string, label: string, values: (one: Device) => readonly string[], said: (value: string) => string,
  ): Filter<Device> =>
    choice(name, label, [...new Set(devices.flatMap(values))].map((one) => [one, said(one)] as const)
      .sort((one, other) => one[1].localeCompare(other[1])), (one, chosen) => values(one).includes(chosen))
  return [
    words((one) => [one.name, gpu(one.name), ...one.aliases, makerOf(one), ...one.clouds.map(cloudName)].join(' ')),
    among('cloud', t.terms.cloud, ({ clouds }) => clouds, cloudName),
    among('vendor', t.hardware.maker, ({ vendor }) => [vendor], (name) => name),
    least('min_memory_gib', `${t.why.memory} (GiB)`, ({ memory_gib: gib }) => gib),
    affordable(regular),
  ]
}

const columns = (): [Column<Device>, ...Column<Device>[]] => [
  [t.answer.accelerator, 'name', (one) => [
    html('strong', {}, linkTo(['accelerators', one.name], gpu(one.name))), html('small', {}, makerOf(one)),
  ], ({ name }) => gpu(name), 'name'],
  figure(t.form.clouds, 'clouds', '', ({ clouds }) => clouds.length || null),
  figure(t.why.memory, 'memory', 'GiB', ({ memory_gib: gib }) => gib),
  figure(t.hardware.bandwidth, 'bandwidth', 'GB/s', ({ memory_bandwidth_gb_s: rate }) => rate),
  figure(t.hardware.peak('FP16'), 'fp16', 'TFLOP/s', half),
]

const lasts = (): Column<Device>[] => [
  figure(t.hardware.power, 'power', 'W', ({ power_w: watts }) => watts),
  figure(t.hardware.flops_per_dollar, 'flops_per_dollar', '', (one) => ratio(half(one), regular(one))),
  figure(t.hardware.gib_per_dollar, 'gib_per_dollar', '', (one) => ratio(one.memory_gib, regular(one))),
  ...['fp8', 'int8', 'fp32', 'fp64'].map((name) =>
    figure(t.hardware.peak(name.toUpperCase()), name, name === 'int8' ? 'TOP/s' : 'TFLOP/s', ({ precisions }) => precisions[name] ?? null)),
  figure(t.fields.interconnect ?? '', 'interconnect', 'GB/s', ({ interconnect_gb_s: rate }) => rate),
]

function figure(title: string, key: string, unit: string, value: (one: Device) => number | null): Column<Device> {
  return [title, 'figure', (one) => {
    const found = value(one)
    return found === null ? '–' : `${plain(found)} ${unit}`.trim()
  }, value, key, unit]
}

const regular = (one: Device): number | null => lowestPrice(one, 'on_demand')
export const half = ({ precisions: { fp16, bf16 } }: Device): number | null => fp16 ?? bf16 ?? null
const ratio = (some: number | null, price: number | null): number | null =>
  (some === null || price === null ? null : some / price)
