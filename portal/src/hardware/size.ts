import { one } from '../client.ts'
import { t } from '../texts/index.ts'
import type { Candidate, Recommendation } from '../types.ts'
import { gpu, plain } from '../units.ts'
import type { Machine } from './facts.ts'

type Type = Pick<Candidate, 'cloud' | 'instance_type'>
export type Devices = Pick<NonNullable<Candidate['accelerator']>, 'name' | 'count'>

const known = new Map<string, string>()
const keyOf = ({ cloud, instance_type: name }: Type): string => `${cloud} ${name}`

/** So many accelerators in words. */
export function devicesOf({ name, count }: Devices, nodes = 1): string {
  return `${plain(count * nodes)} × ${gpu(name)}`
}

/** What a machine without accelerators is, as far as it has been said; null where its type's name must do. */
export function sizeOf(item: Type): string | null {
  return known.get(keyOf(item)) ?? null
}

/** Keeps what an answer says of its machines' sizes. */
export function learnSizes(items: readonly Recommendation[]): void {
  for (const { sizing, ...item } of items) {
    if (!item.accelerator) known.set(keyOf(item), size(sizing.vcpus.provided, sizing.memory_gib.provided))
  }
}

/** The hardware of a type of machine, asked for where it is not known. */
export async function hardwareOf(item: Type, signal: AbortSignal): Promise<string> {
  const said = sizeOf(item)
  if (said) return said
  const machine = await one<Machine>(['instance-types', item.cloud, item.instance_type], signal)
  const found = machine.accelerator ? devicesOf(machine.accelerator) : size(machine.vcpus, machine.memory_gib)
  known.set(keyOf(item), found)
  return found
}

const size = (vcpus: number | null, gib: number | null): string => `${plain(vcpus)} vCPU, ${t.why.gib(plain(gib))}`
