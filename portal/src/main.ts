import '../styles/portal.css'
import { forgetKey, hasKey, useKey } from './access.ts'
import { addressOf, ownIn, type OwnName, questionIn } from './address.ts'
import { Shown, type Surroundings } from './answer/answer.ts'
import { Asking } from './asking.ts'
import { everything } from './client.ts'
import { read, written } from './comparands.ts'
import { byId } from './dom.ts'
import { Frame } from './element/frame.ts'
import { change, fill, isBeingTyped, offerClouds, queryOf, showFaults, showTask } from './form/question.ts'
import { buildForm } from './form/form.ts'
import { page } from './page.ts'
import { linesOf, type Problem, titleOf } from './problem.ts'
import { refused } from './refused.ts'
import { language, t, useLanguage } from './texts/index.ts'
import type { Answer } from './types.ts'

const EMBEDDED = document.documentElement.classList.contains('embedded')
const frame = EMBEDDED ? new Frame(window, unlock) : null
const asking = new Asking({ begin, answered, failed })
let form: HTMLFormElement
let built = ''
let offered = false
let held = false
let shown: Shown | null = null

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
    if (item) frame?.selected(item)
  },
  whyNot: () => ownIn(location.search, 'why_not') ?? '',
  keepWhyNot: (name) => {
    keep('why_not', name || null)
  },
  compared: () => read(ownIn(location.search, 'compare') ?? ''),
  keepCompared: (comparands) => {
    keep('compare', written(comparands) || null)
  },
}

addEventListener('popstate', () => {
  if (location.search !== built) start() // not for a step to a part of the page
})
new ResizeObserver(() => shown?.resized()).observe(document.body)
start()

/** Builds the page in the address's language, fills the form from the address and asks what it says. */
function start(): void {
  useLanguage(ownIn(location.search, 'lang'), navigator.languages)
  document.documentElement.lang = language
  document.title = t.title
  document.documentElement.dataset.theme = ownIn(location.search, 'theme') ?? ''
  form = buildForm(() => {
    fill(form, new URLSearchParams())
    ask()
  }, () => {
    forgetKey()
    ask()
  })
  form.addEventListener('input', () => {
    showTask(form)
    asking.soon(remembered)
  })
  form.addEventListener('change', () => {
    if (held) asking.soon(remembered)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    ask()
  })
  byId('app').replaceChildren(...page(form, EMBEDDED, unlock, (chosen) => {
    keep('lang', chosen)
    start()
    byId('language').focus() // the page is another one, its reader where they were
  }))
  offered = false
  fill(form, questionIn(location.search))
  built = location.search
  asking.now(queryOf(form))
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

/** The question in the form, which the address then has as well. */
function remembered(): URLSearchParams {
  const query = queryOf(form)
  put(addressOf(query, location.search, { open: null }))
  return query
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
  showFaults(form, [])
  if (byId('access').contains(document.activeElement)) byId('answer').focus()
  byId('problem').hidden = byId('access').hidden = true
  byId('forget').hidden = !hasKey()
  byId('result').hidden = byId('peek').hidden = false
  byId('status').textContent = t.status.count(answer.recommendations.length)
  shown = new Shown(answer, query, around)
  shown.show(width)
  byId('answer').removeAttribute('aria-busy')
  void offerNames()
}

function failed(problem: Problem): void {
  held = isBeingTyped(form, problem.errors)
  if (held) return // half a name is no fault yet; the answer before stays, faded
  const keyed = hasKey()
  if (problem.keyless) forgetKey()
  byId('status').textContent = ''
  byId('result').hidden = true
  byId('problem').replaceChildren(...refused(problem, showFaults(form, problem.errors), keyed))
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
