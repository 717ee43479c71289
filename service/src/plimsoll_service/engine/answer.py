"""What the engine answers, as frozen values whose field names are the contract's own names.

``None`` means that the figure has no meaning for this workload, or is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Range:
    """An estimate with the 10th and 90th percentile of what it may turn out to be."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Rate(Range):
    """A range with its unit: ``samples/s``, ``tokens/s`` or ``gflop/s``."""

    unit: str


@dataclass(frozen=True)
class Note:
    """A reason or a warning: the rule it comes from, in words, with the rule's source."""

    rule: str
    text: str
    source: str


@dataclass(frozen=True)
class Assumption:
    """A field that the user left out, what was taken for it, and why."""

    field: str
    value: object
    why: str


@dataclass(frozen=True)
class Need:
    """What the workload requires of a resource, and what the machine provides."""

    required: float
    provided: float


@dataclass(frozen=True)
class MemoryNeed(Need):
    """Host memory in GiB: ``required`` at the process's peak; page cache stands in ``breakdown``."""

    breakdown: dict[str, float]


@dataclass(frozen=True)
class AcceleratorMemoryNeed(Need):
    """Memory of one device in GiB, peak as reserved, with the range of the requirement."""

    low: float
    high: float
    breakdown: dict[str, float]


@dataclass(frozen=True)
class DiskSizing:
    """The volume to order: generic class, the provider's product, GiB, IOPS, MiB/s, USD a month."""

    type: str
    product: str | None
    size_gib: float
    iops: float | None
    throughput_mib_s: float | None
    usd_per_month: float | None


@dataclass(frozen=True)
class BatchSize:
    """Samples per device and forward pass: the one used, and the largest that fits."""

    used: int
    largest: int


@dataclass(frozen=True)
class Sizing:
    """What one machine must have for the workload."""

    vcpus: Need
    memory_gib: MemoryNeed
    accelerator_memory_gib: AcceleratorMemoryNeed | None
    disk: DiskSizing
    batch_size: BatchSize | None


@dataclass(frozen=True)
class Serving:
    """Serving of a language model: of all replicas together, but ``tensor_parallel`` of one."""

    concurrency: float
    max_concurrency: float
    ttft_ms: Range
    ttft_p95_ms: Range
    tpot_ms: Range
    tensor_parallel: int
    replicas: int


@dataclass(frozen=True)
class Spot:
    """The run under interruptions."""

    interruptions_per_hour: float
    checkpoint_interval_minutes: float
    expected_restarts: float
    finish_probability: float


@dataclass(frozen=True)
class Estimate:
    """What the hardware makes of the workload. Jobs have time and cost; serving has rates."""

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


@dataclass(frozen=True)
class Price:
    """A price of one machine for one hour, with where it comes from and how old it is."""

    usd_per_hour: float
    as_of: str | None
    source: str
    stale: bool
    confidence: str


@dataclass(frozen=True)
class RegionPrice:
    """The same machine and purchase option in another region."""

    region: str
    usd_per_hour: float


@dataclass(frozen=True)
class Meets:
    """Whether each stated limit holds at the high end of the range; ``None`` where not asked."""

    deadline: bool | None = None
    budget: bool | None = None
    latency: bool | None = None
    rate: bool | None = None


@dataclass(frozen=True)
class AcceleratorChoice:
    """The accelerators of one machine; ``count`` of a share is the fraction."""

    name: str
    count: float
    memory_gib: float


@dataclass(frozen=True)
class Recommendation:
    """One machine, node count and purchase option at its cheapest allowed region."""

    rank: int
    cloud: str
    region: str
    instance_type: str
    node_count: int
    purchase: str
    accelerator: AcceleratorChoice | None
    sizing: Sizing
    estimate: Estimate
    price: Price
    meets: Meets
    reasons: tuple[Note, ...]
    warnings: tuple[Note, ...]
    other_regions: tuple[RegionPrice, ...]
    label: str | None = None


@dataclass(frozen=True)
class FrontierPoint:
    """A candidate that no other beats on both cost and time: a recommendation in short. For serving the time is the latency."""

    cloud: str
    region: str
    instance_type: str
    node_count: int
    purchase: str
    accelerator: AcceleratorChoice | None
    estimate: Estimate
    price: Price
    label: str | None = None


@dataclass(frozen=True)
class Relax:
    """A constraint to loosen: to what, and what the best job would then cost in USD."""

    constraint: str
    to: object
    cost_usd: float | None


@dataclass(frozen=True)
class CatalogStamp:
    """Which catalog and prices an answer rests on."""

    version: str
    prices_as_of: str


@dataclass(frozen=True)
class Answer:
    """The whole answer to a query."""

    catalog: CatalogStamp
    workload: dict[str, object]
    assumptions: tuple[Assumption, ...]
    recommendations: tuple[Recommendation, ...]
    frontier: tuple[FrontierPoint, ...]
    rejected: dict[str, int]
    relax: tuple[Relax, ...]
    objective: str = "balanced"


@dataclass(frozen=True)
class Shortfall:
    """A resource of which the given hardware has too little."""

    resource: str
    required: float | str
    available: float | str


@dataclass(frozen=True)
class WhyNot:
    """A reason why given hardware is not the recommendation."""

    rule: str
    text: str


@dataclass(frozen=True)
class HardwareEstimate:
    """The answer for given hardware."""

    catalog: CatalogStamp
    workload: dict[str, object]
    assumptions: tuple[Assumption, ...]
    fits: bool
    short: tuple[Shortfall, ...]
    sizing: Sizing | None
    estimate: Estimate | None
    price: Price | None
    meets: Meets
    rank: int | None
    why_not: tuple[WhyNot, ...]
    reasons: tuple[Note, ...]
    warnings: tuple[Note, ...]


@dataclass(frozen=True)
class ComparedMachine:
    """One row of a comparison, relative to the first machine that fits."""

    label: str
    fits: bool
    short: tuple[Shortfall, ...]
    relative_performance: float | None
    relative_cost: float | None
    performance_per_cost: float | None
    estimate: Estimate | None
    price: Price | None
    meets: Meets
    rank: int | None
    why_not: tuple[WhyNot, ...]
    reasons: tuple[Note, ...]
    warnings: tuple[Note, ...]


@dataclass(frozen=True)
class Comparison:
    """A table of given machines for one workload."""

    catalog: CatalogStamp
    workload: dict[str, object]
    assumptions: tuple[Assumption, ...] = ()
    machines: tuple[ComparedMachine, ...] = field(default_factory=tuple)


@dataclass(frozen=True)
class Fault:
    """One fault of the input: a JSON pointer and what to do about it."""

    pointer: str
    detail: str


class Refused(Exception):
    """The input cannot be answered; ``faults`` names everything that is wrong with it."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(f"{fault.pointer}: {fault.detail}" for fault in faults))
        self.faults = faults
