import type { Task } from './fields.ts'

/** What people come to do; several of them are one task of the API. */
export const TABS = ['finetune', 'scratch', 'serve', 'batch', 'prepare', 'hpc'] as const
export type Tab = (typeof TABS)[number]

interface Use {
  task: Task
  /** Questions to begin with: the first is asked when the tab is first opened. */
  examples: readonly string[]
}

export const USES: Readonly<Record<Tab, Use>> = {
  finetune: {
    task: 'training',
    examples: [
      'model=qwen2.5-7b&method=lora&tokens=50000000',
      'model=llama-3.3-70b&method=qlora&tokens=20000000&deadline=2d',
      'model=sdxl&method=lora&dataset_samples=1000',
    ],
  },
  scratch: {
    task: 'training',
    examples: [
      'model=resnet50&dataset_name=imagenet-1k&epochs=90',
      'model=qwen2.5-0.5b&method=full&tokens=10000000000',
      'model=xgboost&dataset_samples=100000000',
    ],
  },
  serve: {
    task: 'inference',
    examples: [
      'model=llama-3.1-8b&requests_per_second=5&input_tokens=1000&output_tokens=300',
      'model=qwen2.5-32b&concurrency=50',
      'model=sdxl&requests_per_second=1',
    ],
  },
  batch: {
    task: 'inference',
    examples: [
      'model=qwen2.5-7b&requests=1000000&input_tokens=1000&output_tokens=300',
      'model=whisper-large-v3&hours_of_audio=10000',
      'model=bge-m3&requests=10000000',
    ],
  },
  prepare: {
    task: 'preprocessing',
    examples: ['dataset_size=500GB', 'dataset_name=librispeech', 'dataset_size=2TB&dataset_format=parquet&deadline=2h'],
  },
  hpc: { task: 'hpc', examples: ['flops=1e19', 'flops=1e18&precision=fp64&deadline=7d', 'flops=1e20&budget_usd=3000'] },
}

const AMOUNTS = ['requests', 'tokens', 'hours_of_audio', 'dataset_samples']
const ADAPTERS = ['lora', 'qlora']

/** A tab's example as a question. */
export function exampleOf(tab: Tab, place = 0): URLSearchParams {
  return new URLSearchParams(`task=${USES[tab].task}&${USES[tab].examples[place] ?? ''}`)
}

/** The tab that a question belongs to, as far as it says. */
export function tabOf(question: URLSearchParams): Tab {
  switch (question.get('task')) {
    case 'hpc': return 'hpc'
    case 'preprocessing': return 'prepare'
    case 'inference': return AMOUNTS.some((name) => question.has(name)) ? 'batch' : 'serve'
    default: return ADAPTERS.includes(question.get('method') ?? '') ? 'finetune' : 'scratch'
  }
}

/** Whether a tab can show that question. */
export function isTabOf(name: string | null, question: URLSearchParams): name is Tab {
  const known = TABS.find((tab) => tab === name)
  return known !== undefined && USES[known].task === (question.get('task') ?? 'training')
}
