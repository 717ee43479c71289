import type { Body } from './request.ts'
import type { Candidate } from './types.ts'

/** The fewest and the most machines that the service compares. */
export const FEWEST = 2
export const MOST = 20

/** The service's word for hardware that is no cloud's. */
const OWN = 'own'

/** A machine to compare: one of the catalog, or bare hardware. */
export type Comparand =
  | { cloud: string; instance_type: string; node_count?: number; region?: string; purchase?: string }
  | { accelerator: string; count: number; usd_per_hour?: number }

/** The machines of an address: `aws/p3.2xlarge/2/us-east-1/spot` with an end left out, or `own/V100-16GB/1/3.06`. */
export function read(text: string): Comparand[] {
  return text.split(',').map(one).filter((found) => found !== null).slice(0, MOST)
}

function one(entry: string): Comparand | null {
  const [cloud = '', name = '', ...rest] = entry.trim().split('/')
  if (!cloud || !name) return null
  return cloud === OWN ? bare(name, rest) : rented(cloud, name, rest)
}

function bare(accelerator: string, [count = '', price = '']: string[]): Comparand {
  const usd = numberOf(price)
  return { accelerator, count: numberOf(count) ?? 1, ...(usd === null ? {} : { usd_per_hour: usd }) }
}

function rented(cloud: string, name: string, [nodes = '', region = '', purchase = '']: string[]): Comparand {
  const count = numberOf(nodes)
  return {
    cloud,
    instance_type: name,
    ...(count === null ? {} : { node_count: count }),
    ...(region ? { region } : {}),
    ...(purchase ? { purchase } : {}),
  }
}

/** The machines as an address has them. */
export function written(comparands: readonly Comparand[]): string {
  return comparands.map((one) => {
    const parts = 'accelerator' in one
      ? [OWN, one.accelerator, one.count, one.usd_per_hour]
      : [one.cloud, one.instance_type, one.node_count, one.region, one.purchase]
    return parts.map((part) => part ?? '').join('/').replace(/\/+$/, '')
  }).join(',')
}

/** The machines with another at their end, unless it is there already or there are as many as may be. */
export function added(comparands: readonly Comparand[], one: Comparand): Comparand[] {
  const known = comparands.some((other) => written([other]) === written([one]))
  return known || comparands.length >= MOST ? [...comparands] : [...comparands, one]
}

/** Whether two entries mean the same machine, where it runs left aside as far as one of them does not say. */
export function isSame(one: Comparand, other: Comparand): boolean {
  if ('accelerator' in one || 'accelerator' in other) return written([one]) === written([other])
  const same = <Value>(first: Value | undefined, second: Value | undefined, left: Value | null): boolean =>
    (first ?? left ?? second) === (second ?? left ?? first)
  return one.cloud === other.cloud && one.instance_type === other.instance_type &&
    same(one.node_count, other.node_count, 1) && same(one.region, other.region, null) &&
    same(one.purchase, other.purchase, 'on_demand')
}

/** A recommended machine, where it was recommended. */
export function ofCandidate(item: Candidate): Comparand {
  const { cloud, instance_type, node_count, region, purchase } = item
  return { cloud, instance_type, node_count, region, purchase }
}

/** The machine as the service is asked about it, under the name that it is shown by. */
export function asked(one: Comparand, label: string): Body {
  return { ...one, label }
}

function numberOf(text: string): number | null {
  const value = Number(text)
  return text && Number.isFinite(value) ? value : null
}
