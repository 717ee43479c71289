import { questionIn } from '../address.ts'
import { html } from '../dom.ts'
import { amountOf } from '../form/amounts.ts'
import { t } from '../texts/index.ts'

/** A filter of a list by its name in the address, which is the API's where it has one. */
export interface Filter<Row> {
  name: string
  label: string
  control: HTMLInputElement | HTMLSelectElement
  /** Whether a row passes what is typed; null where that cannot be read. */
  passes: (typed: string) => ((row: Row) => boolean) | null
}

/** What the address says under that name. */
export const told = (name: string): string => questionIn(location.search).get(name) ?? ''

/** What a filter lets through, and its control marked where it cannot be read. */
export function passing<Row>({ control, passes }: Filter<Row>): ReturnType<Filter<Row>['passes']> {
  const typed = control.value.trim()
  const found = typed ? passes(typed) : () => true
  control.toggleAttribute('aria-invalid', !found)
  return found
}

/** Rows whose text has every word. */
export function words<Row>(text: (row: Row) => string): Filter<Row> {
  return typed('q', t.hardware.filter, (wanted) => {
    const all = wanted.toLowerCase().split(/\s+/)
    return (row) => all.every((one) => text(row).toLowerCase().includes(one))
  }, 'search')
}

/** Rows with at least so much; those of which it is not known have none. */
export function least<Row>(name: string, label: string, figure: (row: Row) => number | null): Filter<Row> {
  return bounded(name, t.hardware.at_least(label), (row, bound) => (figure(row) ?? 0) >= bound)
}

/** Rows whose lowest price on demand is at most so much an hour. */
export function affordable<Row>(price: (row: Row) => number | null): Filter<Row> {
  return bounded('max_usd_per_hour', t.hardware.at_most, (row, bound) => (price(row) ?? Infinity) <= bound)
}

/** Rows of one of the options, each a value with its words. */
export function choice<Row>(
  name: string, label: string, options: readonly (readonly [value: string, words: string])[],
  passes: (row: Row, chosen: string) => boolean,
): Filter<Row> {
  const control = selection(name, options, t.hardware.any)
  return { name, label, control, passes: (chosen) => (row) => passes(row, chosen) }
}

/** A select filled from the address, with an empty option before the others where that has words. */
export function selection(
  name: string, options: readonly (readonly [value: string, words: string])[], empty = '',
): HTMLSelectElement {
  return html('select', {}, empty ? html('option', { value: '' }, empty) : null, options.map(([value, words]) =>
    html('option', { value, selected: value === told(name) }, words)))
}

function bounded<Row>(name: string, label: string, within: (row: Row, bound: number) => boolean): Filter<Row> {
  return typed(name, label, (text) => {
    const bound = amountOf(text)
    return bound === null ? null : (row) => within(row, bound)
  })
}

function typed<Row>(name: string, label: string, passes: Filter<Row>['passes'], mode = 'decimal'): Filter<Row> {
  const control = html('input', { type: 'text', inputmode: mode, spellcheck: 'false', value: told(name) || null })
  return { name, label, passes, control }
}
