import type { Key } from './request.ts'

/** The key in the page's field, and nowhere else; null where the contract knows of none. `changed` hears of changes. */
export function keyOf(page: Document, changed: () => void): Key | null {
  const form = page.querySelector<HTMLFormElement>('[data-key]')
  const field = form?.querySelector('input')
  if (!form || !field) return null
  form.addEventListener('submit', (event) => {
    event.preventDefault()
  })
  form.addEventListener('input', changed)
  const { header = '', prefix = '' } = field.dataset
  return { header, prefix, secret: () => field.value.trim() }
}
