import { some } from '../client.ts'
import { html } from '../dom.ts'
import { joined, sentence, t, word } from '../texts/index.ts'
import type { Measurement } from '../types.ts'
import { plain } from '../units.ts'
import { tableOf } from './tables.ts'

const LOOKED_AT = '1000' // the most that the service lists at once
const SEEN = 12

/** Published measurements on an accelerator or a processor beside what fits say that had not seen the device. */
export async function measuredOn(filter: Record<string, string>, signal: AbortSignal): Promise<HTMLElement[]> {
  const { items, total } = await some<Measurement>('evidence', { ...filter, doubtful: 'false', limit: LOOKED_AT }, signal)
  const judged = items.filter((row) => row.predicted_without_device !== null)
  const rows = oneOfEach(judged.length ? judged : items).slice(0, SEEN)
  if (!rows.length) return [html('p', {}, t.hardware.unmeasured)]
  const { evidence: words } = t
  return [
    html('p', {}, t.hardware.measured(plain(total)), ' ',
      html('a', { href: `/v1/evidence?${new URLSearchParams({ ...filter, format: 'csv' })}` }, t.hardware.all)),
    tableOf(words.rows, [
      [t.fields.model ?? '', 'name', (row) => html('strong', {}, row.model)],
      [words.setting, 'setting', (row) => joined([row.framework, row.precision, t.hardware.of_devices(row.device_count)])],
      [words.metric, 'setting', (row) => word(row.metric)],
      [sentence(words.measured), 'figure', (row) => plain(row.value)],
      [sentence(words.predicted), 'figure', (row) => plain(row.predicted_without_device)],
      [words.source, 'source', (row) => html('a', { href: row.source_url }, row.source_title)],
    ], rows),
    ...(judged.length ? [html('p', { class: 'facts' }, words.caption(words.schemes.device))] : []),
  ]
}

/** One measurement of each model and metric, in their order. */
function oneOfEach(rows: readonly Measurement[]): Measurement[] {
  const seen = new Set<string>()
  return rows.filter(({ model, metric }) => {
    const key = `${model} ${metric}`
    return !seen.has(key) && Boolean(seen.add(key))
  })
}
