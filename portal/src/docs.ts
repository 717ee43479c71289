import { init } from 'redoc/bundles/redoc.standalone.js'
import '../styles/docs.css'
import { type Contract, withAnswers, withFirst } from './answers.ts'
import { withObjects } from './objects.ts'
import { store, stored } from './storage.ts'
import { offerTrials } from './trial.ts'

const FONT = 'system-ui, sans-serif'
const CODE = '#10161c' // samples are dark in both themes
const STORED = 'plimsoll-samples' // in which language the reader looked at them last
const root = document.documentElement
root.dataset.theme = stored('plimsoll-theme') // as the reader chose it on the page

/** What a custom property is in the theme in use: Redoc computes more colours from it, which needs a value. */
function colour(name: string): string {
  root.style.color = `var(--${name})`
  return getComputedStyle(root).color
}

/** The contract, with the service's own answers to its examples. */
const contract = withAnswers(withFirst(JSON.parse(document.querySelector('#contract')?.textContent ?? '') as Contract, stored(STORED)))

async function show(): Promise<void> {
  const [page, card, ink, soft, line, accent, good, warn, bad] =
    ['page', 'card', 'ink', 'soft', 'line', 'accent', 'good', 'warn', 'bad'].map(colour)
  const theme = {
    spacing: { sectionVertical: 20 },
    colors: {
      primary: { main: accent },
      success: { main: good },
      error: { main: bad },
      responses: { redirect: { color: warn } },
      gray: { 50: card, 100: line },
      border: { light: line, dark: line },
      text: { primary: ink, secondary: soft },
      http: { get: '#0b7285', post: '#6d28d9' },
    },
    schema: { linesColor: line, nestedBackground: card },
    typography: {
      fontFamily: FONT,
      headings: { fontFamily: FONT, fontWeight: '600' },
      code: { color: ink, backgroundColor: card, wrap: true },
    },
    sidebar: { width: '280px', backgroundColor: card, textColor: ink, activeTextColor: accent },
    rightPanel: { backgroundColor: '#18212a', servers: { overlay: { backgroundColor: card, textColor: ink }, url: { backgroundColor: page } } },
    codeBlock: { backgroundColor: CODE },
    fab: { backgroundColor: card, color: accent },
  }
  const shown = withObjects(await contract)
  init(structuredClone(shown), {
    theme,
    downloadUrls: [{ title: 'openapi.yaml', url: '/openapi.yaml' }],
    sideNavStyle: 'path-only',
    pathInMiddlePanel: true,
    hideRequestPayloadSample: true,
    hideSchemaPattern: true,
    expandResponses: '200',
    jsonSamplesExpandLevel: 3,
    requiredPropsFirst: true,
    nativeScrollbars: true,
  }, document.querySelector('#docs'), () => { offerTrials(shown) })
}

/** Shows all samples in the language that one is asked for in, with that one where it stands. */
document.addEventListener('click', ({ target, isTrusted }) => {
  const tab = target instanceof Element ? target.closest('[role=tab]') : null
  if (!tab || !isTrusted || Number.isFinite(Number(tab.textContent))) return // those of statuses are each its own
  store(STORED, tab.textContent)
  const top = tab.getBoundingClientRect().top
  for (const other of document.querySelectorAll<HTMLElement>('[role=tab][aria-selected=false]')) {
    if (other.textContent === tab.textContent) other.click()
  }
  setTimeout(() => { // once the others, each of which took the focus, are shown
    if (tab instanceof HTMLElement) tab.focus({ preventScroll: true })
    scrollBy(0, tab.getBoundingClientRect().top - top)
  })
})

void show()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => void show())
