import { fileButtons } from '../chart/export.ts'
import { inFull } from '../chart/marks.ts'
import { measuresOf, placeIn } from '../chart/points.ts'
import { byId, html } from '../dom.ts'
import { sentence, t } from '../texts/index.ts'
import type { Answer } from '../types.ts'
import { machine } from '../units.ts'
import { atCloud, doubtOf } from './card.ts'
import { copyButton } from './copy.ts'

const SHOWN = 5 // machines of a summary

/** What there is to share of an answer. */
export interface Shared {
  answer: Answer
  asked: () => string
  headline: string
  pinned: () => string
}

/** Ways to hand the answer on: its address, with its prices or without, a summary, and the chart as a file. */
export function share({ answer, asked, headline, pinned }: Shared): HTMLElement {
  const files = fileButtons(() => {
    const chart = document.querySelector<SVGSVGElement>('#plot svg')
    const legend = [...document.querySelectorAll<HTMLElement>('#plot .legend li')]
    return chart && { chart, lines: [headline, `${byId('chart-title').textContent} · ${asked()}`], legend, name: 'plimsoll' }
  })
  return html('div', { class: 'share', role: 'group', 'aria-label': t.share.title },
    copyButton(() => location.href, t.share.link),
    copyButton(() => location.origin + location.pathname + pinned(), t.share.pinned_link),
    copyButton(() => summary(answer, asked(), headline), t.share.markdown),
    files)
}

/** The answer as Markdown: what was asked, the choice, and the recommendations as a table, with their ranges. */
function summary(answer: Answer, asked: string, headline: string): string {
  const { time, cost } = measuresOf(answer)
  const rows = answer.recommendations.slice(0, SHOWN).map((item) => {
    const { x, y } = placeIn(answer)(item.estimate)
    const figures = [x && inFull(x, time), y && inFull(y, cost)].map((one) => one ?? '–')
    return `| ${item.rank} | ${atCloud(item)} | \`${machine(item)}\` | ${figures.join(' | ')} | ${doubtOf(item)} |`
  })
  const head = ['#', t.answer.machine, 'SKU', sentence(time.label), sentence(cost.label), t.why.confidence]
  return [
    `**${headline}**`, '', asked, '', `| ${head.join(' | ')} |`, `|${head.map(() => ' --- |').join('')}`, ...rows, '',
    `${t.answer.facts(answer.catalog.prices_as_of, answer.catalog.version)} · ${location.href}`,
  ].join('\n')
}
