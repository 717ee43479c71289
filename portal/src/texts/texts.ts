import type { Aim } from '../answer/choices.ts'
import type { KindId } from '../chart/kinds.ts'
import type { Tab } from '../form/tabs.ts'

/** Every text of the page; one file of this form for each language. What the service says itself stays in English. */
export interface Texts {
  language: string
  /** What stands between the parts of a line, and after what they are of. */
  comma: string
  colon: string
  /** What stands between two sentences. */
  gap: string
  title: string
  tagline: string
  skip: string
  reference: string
  choose_language: string
  choose_theme: string
  themes: Record<string, string>
  /** The menu of everything that there is to do. */
  menu: Record<'title' | 'hint' | 'go' | 'field' | 'none', string>
  shortcuts: Record<
    'title' | 'kind' | 'search' | 'next' | 'previous' | 'compare' | 'share' | 'machines' | 'accelerators' | 'on' | 'about' | 'copied', string
  > & { compared: (machine: string) => string }
  form: {
    label: string
    again: string
    clouds: string
    remove: (name: string) => string
    see_marked: string
    did_you_mean: string
    no_number: string
    no_time: string
    suggestions: string
    own_size: string
  }
  ask: {
    label: string
    examples: string
    edit: string
    done: string
    whole: string
    pick_date: string
    auto: (value: string) => string
    until: (moment: string) => string
  }
  tabs: Record<Tab, string>
  /** The parts of a question in its line. */
  asked: Record<string, (value: string) => string>
  choices: Record<Aim | 'fastest_alone' | 'label' | 'recommended', string> & Record<'saves_same' | 'saves_best', (share: string) => string>
  groups: Record<'work' | 'more' | 'limits' | 'where' | 'machine' | 'extra' | 'mine', string>
  mine: Record<'label' | 'hint' | 'unread', string>
  measurements: Record<'title' | 'label' | 'hint' | 'file' | 'unreadable', string>
  fields: Record<string, string>
  hints: Record<string, string>
  unset: Record<string, string> & { default: string; optional: string }
  words: Record<string, string>
  status: {
    asking: string
    count: (count: number) => string
    lost: string
    lost_detail: string
    failed: string
    invalid: string
    too_many: string
    ask_again: (time: string) => string
  }
  key: {
    label: string
    about: string
    use: string
    keep: string
    forget: string
    needed: string
    whence: string
    out_of_scope: string
  }
  /** A number, as it is written, with its unit. */
  units: Record<'second' | 'minute' | 'hour' | 'day', (number: string) => string>
  answer: {
    label: string
    none: string
    at: (machine: string, cloud: string) => string
    machines: (count: string) => string
    a_million: (cost: string) => string
    about: (time: string) => string
    about_latency: (time: string) => string
    about_first_token: (time: string) => string
    an_hour: (cost: string) => string
    disk_too: (cost: string) => string
    price_page: (cloud: string) => string
    facts: (date: string, version: string) => string
    pinned: string
    recommendations: string
    machine: string
    accelerator: string
    time: string
    cost: string
    latency: string
    first_token: string
    whole_answer: string
    usd_an_hour: string
    usd_a_million: (unit: string) => string
    usd_a_month: string
    machines_by_hour: string
    throughput: string
    why: string
    quality: (confidence: string) => string
    own: string
    no_accelerator: string
    open: (machine: string) => string
    warnings: (count: number) => string
  }
  why: {
    in_short: string
    how: string
    basis: Record<string, string>
    likely: (range: string) => string
    reasons: string
    warnings: string
    sizing: string
    limited_by: string
    needs: (required: string, provided: string) => string
    vcpus: string
    memory: string
    device_memory: string
    disk: string
    batch: string
    at_most: (value: string) => string
    required: string
    free: string
    provided: string
    gib: (value: string) => string
    price: string
    cost_parts: (machines: string, disk: string) => string
    price_line: (price: string, purchase: string) => string
    as_of: (date: string) => string
    no_date: string
    source: string
    confidence: string
    stale: string
    snapshot: string
    other_regions: string
    expected: string
    mean: (cost: string) => string
    alternatives: string
  }
  /** How machines are rented. */
  terms: Record<'label' | 'either' | 'agreed' | 'about' | 'cloud' | 'type' | 'price' | 'unread' | 'yours', string>
  chart: {
    drag: string
    saves: (change: string, gain: string, more: boolean) => string
    costs: (change: string, loss: string, more: boolean) => string
    summary: (cost: string, time: string, count: number) => string
    charts: string
    keys: string
    as_table: string
    /** A chart of bars for those who hear it. */
    bars: (measure: string, count: number) => string
    parts: string
    part: Record<'machines' | 'disks' | 'moved' | 'work', string>
    of_memory: string
    speed: string
    a_user: (rate: string) => string
    time: string
    latency_ms: string
    first_token_ms: string
    cost_of_job: string
    usd_an_hour: string
    deadline: string
    budget: string
    latency_limit: string
    rate_limit: string
    clouds: string
    rank: (rank: number) => string
    highlight: string
    /** What a chart's points are, beside the recommendations. */
    others: string
    none_fits: string
  }
  /** Each chart by its name in the switch, its title, and what is to be known of it. */
  charts: Record<KindId | 'points_service', Record<'name' | 'title' | 'caption', string>>
  notes: {
    for_all: string
    use_lora: string
    relax: string
    relaxed: (changes: [way: 'raise' | 'lower' | 'change', constraint: string, value: string][]) => string
    then_costs: (cost: string) => string
    /** After what there is then: whether the limits hold for all of its range. */
    surely: string
    nearly: (time: string) => string
    assumed: string
    change: (field: string) => string
    rejected: string
    rejected_for: (count: string, name: string) => string
  }
  why_not: {
    short_of: (resource: string, required: string, available: string) => string
  }
  compare: {
    title: string
    how: string
    chosen: string
    add_this: string
    recommended: string
    first: (machine: string) => string
    name: string
    hint: string
    unknown: string
    add: string
    caption: string
    performance: string
    cost: string
    per_cost: string
    would_be_first: string
    unfit: string
  }
  spot: {
    title: string
    caption: string
    start: string
    work: string
    lost: string
    range: string
    end: string
    checkpoints: string
    checkpoints_line: (count: string, interval: string, write: string) => string
    interruptions: string
    interruptions_line: (rate: string, source: string, between: string | null) => string
    restarts: string
    restarts_line: (count: string, lost: string) => string
    untouched: string
    in_time: string
    done: (chance: string) => string
    on_demand: string
  }
  evidence: {
    title: string
    asking: string
    none: (model: string) => string
    unnamed: string
    caption: (scheme: string) => string
    without: string
    schemes: Record<'device' | 'model' | 'source', string>
    metric: string
    measured: string
    predicted: string
    same: (accelerator: string) => string
    others: string
    bands: string
    found: (model: string, count: string, half: string, most: string) => string
    here: (count: string, accelerator: string, half: string) => string
    nothing_here: (accelerator: string) => string
    rows: string
    machine: string
    setting: string
    source: string
  }
  hardware: {
    filters: string
    filter: string
    find: string
    back: string
    unknown: string
    try_search: string
    retired: string
    cpu: string
    network: string
    local_disk: string
    peak: (precision: string) => string
    bandwidth: string
    power: string
    maker: string
    good_for: string
    good_for_about: string
    workload: string
    rank: string
    verdict: string
    prices: string
    region: string
    by_region: string
    machines: string
    devices: string
    of_devices: (count: number) => string
    a_month: string
    from: (purchase: string) => string
    gpus: string
    all_machines: string
    machines_about: string
    so_many: (count: string, total: string) => string
    any: string
    architecture: string
    at_least: (what: string) => string
    at_most: string
    side_by_side: string
    cheapest: string
    listed: string
    family: string
    only_size: string
    date: string
    per_device: string
    per: Record<'hour' | 'month' | 'year', string>
    last: string
    pick: (name: string) => string
    picked: (count: string) => string
    only: string
    compare: string
    clear: string
    per_vcpu: string
    per_gib: string
    flops_per_dollar: string
    gib_per_dollar: string
    in_all: (what: string) => string
    so_many_devices: (count: string, total: string) => string
    by_cloud: string
    unpriced: string
    unrented: string
    more: (count: string) => string
    evidence: string
    measured: (count: string) => string
    unmeasured: string
    all: string
  }
  /** A chart with free axes. */
  free: Record<'x' | 'y' | 'log' | 'keys' | 'makers', string> & Record<'title' | 'count', (one: string, other: string) => string>
  /** The calculator of a discount or a commitment. */
  commitment: Record<'title' | 'about' | 'saving' | 'hours' | 'unread' | 'no_hours' | 'way' | 'difference' | 'ask', string>
    & Record<'discount' | 'commitment', (saving: string) => string>
    & {
      month: (hours: string) => string
      even: (saving: string, hours: string, share: string) => string
      page: (cloud: string) => string
    }
  /** Earlier prices. */
  history: Record<'title' | 'show' | 'asking' | 'published' | 'bundled' | 'about', string> & Record<'dates' | 'none', (date: string) => string>
  share: Record<'title' | 'link' | 'pinned_link' | 'markdown' | 'png' | 'svg' | 'pinned_banner' | 'current', string>
  scripts: {
    title: string
    format: string
    copy: string
    copied: string
    curl: string
    python: string
    text: string
  }
}
