import { afterEach, expect, test } from 'vitest'
import { curl } from '../src/calls.ts'
import { measurements, readMeasured, take, writtenMeasured } from '../src/measurements.ts'
import { bodyOf, parameterAt } from '../src/request.ts'

const ONE = { on: { accelerator: 'T4' }, throughput: 242 }

afterEach(() => { take('') })

test.each([
  [JSON.stringify(ONE), [ONE]],
  [JSON.stringify([ONE, ONE]), [ONE, ONE]],
  [JSON.stringify({ measurement: ONE, made_by: 'plimsoll' }), [ONE]],
  ['', null],
])('takes one measurement, a list, or an object that holds them: %s', (text, expected) => {
  const sound = take(text)
  expect([sound, measurements()]).toEqual([true, expected])
})

test.each(['{', '1', '"text"'])('refuses what is no measurement: %s', (text) => {
  const sound = take(text)
  expect([sound, measurements()]).toEqual([false, null])
})

test('measurements are in every body', () => {
  take(JSON.stringify(ONE))
  const body = bodyOf(new URLSearchParams({ task: 'training' }))
  expect(body).toEqual({ workload: { task: 'training', measurements: [ONE] } })
})

test('the shell command then posts the body', () => {
  take(JSON.stringify(ONE))
  const call = curl('http://host', new URLSearchParams({ task: 'training' }))
  expect(call).toContain(`-d '{"workload":{"task":"training","measurements":[${JSON.stringify(ONE)}]}}'`)
})

test.each([
  ['/workload/measurements/0/throughput', 'measurements'],
  ['/workload/dataset/size', 'dataset_size'],
  ['/constraints/max_nodes', 'max_nodes'],
  ['model', 'model'],
])('a fault at %s belongs to the field %s', (pointer, expected) => {
  const actual = parameterAt(pointer)
  expect(actual).toBe(expected)
})

test('measurements are in the address as long as it stays short, and come from it', () => {
  take(JSON.stringify(ONE))
  const written = writtenMeasured()
  readMeasured(null)
  expect(measurements()).toBeNull()
  readMeasured(written)
  expect(measurements()).toEqual([ONE])
  take(JSON.stringify(Array(100).fill(ONE)))
  expect(writtenMeasured()).toBe('')
  readMeasured('{')
  expect(measurements()).toBeNull()
})
