import { byId } from '../dom.ts'
import { startFilter } from './filter.ts'
import { keyOf } from './key.ts'
import { Operation } from './operation.ts'

const operations: Operation[] = []
const key = keyOf(document, () => {
  for (const operation of operations) operation.changed()
})
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-method]')) operations.push(new Operation(form, key))
startFilter(byId('filter') as HTMLInputElement)
