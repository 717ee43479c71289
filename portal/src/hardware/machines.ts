import { cloudName } from '../answer/clouds.ts'
import { tintsOf } from '../chart/clouds.ts'
import { everything } from '../client.ts'
import { html } from '../dom.ts'
import { sentence, t, word } from '../texts/index.ts'
import { gpu, plain, usd } from '../units.ts'
import { half } from './devices.ts'
import type { Device, Machine, Offer } from './facts.ts'
import { affordable, choice, type Filter, least, told, words } from './filters.ts'
import { linkTo } from './links.ts'
import { listed, lowestPrice } from './list.ts'
import { devicesOf } from './size.ts'
import type { Column } from './tables.ts'

const SEEN = 50 // rows at first, and with each step
const PARTS = /(?<=_)|(?=\+)/ // where a name may break
const NONE = 'none' // as the API calls the accelerator of machines without

/** A region as the service names it. */
export interface Region {
  cloud: string
  name: string
  location: string | null
}

/** The machines in a table, the cheapest on top, with a filter for each of their attributes. */
export function allMachines(
  machines: readonly Machine[], regions: readonly Region[], devices: readonly Device[],
): HTMLElement[] {
  const control = places(regions)
  return listed<Machine>({
    title: t.hardware.all_machines, name: 'machines', rows: machines,
    filters: filters(machines), columns: columns(), last: lasts(new Map(devices.map((one) => [one.name, one]))),
    seen: SEEN, count: t.hardware.so_many,
    comparand: ({ cloud, instance_type }) => {
      const [, region] = control.value.split('/')
      return { cloud, instance_type, ...(region ? { region } : {}) }
    },
    charted: {
      axes: { x: 'memory', y: 'on_demand' },
      name: ({ instance_type: name }) => name,
      group: ({ cloud }) => cloud, tints: tintsOf(machines.map(({ cloud }) => cloud)),
      groupName: cloudName, groups: t.chart.clouds,
      page: ({ cloud, instance_type: name }) => ['machines', cloud, name],
    },
    place: { control, rows: (region) => pricedIn(region, machines) },
  })
}

/** The regions below their clouds; the value of one is that of its cloud and its name. */
function places(regions: readonly Region[]): HTMLSelectElement {
  const clouds = [...new Set(regions.map(({ cloud }) => cloud))]
  return html('select', {}, html('option', { value: '' }, t.hardware.any), clouds.map((cloud) =>
    html('optgroup', { label: cloudName(cloud) }, regions.filter((one) => one.cloud === cloud).map(({ name, location }) => {
      const value = `${cloud}/${name}`
      return html('option', { value, selected: value === told('region') }, location ? `${name} · ${location}` : name)
    }))))
}

/** The machines of a region with the prices there. */
async function pricedIn(place: string, machines: readonly Machine[]): Promise<Machine[]> {
  const [cloud = '', region = ''] = place.split('/')
  const prices = new Map<string, Record<string, number>>()
  for (const { instance_type: name, purchase, usd_per_hour: price, current } of await everything<Offer>('prices', { cloud, region })) {
    if (!current) continue
    const known = prices.get(name) ?? {}
    prices.set(name, { ...known, [purchase]: Math.min(price, known[purchase] ?? Infinity) })
  }
  return machines.flatMap((machine) => {
    const lowest = machine.cloud === cloud && prices.get(machine.instance_type)
    return lowest ? [{ ...machine, lowest_usd_per_hour: lowest }] : []
  })
}

function filters(machines: readonly Machine[]): Filter<Machine>[] {
  const among = (name: string, label: string, value: (machine: Machine) => string, said = word): Filter<Machine> => {
    const options = [...new Set(machines.map(value))].map((one) => [one, said(one)] as const)
      .sort((one, other) => Number(other[0] === NONE) - Number(one[0] === NONE) || one[1].localeCompare(other[1]))
    return choice(name, label, options, (machine, chosen) => value(machine) === chosen)
  }
  return [
    words(textOf),
    among('cloud', t.terms.cloud, ({ cloud }) => cloud, cloudName),
    among('accelerator', t.answer.accelerator, deviceName, (name) => (name === NONE ? t.answer.no_accelerator : gpu(name))),
    among('architecture', t.hardware.architecture, ({ architecture }) => architecture ?? NONE),
    least('min_vcpus', t.why.vcpus, ({ vcpus }) => vcpus),
    least('min_memory_gib', `${t.why.memory} (GiB)`, ({ memory_gib: gib }) => gib),
    affordable(regular),
  ]
}

function textOf(machine: Machine): string {
  const { instance_type: name, cloud, family, cpu } = machine
  return [name, cloudName(cloud), family, cpu, deviceName(machine), gpu(deviceName(machine))].join(' ')
}

const columns = (): [Column<Machine>, ...Column<Machine>[]] => [
  [t.answer.machine, 'name', ({ cloud, instance_type: name }) => [
    html('strong', {}, linkTo(['machines', cloud, name], name.split(PARTS).map((part) => [part, html('wbr')]))), html('small', {}, cloudName(cloud)),
  ], ({ instance_type: name }) => name, 'machine'],
  [t.answer.accelerator, 'setting', ({ accelerator }) =>
    (accelerator ? linkTo(['accelerators', accelerator.name], devicesOf(accelerator)) : '–'),
  ({ accelerator }) => accelerator && gpu(accelerator.name), 'accelerator'],
  [t.why.vcpus, 'figure', ({ vcpus }) => plain(vcpus), ({ vcpus }) => vcpus, 'vcpus'],
  amount(t.why.memory, 'memory', 'GiB', ({ memory_gib: gib }) => gib),
  amount(t.hardware.network, 'network', 'Gbit/s', ({ network_gbps: rate }) => rate),
]

const lasts = (devices: ReadonlyMap<string, Device>): Column<Machine>[] => [
  [t.hardware.cpu, 'setting', ({ cpu }) => cpu ?? '–', ({ cpu }) => cpu, 'cpu'],
  amount(t.why.device_memory, 'gpu_memory', 'GiB', ({ accelerator }) => accelerator?.memory_gib ?? null),
  amount(t.hardware.local_disk, 'local_disk', 'GB', ({ local_disk_gb: size }) => (size === 0 ? null : size)),
  [sentence(t.fields.interconnect ?? ''), 'setting', ({ interconnect }) => (interconnect ? word(interconnect) : '–'),
    ({ interconnect }) => interconnect, 'interconnect'],
  each(t.hardware.per_device, 'per_device', ({ accelerator }) => accelerator?.count ?? null),
  each(t.hardware.per_vcpu, 'per_vcpu', ({ vcpus }) => vcpus),
  each(t.hardware.per_gib, 'per_gib', ({ memory_gib: gib }) => gib),
  amount(t.hardware.devices, 'devices', '', ({ accelerator }) => accelerator?.count ?? null),
  ofAll(t.why.device_memory, 'gpu_memory_in_all', 'GiB', devices, ({ memory_gib: gib }) => gib),
  ofAll(t.hardware.bandwidth, 'bandwidth', 'GB/s', devices, ({ memory_bandwidth_gb_s: rate }) => rate),
  ofAll(t.hardware.peak('FP16'), 'fp16', 'TFLOP/s', devices, half),
]

/** What an hour on demand costs for each of what a machine has. */
function each(title: string, key: string, count: (machine: Machine) => number | null): Column<Machine> {
  const price = (machine: Machine): number | null => {
    const [whole, parts] = [regular(machine), count(machine)]
    return whole === null || !parts ? null : whole / parts
  }
  return [title, 'figure', (machine) => usd(price(machine)), price, key, '$']
}

function amount(title: string, key: string, unit: string, value: (machine: Machine) => number | null): Column<Machine> {
  return [title, 'figure', (machine) => {
    const found = value(machine)
    return found === null ? '–' : `${plain(found)} ${unit}`.trim()
  }, value, key, unit]
}

/** What all devices of a machine have of a figure. */
function ofAll(
  title: string, key: string, unit: string, devices: ReadonlyMap<string, Device>,
  figure: (one: Device) => number | null,
): Column<Machine> {
  return amount(t.hardware.in_all(title), key, unit, ({ accelerator }) => {
    const device = accelerator && devices.get(accelerator.name)
    const each = device ? figure(device) : null
    return each === null || !accelerator ? null : each * accelerator.count
  })
}

const regular = (machine: Machine): number | null => lowestPrice(machine, 'on_demand')
const deviceName = ({ accelerator }: Machine): string => accelerator?.name ?? NONE
