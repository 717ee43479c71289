"""The answers about workloads, as frozen values whose field names are the contract's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from plimsoll._shown import Shown
from plimsoll.figures import AcceleratorChoice, Estimate, Meets, Note, Price, Sizing


@dataclass(frozen=True)
class Assumption:
    """A field that was left out, what was taken for it, and why."""

    field: str
    value: Any = None
    why: str = ""


@dataclass(frozen=True)
class RegionPrice:
    """The same machine and purchase option in another region."""

    region: str
    usd_per_hour: float


@dataclass(frozen=True)
class Recommendation(Shown):
    """One machine, node count and purchase option, at its cheapest allowed region."""

    rank: int
    cloud: str
    instance_type: str | None
    node_count: int
    estimate: Estimate
    region: str | None = None
    purchase: str | None = None
    accelerator: AcceleratorChoice | None = None
    sizing: Sizing | None = None
    price: Price | None = None
    meets: Meets = field(default_factory=Meets)
    reasons: tuple[Note, ...] = ()
    warnings: tuple[Note, ...] = ()
    other_regions: tuple[RegionPrice, ...] = ()
    label: str | None = None


@dataclass(frozen=True)
class FrontierPoint:
    """A candidate that no other beats on both cost and time; for serving the time is the latency."""

    cloud: str
    instance_type: str | None
    node_count: int
    estimate: Estimate
    region: str | None = None
    purchase: str | None = None
    accelerator: AcceleratorChoice | None = None
    price: Price | None = None
    label: str | None = None


@dataclass(frozen=True)
class Relax:
    """A constraint to loosen, to what, and what the job would then cost."""

    constraint: str
    to: Any = None
    cost_usd: float | None = None


@dataclass(frozen=True)
class CatalogStamp:
    """Which catalog and prices an answer rests on."""

    version: str
    prices_as_of: str | None = None


@dataclass(frozen=True)
class Answer(Shown):
    """The answer to ``recommend``; ``raw`` is the whole JSON object."""

    catalog: CatalogStamp
    workload: dict[str, Any]
    recommendations: tuple[Recommendation, ...]
    assumptions: tuple[Assumption, ...] = ()
    frontier: tuple[FrontierPoint, ...] = ()
    rejected: dict[str, int] = field(default_factory=dict)
    relax: tuple[Relax, ...] = ()
    objective: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def best(self) -> Recommendation | None:
        """The first recommendation; ``None`` where nothing qualified, and then ``rejected`` and ``relax`` say why."""
        return self.recommendations[0] if self.recommendations else None


@dataclass(frozen=True)
class Shortfall:
    """A resource of which the given hardware has too little; for ``precision`` both are words."""

    resource: str
    required: float | str | None = None
    available: float | str | None = None


@dataclass(frozen=True)
class WhyNot:
    """A reason why given hardware is not the recommendation."""

    rule: str
    text: str


@dataclass(frozen=True)
class HardwareEstimate(Shown):
    """The answer to ``estimate``: what given hardware makes of the workload; ``raw`` is the whole JSON object."""

    fits: bool
    catalog: CatalogStamp | None = None
    workload: dict[str, Any] = field(default_factory=dict)
    assumptions: tuple[Assumption, ...] = ()
    short: tuple[Shortfall, ...] = ()
    sizing: Sizing | None = None
    estimate: Estimate | None = None
    price: Price | None = None
    meets: Meets = field(default_factory=Meets)
    rank: int | None = None
    why_not: tuple[WhyNot, ...] = ()
    reasons: tuple[Note, ...] = ()
    warnings: tuple[Note, ...] = ()
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class ComparedMachine:
    """One row of a comparison, relative to the first machine that fits; ``None`` where it does not fit."""

    label: str
    fits: bool
    short: tuple[Shortfall, ...] = ()
    relative_performance: float | None = None
    relative_cost: float | None = None
    performance_per_cost: float | None = None
    estimate: Estimate | None = None
    price: Price | None = None
    meets: Meets = field(default_factory=Meets)
    rank: int | None = None
    why_not: tuple[WhyNot, ...] = ()
    reasons: tuple[Note, ...] = ()
    warnings: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Comparison(Shown):
    """The answer to ``compare``: given machines side by side; ``raw`` is the whole JSON object."""

    machines: tuple[ComparedMachine, ...]
    catalog: CatalogStamp | None = None
    workload: dict[str, Any] = field(default_factory=dict)
    assumptions: tuple[Assumption, ...] = ()
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)
