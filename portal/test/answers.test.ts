import { expect, test } from 'vitest'
import { type Contract, withAnswers, withFirst } from '../src/answers.ts'

const answered = (): Contract['paths'][string][string]['responses'] => ({ 200: { content: { 'application/json': {} } } })
const sampleOf = (contract: Contract, path: string, method: string): unknown =>
  contract.paths[path]?.[method]?.responses['200']?.content?.['application/json']?.example

test('examples of a contract are asked and answered, long lists by their first entries', async () => {
  const asked: [unknown, string | undefined, unknown][] = []
  const ask: typeof fetch = (address, init) => {
    asked.push([address, init?.method, init?.body])
    return Promise.resolve(new Response(JSON.stringify({ items: [1, 2, 3], of: { all: [[4, 5, 6]] } })))
  }
  const get = { name: 'cloud', in: 'query', example: ['aws', 'gcp'] }
  const contract = await withAnswers({
    paths: {
      '/v1/rules/{id}': { get: { parameters: [{ name: 'id', in: 'path', example: 'a b' }, get], responses: answered() } },
      '/v1/estimates': { post: { requestBody: { content: { 'application/json': { example: { on: 1 } } } }, responses: answered() } },
      '/v1/changes': { get: { parameters: [{ name: 'from', in: 'query', required: true }], responses: answered() } },
      '/docs': { get: { responses: { 200: { content: { 'text/html': {} } } } } },
    },
  }, ask)

  expect(asked).toEqual([
    ['/v1/rules/a%20b?cloud=aws%2Cgcp', 'GET', undefined],
    ['/v1/estimates', 'POST', '{"on":1}'],
  ])
  expect(sampleOf(contract, '/v1/rules/{id}', 'get')).toEqual({ items: [1, 2], of: { all: [[4, 5]] } })
  expect(sampleOf(contract, '/v1/changes', 'get')).toBeUndefined()
})

test('where the service refuses, the sample stays that of the schema', async () => {
  const refuse: typeof fetch = (address) =>
    address === '/one' ? Promise.resolve(new Response('{}', { status: 401 })) : Promise.reject(new TypeError('lost'))
  const contract = await withAnswers({
    paths: { '/one': { get: { responses: answered() } }, '/other': { get: { responses: answered() } } },
  }, refuse)

  expect([sampleOf(contract, '/one', 'get'), sampleOf(contract, '/other', 'get')]).toEqual([undefined, undefined])
})

test('the samples of a language come first, the others in their order', () => {
  const samples = ['curl', 'Python', 'Go'].map((label) => ({ lang: label, label, source: label }))
  const contract: Contract = { paths: { '/a': { get: { responses: {}, 'x-codeSamples': [...samples] }, post: { responses: {} } } } }
  const labels = withFirst(contract, 'Go').paths['/a']?.get?.['x-codeSamples']?.map(({ label }) => label)
  expect(labels).toEqual(['Go', 'curl', 'Python'])
})
