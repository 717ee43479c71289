import { everything, one } from '../client.ts'
import { html } from '../dom.ts'
import { linesOf } from '../problem.ts'
import { t, word } from '../texts/index.ts'
import { usd } from '../units.ts'
import type { Machine } from './facts.ts'
import { lowestOf } from './prices.ts'
import { tableOf } from './tables.ts'

/** Lists of prices that are looked up, the newest first. */
const MOST = 24

/** A list of prices that the service keeps; the bundled one was never published. */
interface Kept {
  version: string
  prices_as_of: string
  published_at: string | null
}

/** The lowest prices of a machine in one of the lists. */
export interface Past extends Kept {
  on_demand: number | null
  spot: number | null
}

/** How old the prices are, and those of earlier lists, fetched when they are unfolded, where the service keeps any. */
export async function priceHistory(machine: Machine, signal: AbortSignal): Promise<HTMLElement[]> {
  const kept = await everything<Kept>('prices/snapshots')
  const dates = [...new Set((machine.offers ?? []).map(({ as_of: date }) => date ?? t.why.no_date))].sort()
  const [first = '', last = ''] = [dates[0], dates.at(-1)]
  const age = html('p', { class: 'facts' }, t.history.dates(unbroken(first === last ? first : `${first} – ${last}`)))
  if (kept.length < 2) return [age, html('p', { class: 'facts' }, t.history.none(unbroken(kept[0]?.prices_as_of ?? '')))]
  const body = html('div', { role: 'status' })
  const fold = html('details', {}, html('summary', {}, t.history.show), body)
  fold.addEventListener('toggle', () => {
    if (fold.open && !body.firstChild) void fill(body, machine, kept.slice(0, MOST), signal)
  })
  return [age, fold]
}

/** Dates that no line breaks within. */
const unbroken = (dates: string): string => dates.replaceAll('-', '\u2011')

async function fill(
  body: HTMLElement, { cloud, instance_type: name }: Machine, kept: readonly Kept[], signal: AbortSignal,
): Promise<void> {
  body.replaceChildren(html('p', {}, t.history.asking))
  try {
    const all = await Promise.all(kept.map(async (list): Promise<Past> => {
      const { offers = [] } = await one<Machine>(['instance-types', cloud, name], signal, { snapshot: list.version })
      return { ...list, on_demand: lowestOf(offers, 'on_demand'), spot: lowestOf(offers, 'spot') }
    }))
    body.replaceChildren(tableOf(t.history.title, [
      [t.history.published, 'name', ({ published_at: date }) => html('strong', {}, date?.slice(0, 10) ?? t.history.bundled)],
      [t.hardware.from(word('on_demand')), 'figure', ({ on_demand: price }) => usd(price)],
      [t.hardware.from(word('spot')), 'figure', ({ spot }) => usd(spot)],
      [t.why.snapshot, 'setting', ({ version }) => version],
    ], changed(all)), html('p', { class: 'facts' }, t.history.about))
  } catch (error) {
    body.replaceChildren(...linesOf(error).map((line) => html('p', { class: 'fault', lang: 'en' }, line)))
  }
}

/** The lists in which a price is another than in the list before, and the oldest; the newest first, as they come. */
export function changed(all: readonly Past[]): Past[] {
  return all.filter((list, place) => {
    const before = all[place + 1]
    return before?.on_demand !== list.on_demand || before.spot !== list.spot
  })
}
