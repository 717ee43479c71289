import { pathTo } from './address.ts'
import { button, byId, html } from './dom.ts'
import { keyForm } from './keyform.ts'
import { chosen, type Look, remember } from './look.ts'
import { menuButton } from './menu.ts'
import { showShortcuts } from './shortcuts.ts'
import { LANGUAGES, language, t } from './texts/index.ts'

const THEMES = ['', 'light', 'dark']

/** Shows the page in that language or theme. */
export type Choose = (name: Look, value: string) => void

/** What the page is told by its frame around the form. */
export interface Told {
  unlock: (key: string, keep: boolean) => void
  choose: Choose
}

/** The whole page around a form and the tabs above it, in the language in use. */
export function page(
  bar: HTMLElement, form: HTMLFormElement, embedded: boolean, { unlock, choose }: Told,
): HTMLElement[] {
  const skip = html('a', { class: 'skip', href: '#answer' }, t.skip)
  const main = html('main', {}, bar, askedLine(form, embedded), form, answerBox(keyForm(unlock)))
  return embedded ? [skip, main] : [skip, header(), main, footer(choose)]
}

/** The head of every page; on those below it leads home. */
export function header(home = false): HTMLElement {
  return html('header', {},
    html('img', { src: '/portal/mark.svg', alt: '', width: 32, height: 32 }),
    html('p', { class: 'brand' }, home ? html('a', { href: '/' }, 'Plimsoll') : 'Plimsoll'),
    html('p', { class: 'tagline' }, t.tagline),
    html('nav', { 'aria-label': t.reference }, menuButton(),
      html('a', { href: pathTo(['machines'], location.search) }, t.hardware.all_machines),
      html('a', { href: pathTo(['accelerators'], location.search) }, t.hardware.gpus), html('a', { href: '/docs' }, 'API')))
}

/** Shows the form where it is folded, or folds it. */
export function unfold(form: HTMLFormElement, open: boolean): void {
  form.classList.toggle('unfolded', open)
  const edit = byId('edit')
  edit.setAttribute('aria-expanded', String(open))
  edit.textContent = open ? t.ask.done : t.ask.edit
}

/** The question in a line, and where the form is folded, what unfolds it. */
function askedLine(form: HTMLFormElement, embedded: boolean): HTMLElement {
  const edit = button(t.ask.edit, () => {
    const open = !form.classList.contains('unfolded')
    unfold(form, open)
    if (open) form.querySelector<HTMLElement>('input:not([type=hidden]):enabled')?.focus()
  }, { id: 'edit', 'aria-expanded': 'false', 'aria-controls': 'question' })
  return html('div', { class: 'asked' },
    html('p', { id: 'asked' }),
    embedded ? html('a', { id: 'whole', target: '_blank', rel: 'noopener' }, t.ask.whole) : null,
    edit)
}

function answerBox(access: HTMLFormElement): HTMLElement {
  return html('section', { id: 'answer', 'aria-label': t.answer.label, tabindex: '-1' },
    html('div', { id: 'problem', class: 'problem', role: 'alert', hidden: true }),
    access,
    html('p', { id: 'status', class: 'unseen', role: 'status' }),
    skeleton(),
    html('div', { id: 'result', hidden: true },
      html('p', { id: 'banner', class: 'banner', hidden: true }),
      html('div', { id: 'card', class: 'best' }),
      html('div', { id: 'share' }),
      html('div', { id: 'choices', class: 'choices', role: 'group', 'aria-label': t.choices.label }),
      html('div', { id: 'relax', class: 'notes' }),
      html('div', { class: 'pictures' },
        html('figure', { id: 'chart', hidden: true },
          html('div', { class: 'chart-head' }, html('h2', { id: 'chart-title' }),
            html('div', { id: 'kinds', class: 'segments', role: 'group', 'aria-label': t.chart.charts })),
          html('div', { id: 'plot' }),
          html('figcaption', {}, html('span', { id: 'chart-caption' }), t.gap, html('span', { class: 'keys' }, t.chart.keys)),
          html('details', { id: 'chart-table' }, html('summary', {}, t.chart.as_table), html('div'))),
        html('div', { id: 'common', class: 'notes' }),
        html('div', { id: 'terms' }),
        html('div', { id: 'table' }),
        html('div', { id: 'compare-box' })),
      html('div', { class: 'side' },
        html('div', { id: 'notes', class: 'notes' }),
        html('div', { id: 'scripts', class: 'notes' }),
        html('p', { class: 'facts' }, html('span', { id: 'facts' }), ' · ', html('a', { id: 'pinned' }, t.answer.pinned)))))
}

/** What stands in the answer's place until the first one is there. */
function skeleton(): HTMLElement {
  return html('div', { id: 'skeleton', 'aria-hidden': 'true' },
    ['line', 'title', 'row', 'picture'].map((part) => html('div', { class: `bone ${part}` })))
}

/** The foot of every page, which chooses its theme and its language. */
export function footer(choose: Choose): HTMLElement {
  const theme = chosen('theme')
  const themes = THEMES.map((name) =>
    html('option', { value: name, selected: name === theme }, t.themes[name || 'auto']))
  const languages = Object.entries(LANGUAGES).map(([tag, texts]) =>
    html('option', { value: tag, lang: tag, selected: tag === language }, texts.language))
  return html('footer', {},
    chooser('theme', t.choose_theme, themes, choose), chooser('lang', t.choose_language, languages, choose),
    button(t.shortcuts.title, showShortcuts, { class: 'keyed' }))
}

function chooser(name: Look, label: string, options: HTMLOptionElement[], choose: Choose): HTMLElement {
  const select = html('select', { id: name }, options)
  select.addEventListener('change', () => {
    const focused = document.activeElement === select
    remember(name, select.value)
    choose(name, select.value)
    if (focused) byId(name).focus() // the page is another one, its reader where they were
  })
  return html('div', {}, html('label', { for: name }, label), select)
}
