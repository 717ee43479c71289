import { expect, test } from 'vitest'
import { curl, literal, python } from '../src/calls.ts'
import { bodyOf, parameterFor } from '../src/request.ts'

const QUERY = new URLSearchParams({
  task: 'training', model: 'resnet50', dataset_size: '240GB', epochs: '90', image_size: '224,224', clouds: 'aws, gcp',
  retired: 'true', max_nodes: '2', memory_gib: '64GB', objective: 'cost', snapshot: 'v1',
})

test('a query becomes the body that asks the same, with names nested and values typed', () => {
  expect(bodyOf(QUERY)).toEqual({
    workload: {
      task: 'training', model: 'resnet50', dataset: { size: '240GB' }, epochs: 90, image_size: [224, 224],
      memory_gib: '64GB',
    },
    constraints: { clouds: ['aws', 'gcp'], retired: true, max_nodes: 2 },
    objective: 'cost',
  })
})

test('text that is no number is left to the service to refuse', () => {
  expect(bodyOf(new URLSearchParams({ epochs: 'many' }))).toEqual({ workload: { epochs: 'many' } })
})

test('an assumption finds the parameter that sets it', () => {
  expect([parameterFor('dataset.size'), parameterFor('tuning'), parameterFor('nowhere')]).toEqual([
    'dataset_size', 'tuning', null,
  ])
})

test('Python literals are Python', () => {
  expect(literal({ a: [true, false, null, 1.5, "it's"] })).toBe(`{"a": [True, False, None, 1.5, "it's"]}`)
})

test('a short call stands on one line, and a snapshot is told', () => {
  const lines = python('http://host', new URLSearchParams({ task: 'hpc', snapshot: 'v1' }))
  expect(lines).toContain('    answer = client.recommend({"task": "hpc"}, snapshot="v1")\n')
})

test('a shell reads the address of a call as one word', () => {
  expect(curl('http://host', new URLSearchParams({ model: "a'b" }), 'env')).toBe(
    "curl 'http://host/v1/recommendations?model=a%27b&format=env'",
  )
})

test('a call under a key takes it from the environment', () => {
  expect(curl('http://host', new URLSearchParams({ task: 'hpc' }), 'json', true)).toBe(
    `curl -H "Authorization: Bearer $PLIMSOLL_API_KEY" 'http://host/v1/recommendations?task=hpc'`,
  )
})
