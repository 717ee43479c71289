import { button, html } from '../dom.ts'
import { measurementBox } from '../measurements.ts'
import { wordsOf } from '../request.ts'
import { t, unset, word } from '../texts/index.ts'
import { combobox } from './combobox.ts'
import { deadline } from './deadline.ts'
import { type Field, type Group, GROUPS } from './fields.ts'
import { mineBox } from './mine.ts'
import { suggestionsOf } from './suggestions.ts'

/** The form in the language in use; its fields carry the API's own names. */
export function buildForm(ask: () => void, again: () => void, forget: () => void): HTMLFormElement {
  return html(
    'form',
    { id: 'question', 'aria-label': t.form.label, autocomplete: 'off', novalidate: true },
    html('input', { type: 'hidden', name: 'task' }),
    GROUPS.map(group),
    mineBox(ask),
    measurementBox(),
    html('fieldset', { id: 'extra', hidden: true }, html('legend', {}, t.groups.extra), html('ul', { id: 'extra-list' })),
    html('div', { class: 'row' },
      button(t.form.again, again, { id: 'again' }),
      button(t.key.forget, forget, { id: 'forget', hidden: true })),
    html('a', { id: 'peek', class: 'peek', href: '#answer', hidden: true }),
  )
}

function group({ name, folded, fields }: Group): HTMLElement {
  const title = t.groups[name]
  const clouds = name === 'where' && html('div', { id: 'clouds', class: 'checks', role: 'group', 'aria-label': t.form.clouds })
  const fault = clouds && html('small', { id: 'clouds-fault', role: 'status' })
  const content = [clouds || null, fault || null, ...fields.map(fieldBox)]
  if (!folded) return html('fieldset', {}, html('legend', {}, title), content)
  return html('details', { class: 'fold' }, html('summary', {}, title, ' ', html('span', { class: 'set' })), content)
}

function fieldBox(field: Field): HTMLElement {
  const { name } = field
  const hint = t.hints[name]
  const described = hint ? `${name}-hint ${name}-fault` : `${name}-fault`
  return html(
    'div',
    { class: 'field', 'data-tasks': field.tasks?.join(' '), 'data-tabs': field.tabs?.join(' ') },
    html('label', { for: name }, t.fields[name] ?? name),
    control(field, described),
    hint ? html('small', { id: `${name}-hint` }, hint) : null,
    html('small', { id: `${name}-fault`, class: 'fault', lang: 'en', hidden: true }),
  )
}

function control(field: Field, described: string): HTMLElement {
  const words = field.words ?? wordsOf(field.name)
  const attributes = { id: field.name, name: field.name, 'aria-describedby': described }
  if (words.length) return choice(field, words, attributes)
  const input = html('input', {
    ...attributes,
    type: 'text',
    inputmode: field.mode ?? 'text',
    spellcheck: 'false',
    placeholder: unset(field.name),
  })
  if (field.name === 'deadline') return deadline(input)
  return field.source ? combobox(input, suggestionsOf(field.source)) : input
}

function choice({ name }: Field, words: readonly string[], attributes: Record<string, string>): HTMLSelectElement {
  const unset = html('option', { value: '', 'data-unset': t.unset[name] ?? t.unset.default }, t.unset[name] ?? t.unset.default)
  return html('select', attributes, unset, words.map((value) => html('option', { value }, word(value))))
}
