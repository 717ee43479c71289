import { expect, test } from 'vitest'
import { isOfUse } from '../src/form/applies.ts'

const LANGUAGE = { task: 'training', model: 'qwen2.5-7b', sequence_length: 2048, tokens: 1e7, lora_rank: 16 }
const PICTURES = { task: 'training', model: 'resnet50', dataset: { format: 'jpeg' }, epochs: 90, image_size: [224, 224] }
const TREES = { task: 'training', model: 'xgboost', dataset: { samples: 1e8 }, trees: 100, depth: 6, features: 28 }
const SERVED = { task: 'inference', model: 'llama-3.1-8b', kv_cache_precision: 'auto', input_tokens: 512 }
const HEARD = { task: 'inference', model: 'whisper-large-v3', dataset: { format: 'wav' } }

const FIELDS = [
  'tokens', 'dataset_samples', 'image_size', 'sequence_length', 'trees', 'method', 'lora_rank', 'input_tokens', 'hours_of_audio',
]

test.each([
  [LANGUAGE, ['tokens', 'sequence_length', 'method', 'lora_rank']],
  [PICTURES, ['dataset_samples', 'image_size', 'method']],
  [TREES, ['dataset_samples', 'trees']],
  [SERVED, ['tokens', 'method', 'input_tokens']],
  [HEARD, ['dataset_samples', 'method', 'hours_of_audio']],
])('only the fields that %o takes are of use', (work, expected) => {
  expect(FIELDS.filter((name) => isOfUse(name, work))).toEqual(expected)
})

test('all fields are of use before an answer, and for work without a model', () => {
  expect(FIELDS.every((name) => isOfUse(name, undefined) && isOfUse(name, { task: 'hpc' }))).toBe(true)
})
