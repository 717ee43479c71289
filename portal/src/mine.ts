import type { Body, Json } from './request.ts'
import { store, stored } from './storage.ts'

/** The reader's machines, prices and quotas, as they wrote them: `8 × A100 @ 1.2`, `aws 20%`, `aws max 4`. */

const STORED = 'plimsoll-mine'
const BETWEEN = ';'
const DISCOUNT = /^(.+?)[\s:−–-]*?([\d.]+)\s*%$/
const RESERVED = /^(\S+)\s+(?:([\w.+-]+)\s+)?(?:reserved|reservation|预留|đặt trước)\s+(?:\$\s*([\d.]+)|([\d.]+)\s*%)$/i
const QUOTA = /^(.+?)\s+(?:max|≤|<=|tối đa|最多)\s*(\d+)$/i
const OWN = /^(\d+)\s*[x×*]\s*([^@$]+?)(?:\s*[@$]+\s*([\d.]+).*)?$/i
const CLOUDS: Readonly<Record<string, string>> = { google: 'gcp', 'google cloud': 'gcp', oracle: 'oci', amazon: 'aws', microsoft: 'azure' }

let entries: readonly string[] = []
let told = (): void => undefined

/** The entries as they were written. */
export function mine(): readonly string[] {
  return entries
}

/** The entries that are prices agreed with a cloud. */
export function agreements(): readonly string[] {
  return entries.filter((entry) => ['discounts', 'commitments'].some((kind) => kind in constraintsOf([entry])))
}

/** Tells of other entries from now on. */
export function whenMine(tell: () => void): void {
  told = tell
}

/** Goes on with these entries, and with them again the next time that the page is opened in this browser. */
export function useMine(all: readonly string[]): void {
  entries = all.filter(isMine)
  told()
  store(STORED, entries.join(BETWEEN))
}

/** The entries of an address, else those of the last time. */
export function readMine(address: string | null): void {
  useMine((address ?? stored(STORED)).split(BETWEEN).map((entry) => entry.trim()))
}

/** The entries as an address has them. */
export function writtenMine(): string {
  return entries.join(BETWEEN)
}

/** The entries with a further one, as an address has them. */
export function agreedOn(entry: string): string {
  return [...entries.filter((other) => other !== entry), entry].join(BETWEEN)
}

/** Whether an entry says a machine, a discount or a quota. */
export function isMine(entry: string): boolean {
  return Object.keys(constraintsOf([entry])).length > 0
}

/** The constraints of the API that the entries say. */
export function constraintsOf(all: readonly string[]): Body {
  const kinds: Record<string, Json[]> = {
    commitments: all.flatMap((entry) => commitment(RESERVED.exec(entry))),
    discounts: all.flatMap((entry) => (RESERVED.test(entry) ? [] : discount(DISCOUNT.exec(entry)))),
    quotas: all.flatMap((entry) => quota(QUOTA.exec(entry))),
    own_machines: all.flatMap((entry) => machine(OWN.exec(entry), entry)),
  }
  return Object.fromEntries(Object.entries(kinds).filter(([, some]) => some.length))
}

type Found = RegExpExecArray | null

const discount = (found: Found): Json[] => (found ? [{ cloud: cloudOf(found[1] ?? ''), percent: Number(found[2]) }] : [])
const commitment = (found: Found): Json[] => {
  if (!found) return []
  const [, cloud = '', type, price, percent] = found
  const types = type ? { instance_types: [type] } : {}
  return [{ cloud: cloudOf(cloud), kind: 'reserved', ...types, ...(price ? { usd_per_hour: Number(price) } : { percent: Number(percent) }) }]
}
const quota = (found: Found): Json[] => (found ? [{ cloud: cloudOf(found[1] ?? ''), max_nodes: Number(found[2]) }] : [])

function machine(found: Found, label: string): Json[] {
  if (!found || DISCOUNT.test(label)) return []
  const [, count, device = '', price = '0'] = found
  const accelerator = device.trim().replaceAll(/\s+/g, '-')
  return [{ label, accelerator, count: Number(count), usd_per_hour: Number(price) }]
}

/** A machine of one's own as it is compared: how many of which accelerator, and its price where one is said. */
export function bareMachine(text: string): { accelerator: string; count: number; usd_per_hour?: number } | null {
  const found = OWN.exec(text)
  if (!found) return null
  const [, count, device = '', price] = found
  const stated = price === undefined ? {} : { usd_per_hour: Number(price) }
  return { accelerator: device.trim().replaceAll(/\s+/g, '-'), count: Number(count), ...stated }
}

function cloudOf(name: string): string {
  const known = name.trim().toLowerCase()
  return CLOUDS[known] ?? known
}
