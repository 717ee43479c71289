import type { Comparand } from '../comparands.ts'
import { button, html } from '../dom.ts'
import { combobox } from '../form/combobox.ts'
import { named, type Suggest, suggestionsOf } from '../form/suggestions.ts'
import { linesOf } from '../problem.ts'
import { t } from '../texts/index.ts'

/** Fields that add a machine: an instance type by its name, or bare hardware by its accelerator. */
export function adder(add: (one: Comparand) => void): HTMLElement {
  const fault = html('p', { class: 'fault', role: 'alert', hidden: true })
  const tell = (lines: readonly string[]): void => {
    fault.textContent = lines.join(' ')
    fault.hidden = !lines.length
  }
  return html('div', { class: 'adder' }, byName(add, tell), bare(add, tell), fault)
}

function byName(add: (one: Comparand) => void, tell: (lines: readonly string[]) => void): HTMLElement {
  const input = field('compare-name', { placeholder: 'g5.xlarge' })
  let asked = new AbortController()
  input.addEventListener('change', () => {
    const name = input.value.trim()
    asked.abort()
    asked = new AbortController()
    if (!name) return
    const { signal } = asked
    named(name, signal).then((found) => {
      if (signal.aborted) return
      tell(found.length ? [] : [t.form.unknown_type])
      if (found.length) input.value = ''
      for (const one of found) add({ cloud: one.cloud, instance_type: one.instance_type })
    }, (error: unknown) => {
      if (!signal.aborted) tell(linesOf(error))
    })
  })
  return labelled(t.compare.name, input, suggestionsOf('instance-types'))
}

function bare(add: (one: Comparand) => void, tell: (lines: readonly string[]) => void): HTMLElement {
  const accelerator = field('compare-accelerator', { placeholder: 'V100-16GB' })
  const count = field('compare-count', { inputmode: 'decimal', value: '1' })
  const price = field('compare-price', { inputmode: 'decimal' })
  const put = button(t.compare.add, () => {
    const usd = price.value.trim()
    const devices = Number(count.value)
    const wrong = [
      accelerator.value.trim() ? '' : t.compare.no_accelerator,
      devices > 0 && Number(usd) >= 0 ? '' : t.compare.no_number,
    ].filter(Boolean)
    tell(wrong)
    if (wrong.length) return
    add({ accelerator: accelerator.value.trim(), count: devices, ...(usd ? { usd_per_hour: Number(usd) } : {}) })
    accelerator.value = price.value = ''
  })
  return html('details', {}, html('summary', {}, t.compare.bare), html('div', { class: 'row' },
    labelled(t.compare.accelerator, accelerator, suggestionsOf('accelerators')),
    labelled(t.compare.count, count), labelled(t.compare.price, price), put))
}

function labelled(label: string, input: HTMLInputElement, suggest?: Suggest): HTMLElement {
  return html('div', { class: 'field' }, html('label', { for: input.id }, label), suggest ? combobox(input, suggest) : input)
}

function field(id: string, attributes: Record<string, string>): HTMLInputElement {
  return html('input', { id, type: 'text', spellcheck: 'false', autocomplete: 'off', ...attributes })
}
