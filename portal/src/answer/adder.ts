import { recommendations } from '../client.ts'
import { type Comparand, ofCandidate } from '../comparands.ts'
import { html } from '../dom.ts'
import { combobox } from '../form/combobox.ts'
import { hardwareNamed, isAccelerator, named } from '../form/suggestions.ts'
import { bareMachine } from '../mine.ts'
import { linesOf } from '../problem.ts'
import { t } from '../texts/index.ts'

/** One field that adds a machine: an instance type, an accelerator, or a machine of one's own by what it has. */
export function adder(query: URLSearchParams, add: (some: readonly Comparand[]) => void): HTMLElement {
  const input = html('input', {
    id: 'compare-name', type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder: 'g5.xlarge',
    'aria-describedby': 'compare-hint compare-fault',
  })
  const fault = html('p', { id: 'compare-fault', class: 'fault', role: 'alert', hidden: true })
  let asked = new AbortController()
  const take = (): void => {
    const name = input.value.trim()
    asked.abort()
    asked = new AbortController()
    fault.hidden = true
    if (name) void put(name, asked.signal)
  }
  const put = async (name: string, signal: AbortSignal): Promise<void> => {
    const lines: string[] = []
    const found = await comparandsOf(name, query, signal).catch((error: unknown) => {
      lines.push(...linesOf(error))
      return null
    })
    if (signal.aborted) return
    fault.textContent = found?.length === 0 ? t.compare.unknown : lines.join(' ')
    fault.hidden = !fault.textContent
    if (!found?.length) return
    input.value = ''
    add(found)
  }
  input.addEventListener('change', take)
  return html('div', { class: 'adder field' }, html('label', { for: input.id }, t.compare.name),
    combobox(input, hardwareNamed), html('small', { id: 'compare-hint' }, t.compare.hint), fault)
}

/** The machines that a typed name means: own ones as described, types of that name, or the best with an accelerator. */
export async function comparandsOf(name: string, query: URLSearchParams, signal: AbortSignal): Promise<Comparand[]> {
  const own = bareMachine(name)
  if (own) return [own]
  const types = await named(name, signal)
  if (types.length) return types.map(({ cloud, instance_type }) => ({ cloud, instance_type }))
  if (!await isAccelerator(name)) return []
  const best = new URLSearchParams(query)
  best.set('accelerators', name)
  best.set('limit', '1')
  const answer = await recommendations(best, signal).catch(() => null) // it then stands by itself, without a price
  const [first] = answer?.recommendations ?? []
  return [first?.label === null ? ofCandidate(first) : { accelerator: name, count: 1 }]
}
