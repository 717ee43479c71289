/** Lights up a machine's row and its point together, whichever of them is pointed at or has the focus. */
export function lightUp(box: HTMLElement): void {
  let lit = ''
  const light = ({ target }: Event): void => {
    const found = target instanceof Element ? target.closest('[data-rank]') : null
    const rank = found?.getAttribute('data-rank') ?? ''
    if (rank === lit) return
    lit = rank
    for (const one of box.querySelectorAll('[data-rank]')) one.classList.toggle('lit', one.getAttribute('data-rank') === rank)
  }
  for (const kind of ['pointerover', 'focusin']) box.addEventListener(kind, light)
}
