"""Answers of the engine as frozen values; field names are those of the contract."""

from __future__ import annotations

from dataclasses import dataclass, field

from .anchors import AnchorSaid
from .frozen import value
from .quantities import Estimate, Price, Sizing


@value
class Note:
    """A reason or a warning in words, with its rule and the rule's source."""

    rule: str
    text: str
    source: str


@value
class Assumption:
    """A field that the request left out, its assumed value, and the reason."""

    field: str
    value: object
    why: str


@value
class RegionPrice:
    """Price of the recommended machine, under the same purchase option, in another region."""

    region: str
    usd_per_hour: float


@dataclass(frozen=True)
class Meets:
    """Whether each stated limit is met at the unfavourable end of the range; null if it was not stated."""

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
    memory_gib: float


@value
class Alternative:
    """Another machine, node count or purchase option of the same hardware, with its time and cost."""

    instance_type: str
    node_count: int
    region: str
    purchase: str
    time_hours: float | None
    cost_usd: float | None
    usd_per_hour: float | None


@value
class Runs:
    """Whether the software runs there: ``supported``, ``untested`` or ``ported``, with the statement and its source."""

    status: str
    why: str
    source: str


@value
class Recommendation:
    """One machine, node count and purchase option, in its cheapest allowed region."""

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
    runs: Runs
    reasons: tuple[Note, ...]
    warnings: tuple[Note, ...]
    other_regions: tuple[RegionPrice, ...]
    alternatives: tuple[Alternative, ...] = ()
    label: str | None = None


@value
class FrontierPoint:
    """A short recommendation, for a candidate that no other beats in both cost and time (for serving: latency)."""

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
    """A constraint to relax: its new value, and the cost of the best job after the change, in USD.

    ``estimated_hours``: of the best job at that deadline, if its estimate meets the stated deadline and its whole range
    does not. ``choice``: the machines of the first choice in words, with their price and, for a job, its time.
    ``together``: other limits to relax at the same time, each with its value, if one is not enough.
    """

    constraint: str
    to: object
    cost_usd: float | None
    estimated_hours: float | None = None
    choice: str = ""
    together: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class CatalogStamp:
    """The catalog and the prices that an answer is based on."""

    version: str
    prices_as_of: str


@dataclass(frozen=True)
class Answer:
    """The answer to a request for recommendations."""

    catalog: CatalogStamp
    workload: dict[str, object]
    assumptions: tuple[Assumption, ...]
    recommendations: tuple[Recommendation, ...]
    frontier: tuple[FrontierPoint, ...]
    rejected: dict[str, int]
    relax: tuple[Relax, ...]
    objective: str = "balanced"
    anchors: tuple[AnchorSaid, ...] = ()


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
    anchors: tuple[AnchorSaid, ...] = ()


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
    anchors: tuple[AnchorSaid, ...] = ()
