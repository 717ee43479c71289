import { type Child, html } from '../dom.ts'

const ROOM = '(width >= 44rem)' // as the styles have it for a phone

/** Content that stands open where there is room, and under its title on a phone. */
export function folded(title: Child, ...content: Child[]): HTMLDetailsElement {
  const room = matchMedia(ROOM)
  const fold = html('details', { class: 'roomy', open: room.matches }, html('summary', {}, title), content)
  room.addEventListener('change', () => { fold.open = room.matches })
  return fold
}
