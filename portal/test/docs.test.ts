import { expect, test } from 'vitest'
import { matches } from '../src/docs/filter.ts'
import { faultOf, indented } from '../src/docs/json.ts'
import { curlOf, headersOf, pathOf } from '../src/docs/request.ts'
import { type Outcome, problemOf } from '../src/docs/send.ts'

const KEY = { header: 'Authorization', prefix: 'Bearer ', secret: () => 'secret' }

test('numbers and names stay as they were written when JSON is indented', () => {
  const written = '{"a":1.0,"big":12345678901234567890,"t":"{[,: \\" ]}","none":{},"list":[1,[ ]]}'
  expect(indented(written)).toBe([
    '{',
    '  "a": 1.0,',
    '  "big": 12345678901234567890,',
    '  "t": "{[,: \\" ]}",',
    '  "none": {},',
    '  "list": [',
    '    1,',
    '    []',
    '  ]',
    '}',
  ].join('\n'))
})

test('what is no JSON is left as it is, and the fault is said', () => {
  expect(indented('rank,cloud\n1,aws')).toBe('rank,cloud\n1,aws')
  expect(faultOf('{"a": }')).toContain('JSON')
  expect(faultOf('[1]')).toBeNull()
})

test('values go into path and query, and the query leaves out what is empty', () => {
  const values = [
    { name: 'cloud', place: 'path', text: 'own/$&' },
    { name: 'clouds', place: 'query', text: 'aws,gcp' },
    { name: 'model', place: 'query', text: 'a&b c' },
    { name: 'limit', place: 'query', text: '' },
  ]
  expect(pathOf('/v1/{cloud}/x', values)).toBe('/v1/own%2F%24%26/x?clouds=aws,gcp&model=a%26b%20c')
  expect(pathOf('/healthz', [])).toBe('/healthz')
})

test('the curl command quotes the body for a shell and leaves the key in the environment', () => {
  const asked = { method: 'POST', path: '/v1/x?a=b', body: "{'a': 1}" }
  expect(curlOf(asked, 'http://here', KEY)).toBe([
    "curl --silent --show-error 'http://here/v1/x?a=b' \\",
    '  --header "Authorization: Bearer $PLIMSOLL_API_KEY" \\',
    "  --header 'Content-Type: application/json' \\",
    "  --data-raw '{'\\''a'\\'': 1}'",
  ].join('\n'))
})

test('a key is sent only where there is one, and a body with its type', () => {
  const asked = { method: 'GET', path: '/', body: null }
  expect(headersOf(asked, KEY)).toEqual({ Accept: '*/*', Authorization: 'Bearer secret' })
  expect(headersOf({ ...asked, body: '' }, null)).toEqual({ Accept: '*/*', 'Content-Type': 'application/json' })
})

test('a problem document is told by its media type, with or without errors', () => {
  const outcome: Outcome = { status: 404, headers: [], type: 'application/json', text: '{"title":"t"}', bytes: 13, milliseconds: 1 }
  expect(problemOf(outcome)).toBeNull()
  expect(problemOf({ ...outcome, type: 'application/problem+json' })).toEqual({ title: 't', errors: [] })
})

test('all words of the filter must be there, in any order and case', () => {
  expect(matches('GET Prices', '/v1/prices get')).toBe(true)
  expect(matches('get disks', '/v1/prices get')).toBe(false)
})
