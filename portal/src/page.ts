import { html } from './dom.ts'
import { keyForm } from './keyform.ts'
import { LANGUAGES, language, t } from './texts/index.ts'

/** The whole page around a form, in the language in use. */
export function page(
  form: HTMLFormElement,
  embedded: boolean,
  unlock: (key: string, keep: boolean) => void,
  choose: (language: string) => void,
): HTMLElement[] {
  const skip = html('a', { class: 'skip', href: '#answer' }, t.skip)
  const main = html('main', {}, form, answerBox(keyForm(unlock)))
  return embedded ? [skip, main] : [skip, header(), main, footer(choose)]
}

function header(): HTMLElement {
  return html('header', {},
    html('img', { src: '/portal/mark.svg', alt: '', width: 36, height: 36 }),
    html('p', { class: 'brand' }, 'Plimsoll'),
    html('p', { class: 'tagline' }, t.tagline),
    html('nav', { 'aria-label': t.reference }, html('a', { href: '/docs' }, 'API')))
}

function answerBox(access: HTMLFormElement): HTMLElement {
  return html('section', { id: 'answer', 'aria-label': t.answer.label, tabindex: '-1' },
    html('div', { id: 'problem', class: 'problem', role: 'alert', hidden: true }),
    access,
    html('p', { id: 'status', class: 'status', role: 'status' }),
    html('div', { id: 'result', hidden: true },
      html('h1', { id: 'headline' }),
      html('p', { id: 'place', class: 'place' }),
      html('dl', { id: 'figures', class: 'figures' }),
      html('p', { class: 'facts' }, html('span', { id: 'facts' }), ' · ', html('a', { id: 'pinned' }, t.answer.pinned)),
      html('div', { id: 'relax', class: 'notes' }),
      html('div', { class: 'pictures' },
        html('figure', { id: 'chart', hidden: true },
          html('h2', {}, t.chart.title),
          html('div', { id: 'plot' }),
          html('figcaption', {}, t.chart.caption, ' ', html('span', { class: 'keys' }, t.chart.keys))),
        html('div', { id: 'table' }),
        html('div', { id: 'compare-box' })),
      html('div', { class: 'side' },
        html('div', { id: 'notes', class: 'notes' }),
        html('div', { id: 'why-not-box' }),
        html('div', { id: 'scripts', class: 'notes' }))))
}

function footer(choose: (language: string) => void): HTMLElement {
  const options = Object.entries(LANGUAGES).map(([tag, texts]) =>
    html('option', { value: tag, lang: tag, selected: tag === language }, texts.language))
  const select = html('select', { id: 'language' }, options)
  select.addEventListener('change', () => {
    choose(select.value)
  })
  return html('footer', {}, html('label', { for: 'language' }, t.choose_language), select)
}
