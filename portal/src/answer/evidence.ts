import { type Pair, scatter } from '../chart/scatter.ts'
import { everything } from '../client.ts'
import { type Child, html } from '../dom.ts'
import { linesOf } from '../problem.ts'
import { t, word } from '../texts/index.ts'
import type { Answer, Measurement, Recommendation } from '../types.ts'
import { gpu, plain } from '../units.ts'

const SCHEMES = ['device', 'model', 'source'] as const
type Scheme = (typeof SCHEMES)[number]

const MOST_ROWS = 12 // listed one by one; /v1/evidence has them all
const NO_ACCELERATOR = 'none'
const [HALF, MOST] = [0.5, 0.9]
const LEAST_FACTOR = 1.01 // that three digits tell from 1

const fetched = new Map<string, Promise<Measurement[]>>()

/**
 * The measurements behind an estimate against what fits say that had not seen them, fetched when it is unfolded; null
 * for work without a model.
 */
export function evidence(item: Recommendation, answer: Answer, room: () => number): HTMLElement | null {
  if (!answer.workload.model) return null
  const body = html('div', { role: 'status' })
  const fold = html('details', { class: 'evidence' }, html('summary', {}, t.evidence.title), body)
  fold.addEventListener('toggle', () => {
    if (fold.open && !body.firstChild) void fill(body, item, answer, room)
  })
  return fold
}

async function fill(body: HTMLElement, item: Recommendation, answer: Answer, room: () => number): Promise<void> {
  const { model, task } = answer.workload
  if (typeof model !== 'string') {
    body.replaceChildren(html('p', {}, t.evidence.unnamed))
    return
  }
  body.replaceChildren(html('p', {}, t.evidence.asking))
  try {
    const all = await measurements(model, task)
    const judged = all.filter((row) => SCHEMES.some((scheme) => predictionOf(row, scheme) !== null))
    body.replaceChildren(judged.length ? shown(judged, item, model, room) : html('p', {}, t.evidence.none(model)))
  } catch (error) {
    body.replaceChildren(...linesOf(error).map((line) => html('p', { class: 'fault', lang: 'en' }, line)))
  }
}

/** The undoubted measurements of a model, fetched once. */
function measurements(model: string, task: string): Promise<Measurement[]> {
  const key = `${model} ${task}`
  const known = fetched.get(key)
  if (known) return known
  const asked = everything<Measurement>('evidence', { model, task })
  fetched.set(key, asked)
  asked.catch(() => fetched.delete(key)) // asked again when it is unfolded again
  return asked
}

/** The picture under two choices: which figure, and what the fits had not seen. */
function shown(rows: readonly Measurement[], item: Recommendation, model: string, room: () => number): HTMLElement {
  const metrics = byCount(rows.map((row) => row.metric))
  const own = metrics.find((metric) => metric.endsWith(item.estimate.throughput.unit))
  const metric = choice(t.evidence.metric, metrics.map((name) => [name, word(name)]), own)
  const scheme = choice(t.evidence.without, SCHEMES.map((name) => [name, t.evidence.schemes[name]]))
  const picture = html('div')
  const draw = (): void => {
    const left = SCHEMES.find((name) => name === scheme.select.value) ?? 'device'
    const some = rows.filter((row) => row.metric === metric.select.value && predictionOf(row, left) !== null)
    picture.replaceChildren(...drawn(some, left, item, model, room()))
  }
  for (const { select } of [metric, scheme]) select.addEventListener('change', draw)
  draw()
  const choices = metrics.length > 1 ? [metric.element, scheme.element] : [scheme.element]
  return html('figure', { class: 'predicted' }, html('div', { class: 'row' }, choices), picture)
}

function drawn(
  rows: readonly Measurement[], scheme: Scheme, item: Recommendation, model: string, room: number,
): HTMLElement[] {
  const name = item.accelerator?.name ?? null
  const pairs = rows.map((row) => pairOf(row, scheme, name)).filter((pair) => pair.predicted > 0 && pair.measured > 0)
  if (!pairs.length) return [html('p', {}, t.evidence.none(model))]
  const hardwareName = name ? gpu(name) : t.answer.no_accelerator
  const words = summary(pairs, model, hardwareName)
  const unit = word(unitOf(rows[0]?.metric ?? ''))
  const there = pairs.some((pair) => pair.same)
  const legend = { ...(there ? { same: t.evidence.same(hardwareName) } : {}), other: t.evidence.others }
  const key = Object.entries(legend).map(([kind, label]) => html('li', {}, html('span', { class: `swatch ${kind}` }), label))
  return [
    html('div', { class: 'scattered' },
      html('div', {}, scatter(pairs, room, words, unit)),
      html('div', { class: 'told' },
        html('p', {}, words),
        html('p', { class: 'facts' }, t.evidence.caption(t.evidence.schemes[scheme])),
        html('ul', { class: 'legend' }, key),
        html('p', { class: 'facts' }, t.evidence.bands))),
    ...list(rows.filter((row) => row.accelerator === name), scheme, unit),
  ]
}

function summary(pairs: readonly Pair[], model: string, accelerator: string): string {
  const same = pairs.filter((pair) => pair.same)
  const all = t.evidence.found(model, plain(pairs.length), factor(within(pairs, HALF)), factor(within(pairs, MOST)))
  const here = same.length
    ? t.evidence.here(plain(same.length), accelerator, factor(within(same, HALF)))
    : t.evidence.nothing_here(accelerator)
  return all + t.gap + here
}

/** A factor within which something lies, which is never none at all. */
const factor = (value: number): string => plain(Math.max(value, LEAST_FACTOR))

/** The factor within which that share of the predictions lies. */
export function within(pairs: readonly Pair[], share: number): number {
  const factors = pairs.map(({ measured, predicted }) => Math.max(measured / predicted, predicted / measured))
  factors.sort((one, other) => one - other)
  return factors[Math.ceil(share * factors.length) - 1] ?? 1
}

function list(rows: readonly Measurement[], scheme: Scheme, unit: string): HTMLElement[] {
  if (!rows.length) return []
  const { evidence: words } = t
  const columns: [string, (row: Measurement) => Child][] = [
    [words.machine, hardware],
    [words.setting, setting],
    [`${words.measured}, ${unit}`, (row) => plain(row.value)],
    [`${words.predicted}, ${unit}`, (row) => plain(predictionOf(row, scheme))],
    [words.source, (row) => html('a', { href: row.source_url }, row.source_title)],
  ]
  const head = columns.map(([title]) => html('th', { role: 'columnheader', scope: 'col' }, title))
  const lines = rows.slice(0, MOST_ROWS).map((row) => html('tr', { role: 'row' }, columns.map(([title, cell]) =>
    html('td', { role: 'cell', 'data-title': title }, cell(row)))))
  const count = rows.length > MOST_ROWS ? `${MOST_ROWS} / ${rows.length}` : rows.length
  return [html('details', {}, html('summary', {}, `${words.rows} (${count})`),
    html('table', { role: 'table', 'aria-label': words.rows },
      html('thead', { role: 'rowgroup' }, html('tr', { role: 'row' }, head)),
      html('tbody', { role: 'rowgroup' }, lines)))]
}

function choice(
  label: string, options: readonly (readonly [string, string])[], chosen?: string,
): { element: HTMLElement; select: HTMLSelectElement } {
  const select = html('select', {}, options.map(([value, words]) => html('option', { value, selected: value === chosen }, words)))
  return { element: html('label', { class: 'field' }, label, select), select }
}

function byCount(words: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const one of words) counts.set(one, (counts.get(one) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name)
}

const pairOf = (row: Measurement, scheme: Scheme, accelerator: string | null): Pair => ({
  measured: row.value,
  predicted: predictionOf(row, scheme) ?? 0,
  same: row.accelerator === accelerator,
})

const predictionOf = (row: Measurement, scheme: Scheme): number | null => row[`predicted_without_${scheme}`]

const hardware = ({ accelerator, cpu, device_count: count }: Measurement): string => {
  const name = accelerator ? gpu(accelerator) : cpu ?? NO_ACCELERATOR
  return count === 1 ? name : `${count} × ${name}`
}

const setting = ({ framework, precision, batch_size: batch, date }: Measurement): string =>
  [framework, precision, batch === null ? '' : `batch ${batch}`, date].filter(Boolean).join(', ')

/** The unit in a metric's name: `ttft_ms` is in ms, `output_tokens/s` in tokens/s. */
const unitOf = (metric: string): string => metric.split('_').at(-1)?.replace('gib', 'GiB') ?? metric
