import type parameters from '../parameters.json'
import type { Tab } from './tabs.ts'

export type ParameterName = keyof typeof parameters
export type Task = 'training' | 'inference' | 'preprocessing' | 'hpc'

/** Where the names come from that a field offers while it is typed into. */
export type Source = 'models' | 'frameworks' | 'regions' | 'accelerators' | 'instance-types'

/** A field of the form: it carries its query parameter's name. */
export interface Field {
  name: ParameterName
  /** The tasks that it is asked for; all, unless said. */
  tasks?: readonly Task[]
  /** The tabs of those tasks that show it though it is empty; all, unless said. */
  tabs?: readonly Tab[]
  /** The words to choose from, where they are not simply the parameter's own. */
  words?: readonly string[]
  source?: Source
  mode?: 'decimal' | 'numeric'
}

export interface Group {
  name: 'work' | 'more' | 'limits' | 'where' | 'machine'
  folded: boolean
  fields: readonly Field[]
}

const MODELS = ['training', 'inference'] as const
const DATA = ['training', 'preprocessing'] as const
const JOBS = ['training', 'preprocessing', 'hpc'] as const
const TRAINING = ['training'] as const
const SERVING = ['inference'] as const
const COMPUTING = ['hpc'] as const
const NUMERIC = { mode: 'numeric' } as const
const DECIMAL = { mode: 'decimal' } as const

const BATCH = ['batch'] as const
const SERVED = ['serve'] as const

const WORK: Group = {
  name: 'work',
  folded: false,
  fields: [
    { name: 'model', tasks: MODELS, source: 'models' },
    { name: 'method', tasks: TRAINING },
    { name: 'tokens', tasks: MODELS, tabs: ['finetune', 'scratch'], ...DECIMAL },
    { name: 'dataset_size', tasks: DATA },
    { name: 'dataset_name', tasks: DATA, tabs: ['scratch', 'prepare'] },
    { name: 'epochs', tasks: TRAINING, ...DECIMAL },
    { name: 'requests_per_second', tasks: SERVING, tabs: SERVED, ...DECIMAL },
    { name: 'concurrency', tasks: SERVING, tabs: SERVED, ...NUMERIC },
    { name: 'requests', tasks: SERVING, tabs: BATCH, ...DECIMAL },
    { name: 'hours_of_audio', tasks: SERVING, tabs: BATCH, ...DECIMAL },
    { name: 'input_tokens', tasks: SERVING, ...NUMERIC },
    { name: 'output_tokens', tasks: SERVING, ...NUMERIC },
    { name: 'latency_ms', tasks: SERVING, tabs: SERVED, ...DECIMAL },
    { name: 'flops', tasks: COMPUTING, ...DECIMAL },
  ],
}

const MORE: Group = {
  name: 'more',
  folded: true,
  fields: [
    { name: 'framework', tasks: ['training', 'inference', 'preprocessing'], source: 'frameworks' },
    { name: 'framework_version', tasks: MODELS },
    { name: 'tuning' },
    { name: 'precision', tasks: ['training', 'inference', 'hpc'] },
    { name: 'batch_size', tasks: MODELS, ...NUMERIC },
    { name: 'global_batch_size', tasks: TRAINING, ...NUMERIC },
    { name: 'dataset_samples', tasks: DATA, ...DECIMAL },
    { name: 'dataset_format', tasks: DATA },
    { name: 'dataset_sharded', tasks: DATA, words: ['true', 'false'] },
    { name: 'dataset_region', tasks: DATA, source: 'regions' },
    { name: 'output_format', tasks: ['preprocessing'] },
    { name: 'disk_type' },
    { name: 'image_size', tasks: ['training', 'inference', 'preprocessing'] },
    { name: 'sequence_length', tasks: MODELS, ...NUMERIC },
    { name: 'steps', tasks: SERVING, ...NUMERIC },
    { name: 'optimizer', tasks: TRAINING },
    { name: 'lora_rank', tasks: TRAINING, ...NUMERIC },
    { name: 'lora_targets', tasks: TRAINING },
    { name: 'activation_recomputation', tasks: TRAINING },
    { name: 'sharding', tasks: TRAINING },
    { name: 'offload', tasks: TRAINING },
    { name: 'experiments', tasks: TRAINING, ...NUMERIC },
    { name: 'quantization', tasks: SERVING },
    { name: 'kv_cache_precision', tasks: SERVING },
    { name: 'max_model_len', tasks: SERVING, ...NUMERIC },
    { name: 'requests_per_second_by_hour', tasks: SERVING },
    { name: 'spare_replicas', tasks: SERVING, ...NUMERIC },
    { name: 'prefix_cache_hit_rate', tasks: SERVING, ...DECIMAL },
    { name: 'speculative_decoding_method', tasks: SERVING },
    { name: 'speculative_decoding_draft_tokens', tasks: SERVING, ...NUMERIC },
    { name: 'speculative_decoding_acceptance_rate', tasks: SERVING, ...DECIMAL },
    { name: 'tpot_ms', tasks: SERVING, ...DECIMAL },
    { name: 'end_to_end_ms', tasks: SERVING, ...DECIMAL },
    { name: 'trees', tasks: TRAINING, ...NUMERIC },
    { name: 'depth', tasks: TRAINING, ...NUMERIC },
    { name: 'features', tasks: TRAINING, ...NUMERIC },
    { name: 'bytes', tasks: COMPUTING },
    { name: 'memory_gib', tasks: COMPUTING, ...DECIMAL },
    { name: 'checkpoint_gib', tasks: JOBS, ...DECIMAL },
    { name: 'checkpoint_interval_minutes', tasks: JOBS, ...DECIMAL },
    { name: 'interruptions_per_hour', ...DECIMAL },
  ],
}

const ENDING = ['finetune', 'scratch', 'batch', 'prepare', 'hpc'] as const

const LIMITS: Group = {
  name: 'limits',
  folded: false,
  fields: [
    { name: 'deadline', tabs: ENDING },
    { name: 'budget_usd', tabs: ENDING, ...DECIMAL },
    { name: 'max_usd_per_hour', ...DECIMAL },
    { name: 'objective' },
  ],
}

const WHERE: Group = {
  name: 'where',
  folded: false,
  fields: [{ name: 'purchase', words: ['on_demand,spot', 'spot'] }],
}

const MACHINE: Group = {
  name: 'machine',
  folded: true,
  fields: [
    { name: 'regions', source: 'regions' },
    { name: 'instance_types', source: 'instance-types' },
    { name: 'instance_families' },
    { name: 'exclude', source: 'instance-types' },
    { name: 'exclude_clouds' },
    { name: 'retired', words: ['true', 'false'] },
    { name: 'price_confidence', words: ['list', 'list,derived'] },
    { name: 'allow_porting', words: ['true', 'false'] },
    { name: 'accelerators', source: 'accelerators' },
    { name: 'min_accelerators', ...DECIMAL },
    { name: 'max_accelerators', ...DECIMAL },
    { name: 'max_total_accelerators', ...DECIMAL },
    { name: 'min_accelerator_memory_gib', ...DECIMAL },
    { name: 'min_vcpus', ...DECIMAL },
    { name: 'min_memory_gib', ...DECIMAL },
    { name: 'interconnect' },
    { name: 'architectures' },
    { name: 'cpu_vendors' },
    { name: 'max_nodes', ...NUMERIC },
    { name: 'basis', words: ['measured', 'measured,anchored,calibrated'] },
    { name: 'group' },
    { name: 'limit', ...NUMERIC },
  ],
}

/** The form from top to bottom. */
export const GROUPS: readonly Group[] = [WORK, MORE, LIMITS, WHERE, MACHINE]
