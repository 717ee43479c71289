import { pathTo } from '../address.ts'
import { cloudName } from '../answer/clouds.ts'
import { shareBar } from '../chart/ratios.ts'
import { html } from '../dom.ts'
import { t, word } from '../texts/index.ts'
import { plain, usd } from '../units.ts'
import type { Machine } from './facts.ts'
import { lowestPrice } from './list.ts'
import { type Column, tableOf } from './tables.ts'

/** What one device costs at a cloud at least, and on how many types of machines it is. */
interface AtCloud {
  cloud: string
  regular: number | null
  spot: number | null
  machines: number
}

/** The lowest prices of one device at each cloud, which leads to its machines that have it. */
export function pricesByCloud(accelerator: string, machines: readonly Machine[]): HTMLElement {
  const all = cloudsOf(machines)
  return all.length ? tableOf(t.hardware.by_cloud, columns(accelerator, all), all) : html('p', {}, t.hardware.unpriced)
}

/** The clouds that rent these machines, the cheapest first. */
export function cloudsOf(machines: readonly Machine[]): AtCloud[] {
  const price = ({ regular, spot }: AtCloud): number => regular ?? spot ?? Infinity
  const rented = machines.filter((machine) => !machine.retired)
  return [...new Set(rented.map(({ cloud }) => cloud))].map((cloud): AtCloud => {
    const own = rented.filter((machine) => machine.cloud === cloud)
    return { cloud, regular: lowest(own, 'on_demand'), spot: lowest(own, 'spot'), machines: own.length }
  }).filter((one) => Number.isFinite(price(one))).sort((one, other) => price(one) - price(other))
}

function lowest(machines: readonly Machine[], purchase: string): number | null {
  const prices = machines.flatMap((machine) => {
    const price = lowestPrice(machine, purchase)
    return price === null ? [] : [price / (machine.accelerator?.count ?? 1)]
  })
  return prices.length ? Math.min(...prices) : null
}

/** The clouds' prices, with bars on one scale. */
function columns(accelerator: string, all: readonly AtCloud[]): Column<AtCloud>[] {
  const most = Math.max(...all.flatMap(({ regular, spot }) => [regular ?? 0, spot ?? 0]))
  const column = (purchase: string, tint: string, value: (one: AtCloud) => number | null): Column<AtCloud> =>
    [t.hardware.from(word(purchase)), 'figure', (one) => {
      const price = value(one)
      return price === null ? '–' : [html('span', {}, usd(price)), shareBar(price / most, tint)]
    }, value]
  const machinesOf = (cloud: string): string =>
    pathTo(['machines'], location.search, new URLSearchParams({ cloud, accelerator }))
  return [
    [t.terms.cloud, 'name', ({ cloud }) =>
      html('strong', {}, html('a', { href: machinesOf(cloud) }, cloudName(cloud))), ({ cloud }) => cloudName(cloud)],
    column('on_demand', 'part-0', ({ regular }) => regular), column('spot', 'part-4', ({ spot }) => spot),
    [t.hardware.all_machines, 'figure', ({ machines }) => plain(machines), ({ machines }) => machines],
  ]
}
