import '../styles/portal.css'
import { addressOf, ownIn, type OwnName, questionIn } from './address.ts'
import { Shown, type Surroundings } from './answer/answer.ts'
import { Asking } from './asking.ts'
import { everything, type Problem } from './client.ts'
import { read, written } from './comparands.ts'
import { byId, html } from './dom.ts'
import { Frame } from './element/frame.ts'
import { change, fill, isBeingTyped, offerClouds, queryOf, showFaults, showTask } from './form/question.ts'
import { buildForm } from './form/form.ts'
import { page } from './page.ts'
import { language, t, useLanguage } from './texts/index.ts'
import type { Answer } from './types.ts'

const EMBEDDED = document.documentElement.classList.contains('embedded')
const frame = EMBEDDED ? new Frame(window) : null
const asking = new Asking({ begin, answered, failed })
let form: HTMLFormElement
let built = ''
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
  byId('app').replaceChildren(...page(form, EMBEDDED, (chosen) => {
    keep('lang', chosen)
    start()
  }))
  fill(form, questionIn(location.search))
  built = location.search
  asking.now(queryOf(form))
  void offerNames()
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
  showFaults(form, [])
  byId('problem').hidden = true
  byId('result').hidden = byId('peek').hidden = false
  byId('status').textContent = t.status.count(answer.recommendations.length)
  shown = new Shown(answer, query, around)
  shown.show()
  byId('answer').removeAttribute('aria-busy')
}

function failed(problem: Problem): void {
  held = isBeingTyped(form, problem.errors)
  if (held) return // half a name is no fault yet; the answer before stays, faded
  const rest = showFaults(form, problem.errors)
  const beside = problem.errors.length - rest.length
  const title = problem.lost ? t.status.lost : problem.title
  const detail = problem.lost ? t.status.lost_detail : problem.message
  byId('status').textContent = ''
  byId('result').hidden = byId('peek').hidden = true
  byId('problem').replaceChildren(
    html('strong', {}, title),
    html('p', {}, beside && !rest.length ? t.form.see_marked : detail),
    html('ul', {}, rest.map((error) => html('li', {}, html('code', {}, error.pointer), ` ${error.detail}`))),
  )
  byId('problem').hidden = false
  byId('answer').removeAttribute('aria-busy')
}

/** The clouds to tick; the form works without, so their failure is left to the question's own. */
async function offerNames(): Promise<void> {
  const regions = await everything<{ cloud: string }>('regions').catch(() => [])
  offerClouds(form, regions.map((region) => region.cloud))
}
