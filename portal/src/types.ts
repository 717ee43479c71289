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
  low: number | null
  high: number | null
}

export interface ScheduledHour {
  hour: number
  replicas: number
  node_count: number
}

export interface Serving {
  ttft_p95_ms: Range | null
  tpot_p95_ms: Range | null
  end_to_end_p95_ms: Range | null
  concurrency: number | null
  max_concurrency: number | null
  replicas: number
  cold_start_seconds: number | null
  schedule: ScheduledHour[] | null
  usd_per_month: { scheduled: number; peak_all_day: number } | null
}

/** A run under interruptions: chances are between 0 and 1, the run's figures those at the middle of its range. */
export interface Spot {
  interruptions_per_hour: number
  interruptions_source: string
  checkpoint_interval_minutes: number
  checkpoint_write_minutes: number
  start_minutes: number
  restart_minutes: number
  expected_restarts: number
  work_hours: number
  segments: number
  finish_probability: number
  survival_probability: number
  on_demand_cost_usd: number | null
}

export interface Training {
  global_batch_size: number
  steps: number
  largest_sensible_global_batch_size: number
}

export interface Staging {
  hours: number
  usd: number
}

export interface Estimate {
  basis: string
  bottleneck: string
  throughput: Range & { unit: string }
  /** Of a service at a stated load, what it could serve. */
  capacity: (Range & { unit: string }) | null
  time_hours: Range | null
  cost_usd: Range | null
  usd_per_hour: Range | null
  usd_per_million: Range | null
  latency_ms: Range | null
  serving: Serving | null
  spot: Spot | null
  expected_cost_usd: number | null
  expected_usd_per_hour: number | null
  training: Training | null
  staging: Staging | null
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
  usd_per_month: number | null
  root_volume: { usd_per_month: number } | null
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

/** Another machine, node count or purchase option of the same hardware. */
export interface Alternative {
  instance_type: string
  node_count: number
  region: string
  purchase: string
  time_hours: number | null
  cost_usd: number | null
  usd_per_hour: number | null
}

export interface Recommendation extends Candidate {
  rank: number
  sizing: Sizing
  reasons: Note[]
  warnings: Note[]
  other_regions: { region: string; usd_per_hour: number }[]
  alternatives: Alternative[]
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
  estimated_hours: number | null
  choice: string
  together: Record<string, unknown>
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

/** A machine of a comparison; what does not fit has no ratios. */
export interface Compared {
  label: string
  fits: boolean
  short: Judgement['short']
  relative_performance: number | null
  relative_cost: number | null
  performance_per_cost: number | null
  estimate: Estimate | null
  price: Price | null
  rank: number | null
  why_not: { rule: string; text: string }[]
}

/** A published measurement with what fits say of it that had not seen it. */
export interface Measurement {
  id: string
  model: string
  framework: string
  precision: string
  batch_size: number | null
  accelerator: string | null
  cpu: string | null
  device_count: number
  metric: string
  value: number
  date: string
  source_title: string
  source_url: string
  predicted_without_device: number | null
  predicted_without_model: number | null
  predicted_without_source: number | null
}
