/** A value with the ends between which it is expected. */
export interface Range {
  value: number
  low: number
  high: number
}

export interface Note {
  rule: string
  text: string
  source: string
}

export interface Accelerator {
  name: string
  count: number
  memory_gib: number
}

export interface Price {
  usd_per_hour: number
  as_of: string | null
  source: string
  stale: boolean
  confidence: string
}

export interface Serving {
  ttft_p95_ms: Range
  concurrency: number
  max_concurrency: number
}

export interface Estimate {
  basis: string
  bottleneck: string
  throughput: Range & { unit: string }
  time_hours: Range | null
  cost_usd: Range | null
  usd_per_hour: Range | null
  usd_per_million: Range | null
  latency_ms: Range | null
  serving: Serving | null
}

export interface Memory {
  required: number
  provided: number
  breakdown?: Record<string, number>
}

export interface Disk {
  type: string
  product: string | null
  size_gib: number
}

export interface Sizing {
  vcpus: Memory
  memory_gib: Memory
  accelerator_memory_gib: (Memory & { low: number; high: number }) | null
  disk: Disk | null
  batch_size: { used: number; largest: number } | null
}

/** A machine of the frontier: where it stands, without its reasons. */
export interface Candidate {
  cloud: string
  region: string
  instance_type: string
  node_count: number
  purchase: string
  accelerator: Accelerator | null
  estimate: Estimate
  price: Price
  label: string | null
}

export interface Recommendation extends Candidate {
  rank: number
  sizing: Sizing
  reasons: Note[]
  warnings: Note[]
  other_regions: { region: string; usd_per_hour: number }[]
}

export interface Assumption {
  field: string
  value: unknown
  why: string
}

export interface Relaxation {
  constraint: string
  to: unknown
  cost_usd: number | null
}

export interface Answer {
  catalog: { version: string; prices_as_of: string }
  workload: Record<string, unknown> & { task: string }
  objective: string
  assumptions: Assumption[]
  recommendations: Recommendation[]
  frontier: Candidate[]
  rejected: Record<string, number>
  relax: Relaxation[]
}

/** What `/v1/estimates` says of one machine. */
export interface Judgement {
  fits: boolean
  short: { resource: string; required: number | string; available: number | string | null }[]
  sizing: Sizing | null
  estimate: Estimate | null
  price: Price | null
  rank: number | null
  why_not: { rule: string; text: string }[]
  warnings: Note[]
}

export interface Fault {
  pointer: string
  detail: string
}
