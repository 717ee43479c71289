import { expect, test } from 'vitest'
import { posted } from '../src/kept.ts'

test('a posted question that was answered is asked with the name of its answer, which then stands', async () => {
  const sent: Record<string, string>[] = []
  const service = (headers: Record<string, string>): Promise<Response> => {
    sent.push(headers)
    const stands = headers['If-None-Match'] === '"one"'
    return Promise.resolve(new Response(stands ? null : 'the answer', { status: stands ? 304 : 200, headers: { ETag: '"one"' } }))
  }
  expect(await posted('/v1/estimates', '{}', service)).toBe('the answer')
  expect(await posted('/v1/estimates', '{}', service)).toBe('the answer')
  expect(await posted('/v1/estimates', '{"other": 1}', service)).toBe('the answer')
  expect(sent).toEqual([{}, { 'If-None-Match': '"one"' }, {}])
})

test('only the last answers are kept', async () => {
  const sent: Record<string, string>[] = []
  const service = (headers: Record<string, string>): Promise<Response> => {
    sent.push(headers)
    return Promise.resolve(new Response('', { headers: { ETag: '"one"' } }))
  }
  for (let place = 0; place <= 20; place += 1) await posted('/v1/comparisons', String(place), service)
  await posted('/v1/comparisons', '0', service)
  expect(sent.at(-1)).toEqual({})
})
