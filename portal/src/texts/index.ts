import { en } from './en.ts'
import type { Texts } from './texts.ts'
import { vi } from './vi.ts'
import { zh } from './zh.ts'

export const LANGUAGES: Readonly<Record<string, Texts>> = { en, zh, vi }

/** The texts in use. */
export let t: Texts = en
/** The language in use, as a tag for numbers and for the document. */
export let language = 'en'

/** Takes the language that was asked for, else the first of the reader's own that there is, else English. */
export function useLanguage(asked: string | null, preferred: readonly string[]): void {
  const known = [asked ?? '', ...preferred].map((tag) => tag.toLowerCase().split('-')[0] ?? '')
  language = known.find((tag) => tag in LANGUAGES) ?? 'en'
  t = LANGUAGES[language] ?? en
}

/** What a machine failed at, in the reader's language: in a word, or as the form labels it. */
export function limitName(name: string): string {
  const label = t.fields[name]
  return t.words[name] ?? (label ? `“${label}”` : word(name))
}

/** What stands in a field that is empty and for which nothing was taken. */
export const unset = (field: string): string => t.unset[field] ?? t.unset.optional

/** The parts of a line. */
export const joined = (parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(t.comma)

/** Words with a capital at their beginning. */
export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** A word of the API in the reader's language, or itself. */
export function word(value: string): string {
  return t.words[value] ?? value.replaceAll('_', ' ')
}
