import { button, type Child } from '../dom.ts'
import { kindOf } from '../request.ts'
import { t } from '../texts/index.ts'
import { forgiven } from './asked.ts'

const QUOTED = /'([^']+)'/g
const MINE = 'mine' // whose field takes more than a name
const SIMILAR = 'did you mean' // before the names that the service offers for one that it does not know

/** The names that a refusal offers instead. */
export function similarIn(detail: string): string[] {
  const [, offered = ''] = detail.split(SIMILAR)
  return [...offered.matchAll(QUOTED)].map(([, name = '']) => name)
}

/** What is wrong with a typed value, with names to take instead; null where only the service has words for it. */
export function faultOf(name: string, typed: string, detail: string, take: (name: string) => void): Child[] | null {
  const similar = name === MINE ? [] : similarIn(detail)
  if (similar.length) {
    return [t.form.did_you_mean, ...similar.flatMap((other) => [' ', button(other, () => { take(other) }, { class: 'instead' })])]
  }
  if (name === 'deadline' && forgiven(name, typed) === typed && !Number.isFinite(Date.parse(typed))) return [t.form.no_time]
  const unread = kindOf(name) === 'number' && !Number.isFinite(Number(forgiven(name, typed)))
  return unread ? [t.form.no_number] : null
}
