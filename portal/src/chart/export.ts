import { button, saveAs, svg } from '../dom.ts'
import { t } from '../texts/index.ts'

const COPIED = [
  'fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'opacity', 'font-size', 'font-weight', 'font-family',
  'text-anchor', 'paint-order', 'visibility',
]
const MARGIN = 16
const LINE = 24
const SWATCH = 12
const SIGN_WIDTH = 8 // about what a sign of the legend takes
const SHARPNESS = 2 // pixels of the file for each of the page

/** A chart with the lines that say what it is of, the entries of its legend, and its name as a file. */
export interface Shown {
  chart: SVGSVGElement
  lines: readonly string[]
  legend: readonly HTMLElement[]
  name: string
}

/** Buttons that hand a chart to the reader as a picture, in dots and in lines. */
export function fileButtons(shown: () => Shown | null): HTMLButtonElement[] {
  return (['png', 'svg'] as const).map((kind) => button(t.share[kind], () => {
    const found = shown()
    if (found) void save(pictureOf(found.chart, found.lines, found.legend), found.name, kind)
  }))
}

async function save(picture: string, name: string, kind: 'png' | 'svg'): Promise<void> {
  const blob = kind === 'png' ? await dotsOf(picture) : new Blob([picture], { type: 'image/svg+xml' })
  saveAs(blob, `${name}.${kind}`)
}

/** The chart as a picture of its own, under lines that say what it is of, and over what its colours stand for. */
export function pictureOf(chart: SVGSVGElement, lines: readonly string[], legend: readonly HTMLElement[]): string {
  const copy = chart.cloneNode(true) as SVGSVGElement
  const originals = chart.querySelectorAll('*')
  copy.querySelectorAll('*').forEach((element, place) => {
    const original = originals[place]
    if (original) paint(element, getComputedStyle(original))
  })
  const { width, height } = chart.viewBox.baseVal
  const head = lines.length * LINE + MARGIN
  const ink = getComputedStyle(document.body).color
  const card = getComputedStyle(chart.closest('figure') ?? document.body).backgroundColor
  const keys = legendOf(legend, width, ink)
  const size = { width: width + 2 * MARGIN, height: height + head + keys.height + 2 * MARGIN }
  const picture = svg('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${size.width} ${size.height}`, ...size },
    svg('rect', { ...size, fill: card }),
    lines.map((line, place) => svg('text', {
      x: MARGIN, y: MARGIN + (place + 1) * LINE - LINE / 4, fill: ink, 'font-size': place ? 14 : 17, 'font-weight': place ? 400 : 700,
      'font-family': 'system-ui, sans-serif',
    }, line)),
    svg('g', { transform: `translate(${MARGIN} ${head + MARGIN})` }, [...copy.childNodes]),
    svg('g', { transform: `translate(${MARGIN} ${head + height + MARGIN})` }, keys.parts))
  return new XMLSerializer().serializeToString(picture)
}

/** What the colours stand for, in lines as wide as the picture. */
function legendOf(legend: readonly HTMLElement[], width: number, ink: string): { parts: SVGElement[]; height: number } {
  let [x, line] = [0, legend.length ? 1 : 0]
  const parts = legend.flatMap((entry) => {
    const words = entry.textContent
    const length = SWATCH * 2 + words.length * SIGN_WIDTH
    if (x && x + length > width) [x, line] = [0, line + 1]
    const [left, base] = [x, line * LINE - LINE / 4]
    x += length + SWATCH
    const fill = getComputedStyle(entry.querySelector('.swatch') ?? entry).backgroundColor
    return [svg('rect', { x: left, y: base - SWATCH + 1, width: SWATCH, height: SWATCH, rx: 2, fill }),
      svg('text', { x: left + 1.5 * SWATCH, y: base, fill: ink, 'font-size': 13, 'font-family': 'system-ui, sans-serif' }, words)]
  })
  return { parts, height: line * LINE }
}

function paint(element: Element, style: CSSStyleDeclaration): void {
  for (const name of COPIED) {
    const value = style.getPropertyValue(name)
    if (value && value !== 'normal') element.setAttribute(name, value)
  }
  for (const name of ['class', 'tabindex']) element.removeAttribute(name)
}

/** The picture in dots, as a file. */
export async function dotsOf(picture: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([picture], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width * SHARPNESS
    canvas.height = image.height * SHARPNESS
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((done, fail) => {
      canvas.toBlob((blob) => { if (blob) done(blob); else fail(new Error('no picture')) })
    })
  } finally {
    URL.revokeObjectURL(address)
  }
}
