import type { Answer } from '../types.ts'

type Work = Answer['workload']
type Test = (work: Work) => boolean

const MODEL_TASKS = ['training', 'inference']

const has = (name: string): Test => (work) => name in work
const isServed = has('kv_cache_precision')
const isTree = has('trees')
const isNeural: Test = (work) => !('features' in work)
const isSequence: Test = (work) => isServed(work) || 'sequence_length' in work
const formatOf = ({ dataset }: Work): unknown =>
  typeof dataset === 'object' && dataset !== null && 'format' in dataset ? dataset.format : null
/** What a language model reads is counted in tokens; other data has a format. */
const hasSamples: Test = (work) => formatOf(work) !== null || !isSequence(work)

/** What the answered work must be for a field to be of use; fields without a line are of use for all. */
const OF_USE: Readonly<Record<string, Test>> = {
  ...Object.fromEntries([
    'method', 'framework_version', 'tuning', 'precision', 'global_batch_size', 'optimizer', 'activation_recomputation',
    'sharding', 'offload',
  ].map((name) => [name, isNeural])),
  ...Object.fromEntries([
    'input_tokens', 'output_tokens', 'quantization', 'kv_cache_precision', 'max_model_len', 'prefix_cache_hit_rate',
    'speculative_decoding_method', 'speculative_decoding_draft_tokens', 'speculative_decoding_acceptance_rate', 'tpot_ms',
  ].map((name) => [name, isServed])),
  ...Object.fromEntries([
    'dataset_samples', 'dataset_format', 'dataset_sharded',
  ].map((name) => [name, hasSamples])),
  tokens: isSequence,
  sequence_length: (work) => isSequence(work) && !isServed(work),
  image_size: has('image_size'),
  steps: has('steps'),
  hours_of_audio: (work) => formatOf(work) === 'wav',
  lora_rank: has('lora_rank'),
  lora_targets: has('lora_rank'),
  epochs: (work) => !isTree(work),
  trees: isTree,
  depth: isTree,
  features: (work) => !isNeural(work),
}

/** Whether a field is of use for the work that was answered last, if any; other tasks have no models to differ by. */
export const isOfUse = (name: string, work: Work | undefined): boolean =>
  !work || !MODEL_TASKS.includes(work.task) || (OF_USE[name]?.(work) ?? true)
