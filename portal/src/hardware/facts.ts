import { type Child, html } from '../dom.ts'
import { joined, t, word } from '../texts/index.ts'
import { plain, usd } from '../units.ts'
import { linkTo } from './links.ts'
import { fromPrices, monthPrice } from './prices.ts'
import { devicesOf } from './size.ts'

/** A price of a machine as the service lists it. */
export interface Offer {
  cloud: string
  region: string
  instance_type: string
  purchase: string
  usd_per_hour: number
  as_of: string | null
  source: string
  confidence: string
  current: boolean
}

/** A machine as the service describes it. */
export interface Machine {
  cloud: string
  instance_type: string
  family: string | null
  retired: boolean
  vcpus: number | null
  memory_gib: number | null
  architecture: string | null
  cpu: string | null
  accelerator: { name: string; count: number; memory_gib: number | null } | null
  interconnect: string | null
  network_gbps: number | null
  local_disk_gb: number | null
  local_disk_type: string | null
  lowest_usd_per_hour: Record<string, number>
  offers?: Offer[]
}

/** An accelerator as the service describes it. */
export interface Device {
  name: string
  aliases: string[]
  vendor: string
  generation: string
  year: number
  memory_gib: number | null
  memory_type: string
  memory_bandwidth_gb_s: number | null
  precisions: Record<string, number>
  interconnect: string
  interconnect_gb_s: number | null
  power_w: number | null
  lowest_usd_per_hour: Record<string, number>
  clouds: string[]
  source: string
}

type Fact = readonly [name: string, value: Child]

const amount = (value: number | null, unit: string): string | null => (value === null ? null : `${plain(value)}\u00a0${unit}`.trim())

/** The memory of a machine's devices, each by itself where there are several. */
function memoryOf({ count, memory_gib: each }: NonNullable<Machine['accelerator']>): string | null {
  const one = amount(each, 'GiB')
  return one && count > 1 ? `${plain(count)} × ${one}` : one
}

/** What a machine is made of. */
export function factsOfMachine(machine: Machine): HTMLElement {
  const { accelerator } = machine
  const devices = accelerator && linkTo(['accelerators', accelerator.name],
    devicesOf(accelerator))
  const disk = machine.local_disk_gb ? amount(machine.local_disk_gb, 'GB') : null
  return list([
    ...fromPrices(machine),
    [t.hardware.a_month, monthPrice(machine)],
    [t.answer.accelerator, devices ?? t.answer.no_accelerator],
    [t.why.device_memory, accelerator && memoryOf(accelerator)],
    [t.why.vcpus, amount(machine.vcpus, '')],
    [t.why.memory, amount(machine.memory_gib, 'GiB')],
    [t.hardware.cpu, machine.cpu],
    [t.hardware.network, amount(machine.network_gbps, 'Gbit/s')],
    [t.fields.interconnect ?? '', machine.interconnect && word(machine.interconnect)],
    [t.hardware.local_disk, disk && `${disk} ${machine.local_disk_type?.toUpperCase().replace('NVME', 'NVMe') ?? ''}`],
  ])
}

/** What an accelerator costs at least, and what it can do by its maker's figures. */
export function factsOfDevice(device: Device): HTMLElement {
  const peaks = Object.entries(device.precisions).map(([name, peak]): Fact =>
    [t.hardware.peak(name.toUpperCase().replace('_TENSOR', ' tensor').replace('_', ' ')), `${plain(peak)} ${name.startsWith('int') ? 'TOP/s' : 'TFLOP/s'}`])
  const from = ['on_demand', 'spot'].map((purchase): Fact => {
    const price = device.lowest_usd_per_hour[purchase]
    return [t.hardware.from(word(purchase)), price === undefined ? null : t.answer.an_hour(usd(price))]
  })
  return list([
    ...from, [t.form.clouds, device.clouds.length ? plain(device.clouds.length) : null],
    [t.why.memory, device.memory_gib && `${plain(device.memory_gib)} GiB ${device.memory_type}`],
    [t.hardware.bandwidth, amount(device.memory_bandwidth_gb_s, 'GB/s')],
    ...peaks,
    [t.fields.interconnect ?? '', joined([device.interconnect, amount(device.interconnect_gb_s, 'GB/s') ?? ''])],
    [t.hardware.power, amount(device.power_w, 'W')],
    [t.hardware.maker, makerOf(device)],
  ])
}

/** Who made a device, of which generation, and when; some generations begin with their maker's name. */
export function makerOf({ vendor, generation, year }: Pick<Device, 'vendor' | 'generation' | 'year'>): string {
  return `${generation.startsWith(vendor) ? '' : `${vendor} `}${generation}, ${year}`
}

function list(facts: readonly Fact[]): HTMLElement {
  return html('dl', { class: 'figures' }, facts.filter(([, value]) => value).map(([name, value]) =>
    html('div', {}, html('dt', {}, name), html('dd', {}, value))))
}
