import { cloudName } from '../answer/clouds.ts'
import { everything, some } from '../client.ts'
import { takesSeveral } from '../request.ts'
import { t, word } from '../texts/index.ts'
import type { Source } from './fields.ts'
import { matchingModels, ofThatSize, sizeOf } from './models.ts'

const MOST_ALIKE = 100 // instance types whose name holds another's
const MOST = 8 // as many as are taken in at a glance
const FEW = 3 // accelerators before the types whose names hold theirs

/** A name to offer, what helps to tell it from others, and the page of hardware that goes by it. */
export interface Suggestion {
  name: string
  about: string
  page?: readonly string[]
}

/** The names that fit what has been typed so far. */
export type Suggest = (typed: string, signal: AbortSignal) => Promise<Suggestion[]>

interface Item {
  name: string
  aliases?: string[]
  family?: string
  parameters?: number | null
  vendor?: string
  cloud?: string
  location?: string
}

interface InstanceType {
  cloud: string
  instance_type: string
  vcpus: number
  memory_gib: number
  accelerator: { name: string; count: number } | null
}

const collections = new Map<string, Promise<Item[]>>()

/** Suggestions of a source: small collections are fetched once and searched here, instance types by the service. */
export function suggestionsOf(source: Source): Suggest {
  if (source === 'instance-types') return instanceTypes
  if (source === 'models') return async (typed) => modelsFor(await collection(source), typed)
  return async (typed) => matching(await collection(source), typed).map(suggestion)
}

/** The part of a field that is being typed: after the last comma, where it takes several values. */
export function partTyped(name: string, value: string): { before: string; typed: string } {
  const cut = takesSeveral(name) ? value.lastIndexOf(',') + 1 : 0
  return { before: value.slice(0, cut), typed: value.slice(cut).trim() }
}

/** The items whose name or alias holds the text; those that begin with it come first. */
export function matching<Named extends Pick<Item, 'name' | 'aliases'>>(items: readonly Named[], typed: string): Named[] {
  const text = typed.toLowerCase()
  return beginnersFirst(items.filter((item) => names(item).some((name) => name.includes(text))), text)
}

function beginnersFirst<Named extends Pick<Item, 'name' | 'aliases'>>(found: Named[], text: string): Named[] {
  const begins = (item: Named): number => (names(item).some((name) => name.startsWith(text)) ? 0 : 1)
  return found.sort((one, other) => begins(one) - begins(other)).slice(0, MOST)
}

/** Accelerators and instance types by a part of their name. */
export const hardwareNamed: Suggest = async (typed, signal) => {
  if (!typed) return []
  const types = await instanceTypes(typed, signal)
  const devices = matching(await collection('accelerators'), typed).slice(0, types.length ? FEW : MOST)
    .map((item) => ({ ...suggestion(item), page: ['accelerators', item.name] }))
  const exact = types.some(({ name }) => name.toLowerCase() === typed.toLowerCase())
  return exact ? [...types, ...devices] : [...devices, ...types].slice(0, MOST)
}

/** Whether an accelerator goes by that name, or by that one and more. */
export async function isAccelerator(name: string): Promise<boolean> {
  return matching(await collection('accelerators'), name).some((item) =>
    names(item).some((known) => plainly(known).startsWith(plainly(name))))
}

const plainly = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '')

/** The instance types of just that name, in every cloud that has one. */
export async function named(name: string, signal: AbortSignal): Promise<{ cloud: string; instance_type: string }[]> {
  const { items } = await some<InstanceType>('instance-types', { q: name, limit: String(MOST_ALIKE) }, signal)
  return items.filter((item) => item.instance_type.toLowerCase() === name.toLowerCase())
}

/** Models that fit, and last one of just the typed size that nobody published. */
function modelsFor(models: readonly Item[], typed: string): Suggestion[] {
  const own = ofThatSize(models, typed)
  const found = matchingModels(models, typed).slice(0, own ? MOST - 1 : MOST).map(suggestion)
  return own ? [...found, { name: own, about: t.form.own_size }] : found
}

async function instanceTypes(typed: string, signal: AbortSignal): Promise<Suggestion[]> {
  if (!typed) return []
  const { items } = await some<InstanceType>('instance-types', { q: typed, limit: String(MOST_ALIKE) }, signal)
  const all = items.map(({ cloud, instance_type: name, vcpus, memory_gib: memory, accelerator }) => {
    const devices = accelerator ? `, ${accelerator.count} × ${accelerator.name}` : ''
    return { name, about: `${cloudName(cloud)}, ${vcpus} vCPU, ${memory} GiB${devices}`, page: ['machines', cloud, name] }
  })
  return beginnersFirst(all, typed.toLowerCase()) // the service tells them by cloud
}

function collection(source: Source): Promise<Item[]> {
  const known = collections.get(source)
  if (known) return known
  const fetched = everything<Item>(source)
  collections.set(source, fetched)
  fetched.catch(() => collections.delete(source)) // asked again when it is typed again
  return fetched
}

const names = (item: Pick<Item, 'name' | 'aliases'>): string[] =>
  [item.name, ...(item.aliases ?? [])].map((name) => name.toLowerCase())

const suggestion = (item: Item): Suggestion => ({
  name: item.name,
  about: [sizeOf(item), item.cloud && cloudName(item.cloud), item.vendor, item.family && word(item.family), item.location].filter(Boolean).join(', '),
})
