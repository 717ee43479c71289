import { byId, html } from './dom.js'

/** Shows the fields of the chosen task; the others are disabled, so that they are not asked. */
export function showTask(form) {
  const task = form.elements.task.value
  for (const field of form.querySelectorAll('[data-tasks]')) {
    const shown = field.dataset.tasks.split(' ').includes(task)
    field.hidden = !shown
    field.querySelector('input, select').disabled = !shown
  }
}

/** The form as the API's flat query: its fields carry the API's own names. */
export function queryOf(form) {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    const text = value.trim()
    if (!text) continue
    query.set(name, query.has(name) ? `${query.get(name)},${text}` : text)
  }
  return query
}

/** Fills the form from an address; what it has no field for is kept, listed and can be removed. */
export function fill(form, query) {
  form.reset()
  byId('extra-list').replaceChildren()
  for (const [name, value] of query) {
    if (name === 'format') continue
    const field = form.elements.namedItem(name)
    if (name === 'clouds') tickClouds(form, value.split(','))
    else if (field && accepts(field, value)) field.value = value
    else addExtra(name, value)
  }
  byId('extra').hidden = byId('extra-list').children.length === 0
  showTask(form)
}

/** One checkbox a cloud; the clouds that an address named stay ticked. */
export function offerClouds(names, ticked) {
  byId('clouds').replaceChildren(...names.map((name) => cloudBox(name, ticked.includes(name))))
}

function cloudBox(name, checked) {
  return html('label', {}, html('input', { type: 'checkbox', name: 'clouds', value: name, checked }), name)
}

/** Puts each fault beside its field, and returns those that have none. */
export function showFaults(form, errors) {
  for (const line of form.querySelectorAll('.fault')) line.hidden = true
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
  return errors.filter((error) => !showFault(form, error))
}

function showFault(form, error) {
  const name = error.pointer.replace(/^\//, '').split('/')[0]
  const line = byId(`${name}-fault`)
  if (!line || form.elements.namedItem(name)?.disabled) return false
  line.textContent = error.detail
  line.hidden = false
  form.elements.namedItem(name).setAttribute('aria-invalid', 'true')
  line.closest('details')?.setAttribute('open', '')
  return true
}

function accepts(field, value) {
  return field.tagName !== 'SELECT' || [...field.options].some((option) => option.value === value)
}

/** Ticks those clouds; boxes that are not offered yet are added, since the first question is asked before they come. */
function tickClouds(form, names) {
  const boxes = [...form.querySelectorAll('input[name=clouds]')]
  for (const box of boxes) box.checked = names.includes(box.value)
  const offered = boxes.map((box) => box.value)
  byId('clouds').append(...names.filter((name) => !offered.includes(name)).map((name) => cloudBox(name, true)))
}

function addExtra(name, value) {
  const remove = html('button', { type: 'button', 'aria-label': `Remove ${name}` }, '×')
  const item = html('li', {}, html('input', { type: 'hidden', name, value }), html('code', {}, `${name}=${value}`), remove)
  remove.addEventListener('click', () => {
    const form = remove.form
    item.remove()
    byId('extra').hidden = byId('extra-list').children.length === 0
    form.dispatchEvent(new Event('input'))
  })
  byId('extra-list').append(item)
}
