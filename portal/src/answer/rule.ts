import { hasKey } from '../access.ts'
import { html } from '../dom.ts'

/** A rule by its name, as a link to what it says; a link shows no API key, so that it would lead nowhere with one. */
export function ruleName(rule: string): HTMLElement {
  return hasKey() ? html('code', {}, rule) : html('a', { href: `/v1/rules/${rule}` }, rule)
}
