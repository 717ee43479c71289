import { ownIn } from './address.ts'
import { store, stored } from './storage.ts'
import { language, useLanguage } from './texts/index.ts'

/** What a reader chooses of a page's look. */
export type Look = 'lang' | 'theme'

const keyOf = (name: Look): string => `plimsoll-${name}`

/** The language or theme: as the address says, else as was chosen last; a page in a frame follows its host. */
export function chosen(name: Look): string {
  const embedded = document.documentElement.classList.contains('embedded')
  return ownIn(location.search, name) ?? (embedded ? '' : stored(keyOf(name)))
}

/** Keeps what the reader chose for the next visit. */
export function remember(name: Look, value: string): void {
  store(keyOf(name), value)
}

/** Shows the document in its language and theme. */
export function dress(): void {
  useLanguage(chosen('lang'), navigator.languages)
  document.documentElement.lang = language
  document.documentElement.dataset.theme = chosen('theme')
}
