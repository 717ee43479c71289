import { cloudName } from '../answer/clouds.ts'
import { button, html } from '../dom.ts'
import { t } from '../texts/index.ts'

const highlighted = new Set<string>() // clouds, which stay so from chart to chart

/** The clouds of a chart, or its other groups, by their colours; choosing some fades the points of all others. */
export function legend(
  tints: ReadonlyMap<string, string>, picture: SVGElement, label = t.chart.clouds,
  named: (group: string) => string = cloudName,
): HTMLElement {
  const clouds = [...tints].map(([cloud, tint]) => {
    const entry = button('', () => {
      if (!highlighted.delete(cloud)) highlighted.add(cloud)
      show()
    }, { class: tint })
    entry.append(html('span', { class: 'swatch' }), named(cloud))
    return { cloud, tint, entry }
  })
  const show = (): void => {
    const kept = clouds.filter(({ cloud }) => highlighted.has(cloud)).map(({ tint }) => tint)
    for (const { cloud, entry } of clouds) entry.setAttribute('aria-pressed', String(highlighted.has(cloud)))
    for (const one of picture.querySelectorAll('[class*=tint-]')) {
      one.classList.toggle('faded', kept.length > 0 && !kept.some((tint) => one.classList.contains(tint)))
    }
  }
  show()
  return html('div', { class: 'highlight' }, html('span', {}, t.chart.highlight),
    html('ul', { class: 'legend', 'aria-label': label }, clouds.map(({ entry }) => html('li', {}, entry))))
}
