import { hasKey } from '../access.ts'
import { html } from '../dom.ts'
import { parameterFor } from '../request.ts'
import { t } from '../texts/index.ts'

const FIELD = /\b[a-z]+(?:[._][a-z]+)+\b/g // as the API writes its names

/** A rule by its name, as a link to what it says; a link shows no API key, so that it would lead nowhere with one. */
export function ruleName(rule: string): HTMLElement {
  return hasKey() ? html('code', {}, rule) : html('a', { href: `/v1/rules/${rule}` }, rule)
}

/** A sentence of the service with the API's fields named as the form names them. */
export function inFields(text: string): string {
  return text.replaceAll(FIELD, (name) => {
    const label = t.fields[parameterFor(name) ?? name]
    return label ? `“${label}”` : name
  })
}
