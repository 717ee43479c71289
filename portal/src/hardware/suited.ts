import { pathTo } from '../address.ts'
import { inWords } from '../answer/rule.ts'
import { latencyOf } from '../chart/points.ts'
import { batch, estimate } from '../client.ts'
import { type Child, html } from '../dom.ts'
import { told } from '../form/asked.ts'
import { bodyOf } from '../request.ts'
import { t, word } from '../texts/index.ts'
import type { Answer, Estimate, Judgement } from '../types.ts'
import { duration, milliseconds, plain, usd } from '../units.ts'
import { linkTo } from './links.ts'
import { tableOf } from './tables.ts'
import { type Workload, WORKLOADS } from './workloads.ts'

const PART = /[;；]\s*/ // of a reason, whose first says the rank
const FITTING = 1e6 // above any rank: what runs without being recommended

/** How hardware stands at a standard workload; `on` names the machine where the hardware is an accelerator. */
interface Standing {
  workload: Workload
  found: Judgement
  on: Machine | null
}

interface Machine {
  cloud: string
  instance_type: string
  node_count?: number
  region?: string
  purchase?: string
}

/** How a machine does at each standard workload, what it does best first. */
export async function suitedMachine(on: Machine, signal: AbortSignal): Promise<HTMLElement> {
  const all = await Promise.all(WORKLOADS.map(async (workload): Promise<Standing> =>
    ({ workload, found: await judged(workload, on, signal), on: null })))
  return table(all)
}

/** The same for an accelerator, on the best machine that has it; and null where no machine to rent has it. */
export async function suitedDevice(name: string, signal: AbortSignal): Promise<HTMLElement | null> {
  const constraints = { accelerators: [name] }
  const requests = WORKLOADS.map(({ question }) => ({ ...bodyOf(question), constraints, limit: 1 }))
  const answers = await batch(requests, signal)
  const machines = answers.map(bestOf)
  if (!machines.some(Boolean)) return null
  const all = await Promise.all(WORKLOADS.map(async (workload, place): Promise<Standing> => {
    const on = machines[place] ?? null
    return { workload, found: on ? await judged(workload, on, signal) : NOTHING, on }
  }))
  return table(all)
}

const NOTHING: Judgement = {
  fits: false, short: [], sizing: null, estimate: null, price: null, rank: null, why_not: [], warnings: [],
}

function bestOf(answer: Partial<Answer>): Machine | null {
  const [best] = answer.recommendations ?? []
  if (!best) return null
  const { cloud, instance_type, node_count, region, purchase } = best
  return { cloud, instance_type, node_count, region, purchase }
}

const judged = ({ question }: Workload, on: Machine, signal: AbortSignal): Promise<Judgement> =>
  estimate({ workload: bodyOf(question).workload, on }, null, signal)

function table(all: readonly Standing[]): HTMLElement {
  const order = ({ found }: Standing): number => found.rank ?? (found.fits ? FITTING : Infinity)
  const rows = [...all].sort((one, other) => order(one) - order(other) || 0)
  return tableOf(t.hardware.good_for, [
    [t.hardware.workload, 'name', workloadCell],
    ...(all.some(({ on }) => on) ? [[t.answer.machine, 'sku', machineCell] as const] : []),
    [t.hardware.rank, 'figure', ({ found }) => plain(found.rank)],
    [t.answer.time, 'figure', ({ found }) => time(found)],
    [t.answer.cost, 'figure', ({ found }) => cost(found)],
    [t.hardware.verdict, 'verdict', verdict],
  ], rows)
}

/** The workload, with the machine below where there is no room for a column of machines. */
function workloadCell(one: Standing): Child {
  const { tab, question } = one.workload
  return [
    html('a', { href: pathTo([], location.search, question) }, told(tab, question)),
    one.on ? html('small', { class: 'on' }, machineCell(one)) : null,
  ]
}

function machineCell({ on }: Standing): Child {
  if (!on) return '–'
  const { cloud, instance_type: name, node_count: nodes = 1 } = on
  return linkTo(['machines', cloud, name], nodes > 1 ? `${nodes} × ${name}` : name)
}

/** The estimate of a machine that could be taken; a load that it does not serve has no latency to speak of. */
const estimateOf = ({ estimate: found, why_not: against, rank }: Judgement): Estimate | null =>
  rank === null && against.length ? null : found

function time(judgement: Judgement): string {
  const found = estimateOf(judgement)
  if (!found) return '–'
  return found.time_hours ? duration(found.time_hours.value) : milliseconds(latencyOf(found)?.value)
}

function cost(judgement: Judgement): string {
  const found = estimateOf(judgement)
  if (!found) return '–'
  return found.cost_usd ? usd(found.cost_usd.value) : found.usd_per_hour ? t.answer.an_hour(usd(found.usd_per_hour.value)) : '–'
}

function verdict({ found }: Standing): Child {
  if (found === NOTHING) return t.answer.none
  if (found.rank === 1) return html('strong', {}, t.choices.recommended)
  const [reason] = found.why_not
  if (reason) return html('span', {}, inWords(found.rank ? reason.text.split(PART).at(-1) ?? '' : reason.text))
  return found.fits ? word(found.estimate?.basis ?? '') : t.compare.unfit
}
