import { addressOf, questionIn } from '../address.ts'
import { cloudName } from '../answer/clouds.ts'
import { button, html } from '../dom.ts'
import { amountOf } from '../form/amounts.ts'
import { t, word } from '../texts/index.ts'
import { gpu, plain, usd } from '../units.ts'
import type { Machine } from './facts.ts'
import { linkTo } from './links.ts'
import { devicesOf } from './size.ts'
import { type Column, IN_ADDRESS, sortable } from './tables.ts'

const SEEN = 50 // rows at first, and with each step
const PARTS = /(?<=_)|(?=\+)/ // where a name may break
const NONE = 'none' // as the API calls the accelerator of machines without

/** A filter by its name in the address, which is the API's where it has one. */
interface Filter {
  name: string
  label: string
  control: HTMLInputElement | HTMLSelectElement
  /** Whether the machine passes what is typed; null where that cannot be read. */
  passes: (typed: string) => ((machine: Machine) => boolean) | null
}

/** The machines in a table, the cheapest on top, with a filter for each of their attributes. */
export function allMachines(machines: readonly Machine[]): HTMLElement[] {
  const rows = [...machines].sort((one, other) =>
    (priceOf(one, 'on_demand') ?? Infinity) - (priceOf(other, 'on_demand') ?? Infinity))
  const { table, show } = sortable(t.hardware.all_machines, columns(), rows, SEEN, IN_ADDRESS)
  const all = filters(machines)
  const status = html('p', { class: 'facts', role: 'status' })
  const more = button('', () => { fill(most + SEEN) }, { class: 'more' })
  let most = SEEN
  const fill = (first: number): void => {
    most = first
    const tests = all.map(passing)
    const count = show(most, (machine) => tests.every((passes) => passes?.(machine) ?? true))
    status.textContent = tests.includes(null) ? t.form.no_number : t.hardware.so_many(plain(count), plain(rows.length))
    more.textContent = t.hardware.more(plain(Math.min(SEEN, count - most)))
    more.hidden = count <= most
  }
  for (const { control } of all) {
    control.addEventListener('input', () => {
      fill(SEEN)
      history.replaceState(null, '', addressOf(written(all), location.search))
    })
  }
  fill(SEEN)
  return [html('div', { class: 'row filters' }, all.map(({ label, control }) =>
    html('label', { class: 'field' }, label, control))), status, table, more]
}

/** What a filter lets through, and its control marked where it cannot be read. */
function passing({ control, passes }: Filter): ReturnType<Filter['passes']> {
  const typed = control.value.trim()
  const found = typed ? passes(typed) : () => true
  control.toggleAttribute('aria-invalid', !found)
  return found
}

const written = (all: readonly Filter[]): URLSearchParams =>
  new URLSearchParams(all.map(({ name, control }) => [name, control.value.trim()]).filter(([, value]) => value))

function filters(machines: readonly Machine[]): Filter[] {
  const told = questionIn(location.search)
  const typed = (name: string, label: string, passes: Filter['passes'], mode = 'decimal'): Filter => ({
    name, label, passes, control: html('input', { type: 'text', inputmode: mode, spellcheck: 'false', value: told.get(name) }),
  })
  const least = (name: string, label: string, figure: (machine: Machine) => number | null): Filter =>
    typed(name, t.hardware.at_least(label), (text) => {
      const bound = amountOf(text)
      return bound === null ? null : (machine) => (figure(machine) ?? 0) >= bound
    })
  const choice = (name: string, label: string, value: (machine: Machine) => string, said = word): Filter => {
    const options = [...new Set(machines.map(value))].map((one) => [one, said(one)] as const)
      .sort((one, other) => Number(other[0] === NONE) - Number(one[0] === NONE) || one[1].localeCompare(other[1]))
    const control = html('select', {}, html('option', { value: '' }, t.hardware.any), options.map(([one, words]) =>
      html('option', { value: one, selected: one === told.get(name) }, words)))
    return { name, label, control, passes: (chosen) => (machine) => value(machine) === chosen }
  }
  return [
    typed('q', t.hardware.filter, withWords, 'search'),
    choice('cloud', t.terms.cloud, ({ cloud }) => cloud, cloudName),
    choice('accelerator', t.answer.accelerator, deviceName, (name) => (name === NONE ? t.answer.no_accelerator : gpu(name))),
    choice('architecture', t.hardware.architecture, ({ architecture }) => architecture ?? NONE),
    least('min_vcpus', t.why.vcpus, ({ vcpus }) => vcpus),
    least('min_memory_gib', `${t.why.memory} (GiB)`, ({ memory_gib: gib }) => gib),
    typed('max_usd_per_hour', t.hardware.at_most, (text) => {
      const bound = amountOf(text)
      return bound === null ? null : (machine) => (priceOf(machine, 'on_demand') ?? Infinity) <= bound
    }),
  ]
}

function withWords(typed: string): (machine: Machine) => boolean {
  const words = typed.toLowerCase().split(/\s+/)
  return (machine) => {
    const { instance_type: name, cloud, family, cpu } = machine
    const text = [name, cloudName(cloud), family, cpu, deviceName(machine), gpu(deviceName(machine))].join(' ').toLowerCase()
    return words.every((one) => text.includes(one))
  }
}

const columns = (): Column<Machine>[] => [
  [t.answer.machine, 'name', ({ cloud, instance_type: name }) => [
    html('strong', {}, linkTo(['machines', cloud, name], name.split(PARTS).map((part) => [part, html('wbr')]))), html('small', {}, cloudName(cloud)),
  ], ({ instance_type: name }) => name, 'machine'],
  price('on_demand'),
  price('spot'),
  [t.answer.accelerator, 'setting', ({ accelerator }) =>
    (accelerator ? linkTo(['accelerators', accelerator.name], devicesOf(accelerator)) : '–'),
  ({ accelerator }) => accelerator && gpu(accelerator.name), 'accelerator'],
  [t.why.vcpus, 'figure', ({ vcpus }) => plain(vcpus), ({ vcpus }) => vcpus, 'vcpus'],
  [t.why.memory, 'figure', ({ memory_gib: gib }) => amount(gib, 'GiB'), ({ memory_gib: gib }) => gib, 'memory'],
  [t.hardware.network, 'figure', ({ network_gbps: rate }) => amount(rate, 'Gbit/s'), ({ network_gbps: rate }) => rate, 'network'],
  [t.hardware.cpu, 'setting', ({ cpu }) => cpu ?? '–', ({ cpu }) => cpu, 'cpu'],
]

const price = (purchase: string): Column<Machine> => [
  t.hardware.from(word(purchase)), 'figure', (one) => usd(priceOf(one, purchase)), (one) => priceOf(one, purchase), purchase,
]

const priceOf = ({ lowest_usd_per_hour: prices }: Machine, purchase: string): number | null => prices[purchase] ?? null
const deviceName = ({ accelerator }: Machine): string => accelerator?.name ?? NONE
const amount = (value: number | null, unit: string): string => (value === null ? '–' : `${plain(value)} ${unit}`)
