import { hasKey } from '../access.ts'
import { html } from '../dom.ts'
import { parameterFor } from '../request.ts'
import { t } from '../texts/index.ts'
import { plain } from '../units.ts'
import { atCloud } from './card.ts'
import { isCloud } from './clouds.ts'

const FIELD = /\b[a-z]+(?:[._][a-z]+)+\b/g // as the API writes its names
// As the API writes machines: `1 × aws c5.large`, or `16 × A100-40GB (2 × aws p4d.24xlarge)`.
const MACHINES = /(?:(\d+) × ([\w-]+) ?[(（])?(\d+) × ([a-z]+) ([\w.$-]*\w)(?:[)）])?/g

/** A rule by its name, as a link to what it says; a link shows no API key, so that it would lead nowhere with one. */
export function ruleName(rule: string): HTMLElement {
  return hasKey() ? html('code', {}, rule) : html('a', { href: `/v1/rules/${rule}` }, rule)
}

/** A sentence of the service with the API's fields named as the form names them, and machines as the page does. */
export function inWords(text: string): string {
  return text.replaceAll(MACHINES, hardwareIn).replaceAll(FIELD, (name) => {
    const label = t.fields[parameterFor(name) ?? name]
    return label ? `“${label}”` : name
  })
}

function hardwareIn(
  all: string, count: string | undefined, name: string, nodes: string, cloud: string, type: string,
): string {
  if (!isCloud(cloud)) return all
  const machines = Number(nodes)
  const accelerator = count ? { name, count: Number(count) / machines } : null
  const said = atCloud({ cloud, instance_type: type, node_count: machines, accelerator, label: null })
  return accelerator && machines > 1 ? `${said} (${t.answer.machines(plain(machines))})` : said
}
