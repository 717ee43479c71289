import { afterPaint, button, html } from '../dom.ts'
import { isLimit } from '../request.ts'
import { t } from '../texts/index.ts'
import { partsOf } from './asked.ts'
import { exampleOf, type Tab, TABS, USES } from './tabs.ts'

const LANGUAGE_MODELS: readonly Tab[] = ['finetune', 'scratch', 'serve', 'batch'] // that may go on with the same model
const ENDLESS = ['deadline', 'budget_usd'] // which a service has none of

/** What people come to do, as tabs, each with examples of it. */
export class Bar {
  readonly element: HTMLElement
  private readonly chips = html('p', { class: 'chips', role: 'group', 'aria-label': t.ask.examples })
  private readonly radios: HTMLInputElement[]
  private readonly last = new Map<Tab, URLSearchParams>()
  private shown: Tab | null = null

  /** `take` is given a tab and the question to go on with; `now` is the question as it is. */
  constructor(
    private readonly take: (tab: Tab, question: URLSearchParams) => void,
    private readonly now: () => { question: URLSearchParams; model: string | null },
  ) {
    this.radios = TABS.map((tab) => this.radio(tab))
    const tabs = TABS.map((tab, place) =>
      html('label', { class: 'tab' }, this.radios[place], html('span', {}, t.tabs[tab])))
    this.element = html('section', { id: 'ask' },
      html('fieldset', { class: 'tabs' }, html('legend', { class: 'unseen' }, t.ask.label), tabs), this.chips)
  }

  /** Shows the tab and which of its examples the question is, if one. */
  mark(tab: Tab, question: URLSearchParams): void {
    this.last.set(tab, question)
    this.radios.forEach((radio, place) => { radio.checked = TABS[place] === tab })
    if (this.shown !== tab) {
      const chips = USES[tab].examples.map((_, place) => this.chip(tab, place))
      this.chips.replaceChildren(html('span', {}, t.ask.examples), ...chips)
    }
    if (this.shown !== tab) afterPaint(() => { this.bringIntoSight(tab) })
    this.shown = tab
    const asked = sorted(question)
    for (const [place, chip] of [...this.chips.querySelectorAll('button')].entries()) {
      chip.setAttribute('aria-pressed', String(asked === sorted(exampleOf(tab, place))))
    }
  }

  /** Where the tabs have no room beside each other, the chosen one is never among those outside. */
  private bringIntoSight(tab: Tab): void {
    const chosen = this.radios[TABS.indexOf(tab)]?.parentElement
    const box = chosen?.parentElement
    if (chosen && box) box.scrollLeft = chosen.offsetLeft - (box.clientWidth - chosen.clientWidth) / 2
  }

  private radio(tab: Tab): HTMLInputElement {
    const made = html('input', { type: 'radio', name: 'tab', value: tab })
    made.addEventListener('change', () => { this.take(tab, this.next(tab)) })
    return made
  }

  private chip(tab: Tab, place: number): HTMLButtonElement {
    const question = exampleOf(tab, place)
    return button(partsOf(question).join(' · '), () => { this.take(tab, question) }, { class: 'chip', 'aria-pressed': 'false' })
  }

  /** The question that a tab had before, else its first example, under the limits of the question before. */
  private next(tab: Tab): URLSearchParams {
    const { question, model } = this.now()
    const next = new URLSearchParams(this.last.get(tab) ?? exampleOf(tab))
    if (model && !this.isExample(question) && LANGUAGE_MODELS.includes(tab)) this.goOn(next, tab, model)
    for (const [name, value] of question) {
      if (isLimit(name) && !(tab === 'serve' && ENDLESS.includes(name))) next.set(name, value)
    }
    return next
  }

  private isExample(question: URLSearchParams): boolean {
    const asked = sorted(question)
    return TABS.some((tab) => USES[tab].examples.some((_, place) => sorted(exampleOf(tab, place)) === asked))
  }

  /** The same language model at the tab's work, where it had another. */
  private goOn(next: URLSearchParams, tab: Tab, model: string): void {
    if (next.get('model') === model) return
    for (const name of [...next.keys()]) if (name.startsWith('dataset_') || name === 'epochs') next.delete(name)
    next.set('model', model)
    if (tab === 'scratch') next.set('method', 'full')
  }
}

function sorted(question: URLSearchParams): string {
  return [...question].map(([name, value]) => `${name}=${Number.isFinite(Number(value)) ? Number(value) : value}`).sort().join('&')
}
