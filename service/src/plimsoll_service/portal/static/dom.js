const SVG = 'http://www.w3.org/2000/svg'

/** An HTML element with attributes and children; text is always text, never markup. */
export function html(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children)
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children)
}

export const byId = (id) => document.getElementById(id)

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined))
  return element
}
