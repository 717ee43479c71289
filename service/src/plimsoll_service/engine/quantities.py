"""The figures of an answer: ranges, needs, sizing, estimate and price; field names are the contract's own.

``None`` means that the figure has no meaning for this workload, or is unknown.
"""

from __future__ import annotations

from .frozen import value


@value
class Range:
    """An estimate with the 10th and 90th percentile of what it may turn out to be."""

    value: float
    low: float
    high: float


@value
class Rate(Range):
    """A range with its unit: ``samples/s``, ``tokens/s`` or ``gflop/s``."""

    unit: str


@value
class Need:
    """Amount of a resource that the workload requires, and that the machine provides."""

    required: float
    provided: float


@value
class MemoryNeed(Need):
    """Host memory in GiB: ``required`` at the process's peak, ``recommended`` with the page cache that pays."""

    recommended: float
    breakdown: dict[str, float]


@value
class AcceleratorMemoryNeed(Need):
    """Memory of one device in GiB, peak as reserved, with the range of the requirement."""

    low: float
    high: float
    breakdown: dict[str, float]


@value
class RootVolume:
    """The volume beside a local disk, for the image, the weights and the checkpoints: GiB, MiB/s, USD a month."""

    product: str | None
    size_gib: float
    throughput_mib_s: float | None
    usd_per_month: float | None


@value
class DiskSizing:
    """The volume to order: generic class, the provider's product, GiB, IOPS, MiB/s, USD a month.

    ``root_volume`` is ordered beside a machine's own NVMe, which is lost with the machine.
    """

    type: str
    product: str | None
    size_gib: float
    iops: float | None
    throughput_mib_s: float | None
    usd_per_month: float | None
    root_volume: RootVolume | None = None


@value
class BatchSize:
    """Samples per device and forward pass: the one used, and the largest that fits."""

    used: int
    largest: int


@value
class Largest:
    """What the memory holds: tokens of context of one request alone, and requests at the asked lengths."""

    context_tokens: int
    concurrency: int


@value
class Sizing:
    """Resources that one machine must have for the workload."""

    vcpus: Need
    memory_gib: MemoryNeed
    accelerator_memory_gib: AcceleratorMemoryNeed | None
    disk: DiskSizing
    batch_size: BatchSize | None
    largest: Largest | None = None


@value
class ScheduledHour:
    """Replicas in one hour of a day, and the machines that hold them; machines are switched on and off."""

    hour: int
    replicas: int
    node_count: int


@value
class UsdPerMonth:
    """Cost of a month of 365 / 12 days: as scheduled, cold starts included, and with the peak's machines all day."""

    scheduled: float
    peak_all_day: float


@value
class Serving:
    """Serving: of all replicas together, but the splits of one.

    Of models counted in samples, which have it with a day's load alone, a replica is a machine with all its devices;
    figures of tokens and requests at once are null.
    """

    concurrency: float | None
    max_concurrency: float | None
    ttft_ms: Range | None
    ttft_p95_ms: Range | None
    tpot_ms: Range | None
    tensor_parallel: int | None
    replicas: int
    tpot_p95_ms: Range | None = None
    end_to_end_p95_ms: Range | None = None
    pipeline_parallel: int | None = None
    expert_parallel: int | None = None
    attention_data_parallel: int | None = None
    nodes_per_replica: int | None = None
    cold_start_seconds: float | None = None
    schedule: tuple[ScheduledHour, ...] | None = None
    usd_per_month: UsdPerMonth | None = None


@value
class Training:
    """The steps of one run: the samples of each over all devices, how many there are, and the most that is sensible."""

    global_batch_size: float
    steps: float
    largest_sensible_global_batch_size: float | None


@value
class Staging:
    """Data brought from elsewhere: hours until they are on the machines, and the list price of moving them, USD.

    The price includes moving them again at restarts.
    """

    hours: float
    usd: float


@value
class Spot:
    """The run under interruptions, which come at ``interruptions_per_hour`` to all its machines together.

    ``interruptions_source`` is ``stated`` (by the request), ``feed`` (with the price) or ``assumed``. The figures of
    the run are those at the middle of its range: ``work_hours`` without checkpoints, cut into ``segments`` of the
    interval. Chances are between 0 and 1: of ending by the deadline with all interruptions (1 without a deadline), of
    none before the run's end, of none before the deadline. The break-even is the rate at which the same machine costs
    as much on demand in that region; null where it is not sold so.
    """

    interruptions_per_hour: float
    checkpoint_interval_minutes: float
    expected_restarts: float
    finish_probability: float
    interruptions_source: str
    work_hours: float
    segments: int
    checkpoint_write_minutes: float
    start_minutes: float
    restart_minutes: float
    survival_probability: float
    survival_probability_until_deadline: float | None
    on_demand_cost_usd: float | None
    saving_percent: float | None
    break_even_interruptions_per_hour: float | None


@value
class Estimate:
    """Performance of the workload on the hardware. Jobs have time and cost; serving has rates.

    Expected costs are means: over the range of the cost, and over that of the price where it is uncertain.
    """

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


@value
class Price:
    """A price of one machine for one hour, with where it comes from and how old it is.

    ``low`` and ``high`` are the range of a price that is estimated or undated, USD per hour of one machine.
    """

    usd_per_hour: float
    as_of: str | None
    source: str
    stale: bool
    confidence: str
    low: float | None = None
    high: float | None = None
