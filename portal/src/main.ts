import { forgetKey, hasKey, useKey } from './access.ts'
import { addressOf, ownIn, type OwnName, questionIn } from './address.ts'
import { Shown, type Surroundings } from './answer/answer.ts'
import { lightUp } from './answer/light.ts'
import { Asking } from './asking.ts'
import { everything } from './client.ts'
import { read, written } from './comparands.ts'
import { button, byId } from './dom.ts'
import { Frame } from './element/frame.ts'
import { line } from './form/asked.ts'
import { Bar } from './form/bar.ts'
import { buildForm } from './form/form.ts'
import { change, fill, isBeingTyped, offerClouds, queryOf, showAssumed, showFaults, showTab } from './form/question.ts'
import { exampleOf, isTabOf, type Tab, tabOf } from './form/tabs.ts'
import { dress } from './look.ts'
import { readMeasured, writtenMeasured } from './measurements.ts'
import { readMine, writtenMine } from './mine.ts'
import { page, unfold } from './page.ts'
import { linesOf, type Problem, titleOf } from './problem.ts'
import { refused } from './refused.ts'
import { t } from './texts/index.ts'
import type { Answer } from './types.ts'

const EMBEDDED = document.documentElement.classList.contains('embedded')
const FIRST: Tab = 'finetune' // of a page that was asked nothing
const FIRST_CHART = 'points'
const ADAPTERS = ['lora', 'qlora']
const LANGUAGE_MODEL = ['tokens', 'input_tokens'] // of work with one
const frame = EMBEDDED ? new Frame(window, unlock) : null
const asking = new Asking({ begin, answered, failed })
let form: HTMLFormElement
let bar: Bar
let tab: Tab = FIRST
let built = ''
let offered = false
let held = false
let shown: Shown | null = null
let latest: Answer | null = null

const around: Surroundings = {
  change: (parameter, value) => {
    change(form, parameter, value)
  },
  pinned: (version) => {
    const question = questionIn(location.search)
    question.set('snapshot', version)
    return addressOf(question, location.search)
  },
  opened: () => Number(ownIn(location.search, 'open')) || null,
  open: (item) => {
    keep('open', item && String(item.rank))
  },
  chosen: (item) => {
    frame?.selected(item)
  },
  chart: () => ownIn(location.search, 'chart') ?? '',
  keepChart: (id) => { keep('chart', id === FIRST_CHART ? null : id) },
  whyNot: () => ownIn(location.search, 'why_not') ?? '',
  compared: () => read(ownIn(location.search, 'compare') ?? ''),
  keepCompared: (comparands) => {
    const own = { compare: written(comparands) || null, why_not: null }
    put(addressOf(questionIn(location.search), location.search, own))
  },
}

addEventListener('popstate', () => {
  if (location.search !== built) start() // not for a step to a part of the page
})
lightUp(byId('app'))
new ResizeObserver(() => shown?.resized()).observe(document.body)
start()

/** Builds the page in the address's language, fills the form from the address and asks what it says. */
function start(): void {
  dress()
  document.title = t.title
  readMine(ownIn(location.search, 'mine'))
  readMeasured(ownIn(location.search, 'measured'))
  form = buildForm(ask, () => {
    take(FIRST, exampleOf(FIRST))
  }, () => {
    forgetKey()
    ask()
  })
  listen()
  bar = new Bar(take, () => ({ question: queryOf(form), model: languageModel() }))
  byId('app').replaceChildren(...page(bar.element, form, EMBEDDED, { unlock, choose: (name, chosen) => {
    keep(name, chosen)
    start()
  } }))
  offered = false
  const question = questionIn(location.search)
  const asked = question.size ? question : exampleOf(FIRST)
  const named = ownIn(location.search, 'tab')
  tab = isTabOf(named, asked) ? named : tabOf(asked)
  fill(form, asked)
  built = location.search
  asking.now(filled())
}

/** Asks after a pause where something is typed, and at once where it is chosen. */
function listen(): void {
  form.addEventListener('input', ({ target }) => {
    const typed = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text')
    showTab(form, tab, latest?.workload)
    if (typed) asking.soon(remembered)
    else ask()
  })
  form.addEventListener('change', () => {
    if (held) asking.soon(remembered)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    ask()
  })
}

/** Goes on in a tab with a question. */
function take(chosen: Tab, question: URLSearchParams): void {
  tab = chosen
  fill(form, question)
  ask()
}

/** Goes on with the question under an API key. */
function unlock(key: string, keepIt = false): void {
  useKey(key, keepIt)
  offered = false
  ask()
}

function ask(): void {
  asking.now(remembered())
}

/** The question in the form, with the tab that it is shown in. */
function filled(): URLSearchParams {
  showTab(form, tab, latest?.workload)
  const query = queryOf(form)
  bar.mark(tab, query)
  byId('asked').textContent = line(tab, query, {})
  return query
}

/** The question in the form, which the address then has as well. */
function remembered(): URLSearchParams {
  const query = filled()
  put(addressOf(query, location.search, {
    open: null, tab: tab === tabOf(query) ? null : tab, mine: writtenMine() || null,
    measured: writtenMeasured() || null,
  }))
  return query
}

/** The language model of the last answer, which other work may go on with. */
function languageModel(): string | null {
  const work: Record<string, unknown> = latest?.workload ?? {}
  return typeof work.model === 'string' && LANGUAGE_MODEL.some((name) => name in work) ? work.model : null
}

function keep(name: OwnName, value: string | null): void {
  put(addressOf(questionIn(location.search), location.search, { [name]: value }))
}

/** Puts the address in place, without a step in the browser's history. */
function put(address: string): void {
  history.replaceState(null, '', address)
  built = location.search
}

function begin(): void {
  byId('answer').setAttribute('aria-busy', 'true')
  byId('status').textContent = t.status.asking
}

function answered(answer: Answer, query: URLSearchParams): void {
  const width = byId('plot').clientWidth // read before anything changes, while it costs nothing
  latest = answer
  held = false
  showFaults(form, [])
  if (byId('access').contains(document.activeElement)) byId('answer').focus()
  byId('problem').hidden = byId('access').hidden = byId('skeleton').hidden = true
  byId('forget').hidden = !hasKey()
  byId('result').hidden = byId('peek').hidden = false
  byId('result').classList.remove('stale')
  byId('status').textContent = t.status.count(answer.recommendations.length)
  shown?.leave()
  shown = new Shown(answer, query, around)
  shown.show(width)
  showAsked(answer, query)
  byId('answer').removeAttribute('aria-busy')
  frame?.answered(answer)
  void offerNames()
}

/** Says what was asked and taken for granted, in the form, above the answer and as the page's title. */
function showAsked(answer: Answer, query: URLSearchParams): void {
  const { task, method } = answer.workload
  const adapted = task === 'training' && ADAPTERS.includes(String(method))
  if (tab === 'scratch' && adapted && !ownIn(location.search, 'tab')) {
    tab = 'finetune' // what the service takes a published model's training for, unless it is told otherwise
    bar.mark(tab, query)
  }
  byId('banner').hidden = !query.has('snapshot')
  byId('banner').replaceChildren(`${t.share.pinned_banner} ${answer.catalog.prices_as_of}. `, button(t.share.current, () => {
    query.delete('snapshot')
    take(tab, query)
  }))
  showTab(form, tab, answer.workload)
  showAssumed(form, answer)
  const asked = line(tab, query, answer.workload)
  byId('asked').textContent = asked
  document.title = `${asked} · Plimsoll`
  document.getElementById('whole')?.setAttribute('href', `/${addressOf(query, location.search)}`)
}

function failed(problem: Problem): void {
  held = isBeingTyped(form, problem.errors)
  if (held) return // half a name is no fault yet; the answer before stays, faded
  const keyed = hasKey()
  const fixable = problem.errors.length > 0 && shown !== null
  if (problem.keyless) forgetKey()
  byId('status').textContent = ''
  byId('result').hidden = !fixable
  byId('result').classList.toggle('stale', fixable)
  byId('skeleton').hidden = true
  const unmarked = showFaults(form, problem.errors)
  if (unmarked.length < problem.errors.length) unfold(form, true)
  byId('problem').replaceChildren(...refused(problem, unmarked, keyed))
  byId('problem').hidden = byId('peek').hidden = false
  byId('peek').textContent = titleOf(problem)
  byId('access').hidden = !problem.locked
  byId('forget').hidden = !hasKey()
  byId('answer').removeAttribute('aria-busy')
  if (!problem.lost && !problem.keyless) void offerNames()
}

/** The clouds to tick, once the service is known to answer; the form works without them. */
async function offerNames(): Promise<void> {
  if (offered) return
  offered = true
  try {
    const regions = await everything<{ cloud: string }>('regions')
    offerClouds(form, regions.map((region) => region.cloud))
  } catch (error) {
    offered = false
    byId('clouds-fault').textContent = linesOf(error).join(' ')
  }
}
