const SVG = 'http://www.w3.org/2000/svg'

export type Child = Node | string | number | null | undefined | readonly Child[]
export type Attributes = Record<string, string | number | boolean | null | undefined>

/** An HTML element with attributes and children; text is always text, never markup. */
export function html<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children)
}

/** The same for SVG. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS(SVG, tag), attributes, children)
}

/** The element of that id, which the page has from its start; raises where it is missing. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no #${id}`)
  return found
}

/** A button that does one thing. */
export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = html('button', { type: 'button', ...attributes }, label)
  made.addEventListener('click', act)
  return made
}

/**
 * Fills the box anew; what is unfolded stays so, by its place. Focus within it stays with the control of that name,
 * else goes to the first, else elsewhere.
 */
export function refill(box: HTMLElement, children: readonly Node[], elsewhere?: HTMLElement | null): void {
  const focused = box.contains(document.activeElement) ? document.activeElement : null
  const unfolded = folds(box).map((fold) => fold.open)
  box.replaceChildren(...children)
  folds(box).forEach((fold, place) => { fold.open ||= unfolded[place] ?? false })
  if (!focused) return
  const name = focused.getAttribute('aria-label')
  const controls = [...box.querySelectorAll<HTMLElement>('summary, button, input, select')]
  const same = controls.find((control) => control.getAttribute('aria-label') === name)
  const next = same ?? controls[0] ?? elsewhere
  next?.focus()
}

const folds = (box: HTMLElement): HTMLDetailsElement[] => [...box.querySelectorAll('details')]

/** Brings a part of the page into sight and focus, with what it is folded in. */
export function reach(found: HTMLElement): void {
  const form = found.closest('form')
  if (form?.checkVisibility() === false) document.getElementById('edit')?.click()
  for (let fold = found.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) fold.open = true
  if (found.tabIndex < 0) found.tabIndex = -1
  found.focus()
}

/** Hands a file to the reader under that name. */
export function saveAs(file: Blob, name: string): void {
  const link = html('a', { href: URL.createObjectURL(file), download: name })
  link.click()
  setTimeout(() => { URL.revokeObjectURL(link.href) })
}

/** Does what the next frame need not wait for. */
export function afterPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work))
}

function filled<Made extends Element>(element: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...nodes(children))
  return element
}

function nodes(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === null || child === undefined) return []
    if (isList(child)) return nodes(child)
    return [typeof child === 'number' ? String(child) : child]
  })
}

const isList = (child: Child): child is readonly Child[] => Array.isArray(child)
