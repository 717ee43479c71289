"""Parts of answers: sizing, estimate, price and reasons, as frozen values with the contract's field names.

``None`` means that a figure has no meaning for this workload, or is unknown; an unknown price is never 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Range:
    """An estimate with the low and high end of its range."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Rate:
    """A range with its unit: ``samples/s``, ``tokens/s`` or ``gflop/s``."""

    value: float
    low: float
    high: float
    unit: str


@dataclass(frozen=True)
class Note:
    """A reason or a warning: the rule that it comes from, in words, and the rule's source."""

    rule: str
    text: str
    source: str | None = None


@dataclass(frozen=True)
class Need:
    """A resource that the workload requires, and the amount that one machine provides; memory in GiB."""

    required: float
    provided: float | None = None
    recommended: float | None = None
    low: float | None = None
    high: float | None = None
    breakdown: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class RootVolume:
    """The volume beside a local disk, for the image, the weights and the checkpoints: GiB, MiB/s, USD a month."""

    product: str | None = None
    size_gib: float | None = None
    throughput_mib_s: float | None = None
    usd_per_month: float | None = None


@dataclass(frozen=True)
class DiskSizing:
    """The volume to order: generic class, the provider's product, GiB, IOPS, MiB/s, USD a month."""

    type: str
    product: str | None = None
    size_gib: float | None = None
    iops: float | None = None
    throughput_mib_s: float | None = None
    usd_per_month: float | None = None
    root_volume: RootVolume | None = None


@dataclass(frozen=True)
class BatchSize:
    """Samples per device and forward pass: the number used, and the largest that fits."""

    used: int
    largest: int | None = None


@dataclass(frozen=True)
class Largest:
    """Capacity of the memory: tokens of context of a single request, and requests at the stated lengths."""

    context_tokens: int | None = None
    concurrency: int | None = None


@dataclass(frozen=True)
class Sizing:
    """Requirements of the workload on one machine."""

    vcpus: Need | None = None
    memory_gib: Need | None = None
    accelerator_memory_gib: Need | None = None
    disk: DiskSizing | None = None
    batch_size: BatchSize | None = None
    largest: Largest | None = None


@dataclass(frozen=True)
class ScheduledHour:
    """Replicas in one hour of a day, and the machines that hold them; machines are switched on and off."""

    hour: int
    replicas: int | None = None
    node_count: int | None = None


@dataclass(frozen=True)
class UsdPerMonth:
    """Cost of a month of 365 / 12 days: as scheduled, cold starts included, and with the peak's machines all day."""

    scheduled: float | None = None
    peak_all_day: float | None = None


@dataclass(frozen=True)
class Serving:
    """Serving of all replicas together, except the splits, which are those of one replica; times in ms."""

    concurrency: float | None = None
    max_concurrency: float | None = None
    ttft_ms: Range | None = None
    ttft_p95_ms: Range | None = None
    tpot_ms: Range | None = None
    tensor_parallel: int | None = None
    replicas: int | None = None
    cold_start_seconds: float | None = None
    schedule: tuple[ScheduledHour, ...] | None = None
    usd_per_month: UsdPerMonth | None = None
    tpot_p95_ms: Range | None = None
    end_to_end_p95_ms: Range | None = None
    pipeline_parallel: int | None = None
    expert_parallel: int | None = None
    attention_data_parallel: int | None = None
    nodes_per_replica: int | None = None


@dataclass(frozen=True)
class Training:
    """The steps of one training run: the samples of each over all devices, and how many there are."""

    global_batch_size: float | None = None
    steps: float | None = None
    largest_sensible_global_batch_size: float | None = None


@dataclass(frozen=True)
class Staging:
    """Data moved from elsewhere: hours until they are on the machines, and the list price of moving them in USD."""

    hours: float | None = None
    usd: float | None = None


@dataclass(frozen=True)
class Spot:
    """The run under interruptions, which come at ``interruptions_per_hour`` to all its machines together.

    Chances are between 0 and 1: of ending by the deadline, of no interruption before the run's end, of none before the
    deadline. The break-even is the rate at which the same machine costs as much on demand in that region.
    """

    interruptions_per_hour: float | None = None
    checkpoint_interval_minutes: float | None = None
    expected_restarts: float | None = None
    finish_probability: float | None = None
    interruptions_source: str | None = None
    work_hours: float | None = None
    segments: int | None = None
    checkpoint_write_minutes: float | None = None
    start_minutes: float | None = None
    restart_minutes: float | None = None
    survival_probability: float | None = None
    survival_probability_until_deadline: float | None = None
    on_demand_cost_usd: float | None = None
    saving_percent: float | None = None
    break_even_interruptions_per_hour: float | None = None


@dataclass(frozen=True)
class Estimate:
    """Performance and cost of the workload on the hardware. Jobs have time and cost; serving has rates and latency."""

    basis: str
    bottleneck: str
    throughput: Rate
    capacity: Rate | None = None
    time_hours: Range | None = None
    cost_usd: Range | None = None
    usd_per_hour: Range | None = None
    usd_per_million: Range | None = None
    latency_ms: Range | None = None
    serving: Serving | None = None
    spot: Spot | None = None
    expected_cost_usd: float | None = None
    expected_usd_per_hour: float | None = None
    training: Training | None = None
    staging: Staging | None = None


@dataclass(frozen=True)
class Price:
    """A price of one machine for one hour, where it comes from and how old it is.

    ``low`` and ``high`` are the range of a price that is estimated or undated.
    """

    usd_per_hour: float
    as_of: str | None = None
    source: str | None = None
    stale: bool = False
    confidence: str | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Meets:
    """Whether each stated limit holds at the high end of the range; ``None`` where not asked."""

    deadline: bool | None = None
    budget: bool | None = None
    latency: bool | None = None
    tpot: bool | None = None
    end_to_end: bool | None = None
    rate: bool | None = None


@dataclass(frozen=True)
class AcceleratorChoice:
    """The accelerators of one machine; ``count`` of a share is the fraction."""

    name: str
    count: float
    memory_gib: float | None = None


@dataclass(frozen=True)
class Shortfall:
    """A resource of which the given hardware has too little; for ``precision``, both amounts are words."""

    resource: str
    required: float | str | None = None
    available: float | str | None = None
