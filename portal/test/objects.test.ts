import { expect, test } from 'vitest'
import { withObjects } from '../src/objects.ts'

const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object, example?: unknown): object => ({ content: { 'application/json': { schema, example } } })

test('each object of an operation stands in its groups, with its part of the example', () => {
  const page = { properties: { items: { items: ref('Price') } } }
  const contract = withObjects({
    tags: [{ name: 'sizing' }],
    paths: {
      '/prices': { get: { tags: ['prices'], responses: { 200: json(page, { items: [{ usd: 2, of: { day: 1 } }, { usd: 3 }] }) } } },
      '/asked': { post: { tags: ['sizing'], requestBody: json(ref('Ask'), { on: null }), responses: { 200: json(ref('Price')) } } },
    },
    components: { schemas: {
      Price: { properties: { of: { anyOf: [ref('Date'), {}] } } }, Date: {}, Ask: { properties: { on: ref('Other') } }, Other: {},
    } },
  })

  expect(contract.components?.schemas).toMatchObject({
    Price: { 'x-tags': ['prices', 'sizing'], example: { usd: 2, of: { day: 1 } } },
    Date: { 'x-tags': ['objects'], example: { day: 1 } },
    Ask: { 'x-tags': ['sizing'], example: { on: null } },
  })
  expect(contract.components?.schemas?.Other).toEqual({ 'x-tags': ['objects'] })
  expect(contract.tags).toMatchObject([{ name: 'sizing' }, { name: 'objects' }])
})

test('an example that a schema has stays', () => {
  const contract = withObjects({
    paths: { '/a': { get: { responses: { 200: json(ref('Own'), { its: 'other' }) } } } },
    components: { schemas: { Own: { example: { its: 'own' } } } },
  })
  expect(contract.components?.schemas?.Own?.example).toEqual({ its: 'own' })
})
