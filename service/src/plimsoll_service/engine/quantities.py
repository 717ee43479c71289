"""The figures of an answer: ranges, needs, sizing, estimate and price; field names are the contract's own.

``None`` means that the figure has no meaning for this workload, or is unknown.
"""

from __future__ import annotations

from .frozen import value


@value
class Range:
    """An estimate with its 10th and 90th percentiles."""

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
    """Host memory in GiB: ``required`` at the peak; ``recommended`` with a page cache that is worth its price."""

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
    """Largest load that fits in memory: the context of a single request, and requests of the stated lengths."""

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
    """Cost of a month of 365 / 12 days: as scheduled with cold starts, and with the peak's machines all day."""

    scheduled: float
    peak_all_day: float


@value
class Serving:
    """Figures of a service, for all replicas together; parallel degrees are those of one replica.

    Models counted in samples have this object only with a day's load: a replica is then a machine with all its devices,
    and figures of tokens and concurrent requests are null.
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
    """The steps of one run: samples per step over all devices, number of steps, largest sensible global batch."""

    global_batch_size: float
    steps: float
    largest_sensible_global_batch_size: float | None


@value
class Staging:
    """Data from elsewhere: hours until they are on the machines, and the list price of moving them, in USD.

    The price includes moving them again at restarts.
    """

    hours: float
    usd: float


@value
class Spot:
    """A run with interruptions; ``interruptions_per_hour`` is the rate of all machines together.

    ``interruptions_source`` is ``stated`` (in the request), ``feed`` (with the price) or ``assumed``. All figures are
    for the middle of the estimated time. ``work_hours`` excludes checkpoints and is divided into ``segments``.
    Probabilities are between 0 and 1. The break-even is the rate at which spot costs as much as the same machine on
    demand in that region; null if it is not sold on demand there.
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

    Expected costs are means over the range of the cost and, if the price is uncertain, over the range of the price.
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
