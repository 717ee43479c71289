import { OWN } from '../answer/clouds.ts'
import { pathTo } from '../address.ts'
import { type Comparand, written } from '../comparands.ts'
import { type Child, html } from '../dom.ts'
import { t } from '../texts/index.ts'
import type { Candidate } from '../types.ts'

const EMBEDDED = 'embedded' // the class of a page in a frame, whose links open beside it

/** A link to a page of hardware. */
export function linkTo(parts: readonly string[], words: Child): HTMLElement {
  const away = document.documentElement.classList.contains(EMBEDDED) ? { target: '_blank', rel: 'noopener' } : {}
  return html('a', { href: pathTo(parts, location.search), ...away }, words)
}

/** A link to the comparison of these machines for a workload. */
export function compareLink(some: readonly Comparand[]): HTMLElement {
  const compare = new URLSearchParams({ compare: written(some) })
  return html('a', { href: pathTo([], location.search, compare) }, t.hardware.compare)
}

/** A machine's name as a link to its page, where it is a cloud's. */
export function machineLink(item: Pick<Candidate, 'cloud' | 'instance_type'>, words: Child): Child {
  return item.cloud === OWN ? words : linkTo(['machines', item.cloud, item.instance_type], words)
}

/** Hardware in words as a link to its accelerator's page, where it has one. */
export function acceleratorLink({ accelerator }: Pick<Candidate, 'accelerator'>, words: Child): Child {
  return accelerator ? linkTo(['accelerators', accelerator.name], words) : words
}
