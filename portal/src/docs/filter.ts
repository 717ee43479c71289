import { byId } from '../dom.ts'

/** What can be found: the article, its link in the list, and the words that it is found by. */
interface Entry {
  article: HTMLElement
  link: HTMLElement
  words: string
}

/** Whether all words of what is sought are in the text, whatever the case. */
export function matches(sought: string, words: string): boolean {
  return sought.toLowerCase().split(/\s+/).every((word) => words.includes(word))
}

/** Shows what the field says, and all again where the address goes to what is hidden. */
export function startFilter(field: HTMLInputElement): void {
  const entries = entriesOf(document)
  field.addEventListener('input', () => {
    filter(field.value.trim(), entries)
  })
  addEventListener('hashchange', () => {
    const target = document.getElementById(location.hash.slice(1))
    if (!target?.closest('[hidden]')) return
    field.value = ''
    filter('', entries)
    target.scrollIntoView()
  })
}

function filter(sought: string, entries: readonly Entry[]): void {
  const found = entries.filter((entry) => matches(sought, entry.words))
  for (const entry of entries) entry.article.hidden = entry.link.hidden = !found.includes(entry)
  for (const group of document.querySelectorAll<HTMLElement>('nav section, main .tag')) {
    const items = [...group.querySelectorAll<HTMLElement>(':scope > article, li:has(a)')]
    group.hidden = sought !== '' && items.every((item) => item.hidden)
  }
  byId('filtered').textContent = sought ? `${found.length} of ${entries.length}` : ''
}

function entriesOf(page: Document): Entry[] {
  return [...page.querySelectorAll<HTMLElement>('nav li')].flatMap((link) => {
    const article = page.getElementById(link.querySelector('a')?.hash.slice(1) ?? '')
    return article?.matches('article') ? [{ article, link, words: wordsOf(article) }] : []
  })
}

function wordsOf(article: HTMLElement): string {
  const named = article.querySelectorAll('h3, h3 + p, .parameters .name, .object > .fields > li > .name')
  return [...named].map((part) => part.textContent).join(' ').toLowerCase()
}
