import { draw } from './chart.js'
import { everything, recommendations } from './client.js'
import { byId, html } from './dom.js'
import { measuresOf, pointsOf } from './points.js'
import { fill, offerClouds, queryOf, showFaults, showTask } from './question.js'
import { show } from './result.js'

const PAUSE_MS = 350 // a pause in typing, after which the question is asked

const form = byId('question')
const answerBox = byId('answer')
let asked = new AbortController()
let timer
let shown = null

form.addEventListener('input', () => {
  showTask(form)
  clearTimeout(timer)
  timer = setTimeout(() => ask(true), PAUSE_MS)
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  ask(true)
})
byId('again').addEventListener('click', () => {
  fill(form, new URLSearchParams())
  ask(true)
})
addEventListener('popstate', () => start())
new ResizeObserver(() => shown && drawChart(shown)).observe(byId('plot'))

start()
offerNames()

function start() {
  fill(form, new URLSearchParams(location.search))
  ask(false)
}

async function ask(remember) {
  clearTimeout(timer)
  asked.abort()
  asked = new AbortController()
  const { signal } = asked
  const query = queryOf(form)
  if (remember) history.replaceState(null, '', `?${query}`)
  answerBox.setAttribute('aria-busy', 'true')
  byId('status').textContent = 'Sizing …'
  try {
    showAnswer(await recommendations(query, signal), query)
  } catch (error) {
    if (signal.aborted) return
    showProblem(error)
  }
  answerBox.removeAttribute('aria-busy')
}

function showAnswer(answer, query) {
  showFaults(form, [])
  byId('problem').hidden = true
  byId('result').hidden = byId('peek').hidden = false
  const count = answer.recommendations.length
  byId('status').textContent = count === 1 ? '1 recommendation' : `${count} recommendations`
  show(answer, query)
  shown = answer
  drawChart(answer)
}

function drawChart(answer) {
  const points = pointsOf(answer)
  byId('chart').hidden = points.frontier.length + points.recommendations.length === 0
  if (!byId('chart').hidden) draw(byId('plot'), points, measuresOf(answer))
}

function showProblem(problem) {
  const rest = showFaults(form, problem.errors ?? [])
  const beside = (problem.errors ?? []).length - rest.length
  byId('status').textContent = ''
  byId('result').hidden = byId('peek').hidden = true
  byId('problem').replaceChildren(
    html('strong', {}, problem.title ?? 'This page failed'),
    html('p', {}, beside && !rest.length ? 'See the marked fields.' : problem.message),
    html('ul', {}, rest.map((error) => html('li', {}, html('code', {}, error.pointer), ` ${error.detail}`))))
  byId('problem').hidden = false
}

/** Suggestions help, but the form works without them, so their failure is left to the question's own. */
async function offerNames() {
  const [models, frameworks, regions] = await Promise.allSettled(['models', 'frameworks', 'regions'].map(everything))
  suggest('models', models)
  suggest('frameworks', frameworks)
  const clouds = (regions.value ?? []).map((region) => region.cloud)
  const ticked = new URLSearchParams(location.search).get('clouds')?.split(',') ?? []
  offerClouds([...new Set([...clouds, ...ticked])].sort(), ticked)
}

function suggest(id, { value: items = [] }) {
  byId(id).replaceChildren(...items.map((item) => html('option', { value: item.name })))
}
