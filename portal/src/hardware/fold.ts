import { type Child, html } from '../dom.ts'

const ROOM = matchMedia('(width >= 44rem)') // as the styles have it for a phone

/** Content that stands open where there is room, and under its title on a phone. */
export function folded(title: Child, ...content: Child[]): HTMLDetailsElement {
  const fold = html('details', { class: 'roomy', open: ROOM.matches }, html('summary', {}, title), content)
  ROOM.addEventListener('change', () => { fold.open = ROOM.matches })
  return fold
}
