import { hasKey, useKey } from '../access.ts'
import { addressOf, pathTo, questionIn } from '../address.ts'
import { cloudName } from '../answer/clouds.ts'
import { copyButton } from '../answer/copy.ts'
import { everything, one, some } from '../client.ts'
import { type Child, html } from '../dom.ts'
import { combobox } from '../form/combobox.ts'
import { similarIn } from '../form/faults.ts'
import { hardwareNamed } from '../form/suggestions.ts'
import { keyForm } from '../keyform.ts'
import { dress } from '../look.ts'
import { readMine } from '../mine.ts'
import { footer, header } from '../page.ts'
import { linesOf, Problem } from '../problem.ts'
import { t } from '../texts/index.ts'
import { gpu } from '../units.ts'
import { compareLink, linkTo } from './links.ts'
import { commitment } from './commitment.ts'
import { type Device, factsOfDevice, factsOfMachine, type Machine } from './facts.ts'
import { priceHistory } from './history.ts'
import { measuredOn } from './measured.ts'
import { othersOf, pricesOfDevice, pricesOfMachine } from './prices.ts'
import { pricesByCloud } from './providers.ts'
import { comparandOf, sideBySide } from './devices.ts'
import { allMachines, type Region } from './machines.ts'
import { suitedDevice, suitedMachine } from './suited.ts'

const MOST_MACHINES = 40 // whose prices are asked for, those with the fewest devices first
const NOT_FOUND = 404

const [kind = '', ...names] = location.pathname.split('/').slice(1).map(decodeURIComponent)
let asked = new AbortController()

show()

/** Builds the page in the address's language. */
function show(): void {
  asked.abort()
  asked = new AbortController()
  dress()
  readMine(null)
  const answer = html('section', { id: 'answer', 'aria-live': 'polite', 'aria-busy': 'true', tabindex: '-1' },
    html('div', { id: 'skeleton', 'aria-hidden': 'true' },
      ['title', 'row', 'picture'].map((part) => html('div', { class: `bone ${part}` }))))
  const skip = html('a', { class: 'skip', href: '#answer' }, t.skip)
  document.getElementById('app')?.replaceChildren(skip, header(true), html('main', {}, search(), answer), footer((name, chosen) => {
    history.replaceState(null, '', addressOf(questionIn(location.search), location.search, { [name]: chosen }))
    show()
  }))
  void filled(answer, asked.signal)
}

async function filled(box: HTMLElement, signal: AbortSignal): Promise<void> {
  try {
    const content = await pageOf(signal)
    if (!signal.aborted) box.replaceChildren(...content)
  } catch (error) {
    if (!signal.aborted) box.replaceChildren(...refusal(error))
  }
  if (!signal.aborted) box.removeAttribute('aria-busy')
}

function pageOf(signal: AbortSignal): Promise<HTMLElement[]> {
  if (kind === 'machines') return names.length ? machinePage(signal) : machinesPage()
  return names.length ? devicePage(signal) : devicesPage()
}

/** Every accelerator with its figures and its lowest prices. */
async function devicesPage(): Promise<HTMLElement[]> {
  return listing(t.hardware.side_by_side, t.hardware.cheapest, sideBySide(await everything<Device>('accelerators')))
}

/** Every machine that new customers can rent. */
async function machinesPage(): Promise<HTMLElement[]> {
  const [machines, regions, devices] = await Promise.all([
    everything<Machine>('instance-types', { retired: 'false' }), everything<Region>('regions'), everything<Device>('accelerators'),
  ])
  return listing(t.hardware.all_machines, t.hardware.machines_about, allMachines(machines, regions, devices))
}

function listing(title: string, about: string, content: readonly HTMLElement[]): HTMLElement[] {
  document.title = `${title} · Plimsoll`
  return [html('div', { class: 'part-of-page' }, html('h1', { id: 'headline' }, html('strong', {}, title)),
    html('p', { class: 'facts' }, about), content)]
}

async function machinePage(signal: AbortSignal): Promise<HTMLElement[]> {
  const [cloud = '', name = ''] = names
  const machine = await one<Machine>(['instance-types', cloud, name], signal)
  const { accelerator, cpu } = machine
  document.title = `${machine.instance_type} · ${cloudName(machine.cloud)} · Plimsoll`
  const filter: Record<string, string> = accelerator ? { accelerator: accelerator.name } : { cpu: cpu ?? '', accelerator: 'none' }
  return [
    heading([machine.instance_type, ' ', html('span', { class: 'amount' }, `· ${cloudName(machine.cloud)}`)], machine.instance_type,
      machine.retired ? html('p', { class: 'warning' }, t.hardware.retired) : null, factsOfMachine(machine),
      html('p', {}, compareLink([{ cloud: machine.cloud, instance_type: machine.instance_type }]))),
    section(t.hardware.good_for, t.hardware.good_for_about,
      suitedMachine({ cloud: machine.cloud, instance_type: machine.instance_type }, signal)),
    section(t.hardware.prices, t.hardware.listed, Promise.resolve(pricesOfMachine(machine))),
    section(t.commitment.title, '', Promise.resolve(commitment(machine))),
    section(t.history.title, '', priceHistory(machine, signal)),
    ...(machine.family ? [section(t.hardware.family, '', sizes(machine, signal))] : []),
    section(t.hardware.evidence, '', accelerator ?? cpu ? measuredOn(filter, signal) : unmeasured()),
  ]
}

async function devicePage(signal: AbortSignal): Promise<HTMLElement[]> {
  const wanted = spelt(names[0] ?? '')
  const all = await everything<Device>('accelerators')
  const device = all.find(({ name, aliases }) => [name, ...aliases].some((other) => spelt(other) === wanted))
  if (!device) throw new Problem(t.hardware.unknown, names[0], { status: NOT_FOUND })
  document.title = `${gpu(device.name)} · Plimsoll`
  const machines = everything<Machine>('instance-types', { accelerator: device.name })
  return [
    heading(gpu(device.name), device.name, factsOfDevice(device),
      html('p', { class: 'facts' }, t.evidence.source + t.colon, html('span', { lang: 'en' }, device.source)),
      html('p', {}, compareLink([comparandOf(device)]))),
    section(t.hardware.good_for, t.hardware.good_for_about, suitedDevice(device.name, signal)),
    section(t.hardware.by_cloud, '', machines.then((found) => pricesByCloud(device.name, found))),
    section(t.hardware.machines, '', machines.then((found) => priced(found, signal))),
    section(t.hardware.evidence, '', measuredOn({ accelerator: device.name }, signal)),
  ]
}

/** The other machines of a family, the smallest first, each with its prices. */
async function sizes({ cloud, family, instance_type: own }: Machine, signal: AbortSignal): Promise<HTMLElement[]> {
  const filter = { cloud, family: family ?? '', retired: 'false', limit: String(MOST_MACHINES) }
  const { items } = await some<Machine>('instance-types', filter, signal)
  return othersOf(await withPrices(items.filter(({ instance_type: name }) => name !== own), signal))
}

/** The machines with an accelerator, each with its prices. */
async function priced(machines: readonly Machine[], signal: AbortSignal): Promise<HTMLElement[]> {
  const count = (machine: Machine): number => machine.accelerator?.count ?? 0
  const fewest = [...machines].sort((first, other) => count(first) - count(other))
  return pricesOfDevice(await withPrices(fewest, signal))
}

function withPrices(machines: readonly Machine[], signal: AbortSignal): Promise<Machine[]> {
  return Promise.all(machines.slice(0, MOST_MACHINES).map((machine) =>
    one<Machine>(['instance-types', machine.cloud, machine.instance_type], signal)))
}

function unmeasured(): Promise<HTMLElement[]> {
  return Promise.resolve([html('p', {}, t.hardware.unmeasured)])
}

function spelt(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, '')
}

function heading(title: Child, name: string, ...content: Child[]): HTMLElement {
  return html('div', { class: 'best' },
    html('h1', { id: 'headline' }, html('strong', {}, title), ' ', copyButton(() => name)), content)
}

/** A part of the page that fills when its content comes. */
function section(title: string, about: string, content: Promise<HTMLElement | HTMLElement[] | null>): HTMLElement {
  const body = html('div', {}, html('div', { class: 'bone row', 'aria-hidden': 'true' }))
  content.then((found) => {
    if (found) body.replaceChildren(...(Array.isArray(found) ? found : [found]))
    else body.replaceChildren(html('p', {}, t.hardware.unrented))
  }, (error: unknown) => {
    body.replaceChildren(...linesOf(error).map((line) => html('p', { class: 'fault', lang: 'en' }, line)))
  })
  return html('section', { class: 'part-of-page' }, html('h2', {}, title), about ? html('p', { class: 'facts' }, about) : null, body)
}

/** What is said where there is no such hardware, or where a key is asked for. */
function refusal(error: unknown): HTMLElement[] {
  const lost = error instanceof Problem && error.status === NOT_FOUND
  const similar = lost ? similarIn(error.message) : []
  const key = keyForm((secret, keep) => {
    useKey(secret, keep)
    show()
  })
  key.hidden = !(error instanceof Problem && error.locked && !hasKey())
  return [html('div', { class: 'problem', role: 'alert' },
    html('strong', {}, lost ? t.hardware.unknown : t.status.failed),
    similar.length ? html('p', {}, t.form.did_you_mean, similar.map((name) => [' ', linkTo([kind, ...names.slice(0, -1), name], name)])) : null,
    similar.length ? null : linesOf(error).map((line) => html('p', { lang: 'en' }, line)),
    lost ? html('p', {}, t.hardware.try_search) : null), key]
}

/** A field that finds other hardware by its name. */
function search(): HTMLElement {
  const input = html('input', { id: 'find', type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder: 'g5.xlarge' })
  input.addEventListener('change', () => {
    const name = input.value.trim().toLowerCase()
    void hardwareNamed(name, asked.signal).then((found) => {
      const page = found.find((one) => one.name.toLowerCase() === name)?.page
      if (page) location.href = pathTo(page, location.search)
    })
  })
  return html('section', { id: 'ask', class: 'find' },
    html('label', { for: 'find' }, t.hardware.find), combobox(input, hardwareNamed),
    html('a', { href: pathTo([], location.search) }, t.hardware.back))
}
