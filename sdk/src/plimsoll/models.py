"""Answers about workloads: frozen values with the contract's field names, which print as text, HTML and data frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from plimsoll import _words, frames
from plimsoll._words import Cells
from plimsoll.figures import AcceleratorChoice, Estimate, Meets, Note, Price, Shortfall, Sizing
from plimsoll.frames import Row, Tabular

# A data frame without recommendations has these columns too.
RECOMMENDATION_COLUMNS = (
    "rank", "cloud", "region", "instance_type", "node_count", "purchase", "accelerator", "accelerator_count",
    "usd_per_hour", "usd_per_hour_each", "throughput", "throughput_low", "throughput_high", "time_hours",
    "time_hours_low", "time_hours_high", "cost_usd", "cost_usd_low", "cost_usd_high", "usd_per_million",
    "usd_per_million_low", "usd_per_million_high", "latency_ms", "latency_ms_low", "latency_ms_high",
    "expected_cost_usd", "expected_usd_per_hour", "ttft_p95_ms", "tpot_ms", "tensor_parallel", "replicas",
    "throughput_unit", "basis", "bottleneck", "disk_product", "disk_size_gib", "price_low", "price_high",
    "price_as_of", "price_confidence", "runs", "warnings", "objective",
)  # fmt: skip


@dataclass(frozen=True)
class Assumption:
    """A field that was left out, the value assumed for it, and the reason."""

    field: str
    value: Any = None
    why: str = ""


@dataclass(frozen=True)
class Anchor:
    """A figure that you measured, beside the estimate of that run without it; ``why`` it changes nothing if unused."""

    on: str
    said: float
    estimated_without: float | None = None
    figure: str = "throughput"
    used: bool = True
    why: str | None = None


@dataclass(frozen=True)
class Alternative:
    """Another machine, node count or purchase option of the same hardware."""

    instance_type: str
    node_count: int
    region: str | None = None
    purchase: str | None = None
    time_hours: float | None = None
    cost_usd: float | None = None
    usd_per_hour: float | None = None


@dataclass(frozen=True)
class RegionPrice:
    """The same machine and purchase option in another region."""

    region: str
    usd_per_hour: float


@dataclass(frozen=True)
class Runs:
    """Reason why the software runs on a machine: supported, untested or ported."""

    status: str
    why: str = ""
    source: str = ""


@dataclass(frozen=True)
class Recommendation(Tabular):
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
    runs: Runs | None = None
    reasons: tuple[Note, ...] = ()
    warnings: tuple[Note, ...] = ()
    other_regions: tuple[RegionPrice, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    label: str | None = None

    def __str__(self) -> str:
        machine = _words.machine(self.node_count, self.instance_type, self.label)
        where = ", ".join(word for word in (self.cloud, self.region, self.purchase) if word)
        return f"{machine} ({where}): {_words.figures(self.estimate)}"

    def _repr_html_(self) -> str:
        return _words.table([self._cells()]) + _words.notes(self.reasons, self.warnings)

    def _cells(self) -> Cells:
        return {
            "rank": str(self.rank),
            "machine": _words.machine(self.node_count, self.instance_type, self.label),
            "accelerator": _words.accelerator(self.accelerator),
            "cloud": self.cloud,
            "region": self.region or "",
            "purchase": self.purchase or "",
            **_words.price_cells(self.price),
            **_words.estimate_cells(self.estimate),
        }

    def _rows(self) -> list[Row]:
        disk = self.sizing.disk if self.sizing else None
        row = {
            "rank": self.rank,
            "cloud": self.cloud,
            "region": self.region,
            "instance_type": self.instance_type,
            "node_count": self.node_count,
            "purchase": self.purchase,
            "accelerator": self.accelerator.name if self.accelerator else None,
            "accelerator_count": self.accelerator.count if self.accelerator else None,
            "usd_per_hour": self._usd_per_hour(),
            "usd_per_hour_each": self.price.usd_per_hour if self.price else None,
            **frames.estimate_cells(self.estimate),
            "disk_product": disk.product if disk else None,
            "disk_size_gib": disk.size_gib if disk else None,
            **frames.price_cells(self.price),
            "runs": self.runs.status if self.runs else None,
            "warnings": len(self.warnings),
            "objective": None,  # that of the answer
        }
        return [row]

    def _usd_per_hour(self) -> float | None:
        """USD per hour of all machines; of a day's load the mean."""
        mean = self.estimate.usd_per_hour
        if mean is not None:
            return mean.value
        return self.price.usd_per_hour * self.node_count if self.price else None


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
    """A constraint to relax, its new value, and the cost of the job then; ``together``: other limits to relax too."""

    constraint: str
    to: Any = None
    cost_usd: float | None = None
    estimated_hours: float | None = None
    choice: str | None = None
    together: dict[str, Any] = field(default_factory=dict)

    def _advice(self) -> str:
        cost = f" ({_words.number(self.cost_usd)} USD)" if self.cost_usd is not None else ""
        changes = {self.constraint: self.to} | self.together
        dropped = " and ".join(name for name, to in changes.items() if to is None)
        changed = " and ".join(f"{name} to {to}" for name, to in changes.items() if to is not None)
        how = ", and ".join([f"leave out {dropped}"] * bool(dropped) + [f"relax {changed}"] * bool(changed))
        choice = f": {self.choice}" if self.choice else ""
        return f"{how}{cost}{choice}{self._nearly()}"

    def _nearly(self) -> str:
        if self.estimated_hours is None:
            return ""
        return f"; its estimate of {_words.number(self.estimated_hours)} h meets the limit, the whole range does not"


@dataclass(frozen=True)
class CatalogStamp:
    """Versions of the catalog and prices behind an answer."""

    version: str
    prices_as_of: str | None = None


@dataclass(frozen=True)
class Answer(Tabular):
    """The answer to ``recommend``; ``raw`` is the whole JSON object; the service logs the call as ``request_id``."""

    catalog: CatalogStamp
    workload: dict[str, Any]
    recommendations: tuple[Recommendation, ...]
    assumptions: tuple[Assumption, ...] = ()
    frontier: tuple[FrontierPoint, ...] = ()
    rejected: dict[str, int] = field(default_factory=dict)
    relax: tuple[Relax, ...] = ()
    objective: str | None = None
    anchors: tuple[Anchor, ...] = ()
    request_id: str | None = field(default=None, compare=False)
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)
    _columns: ClassVar[Sequence[str] | None] = RECOMMENDATION_COLUMNS

    @property
    def best(self) -> Recommendation | None:
        """The first recommendation; ``None`` where nothing qualified, and then ``rejected`` and ``relax`` say why."""
        return self.recommendations[0] if self.recommendations else None

    def __str__(self) -> str:
        if self.best is None:
            return self._nothing()
        others = len(self.recommendations) - 1
        return str(self.best) + (f"; {others} more" if others else "")

    def _nothing(self) -> str:
        """Return the reason why no machine qualified, and the constraints to loosen."""
        counts = ", ".join(f"{name} {count}" for name, count in self.rejected.items())
        text = "no machine meets the constraints" + (f"; rejected: {counts}" if counts else "")
        return text + "".join(f"; {relax._advice()}" for relax in self.relax)

    def _repr_html_(self) -> str:
        if self.recommendations:
            body = _words.table([each._cells() for each in self.recommendations])
        else:
            body = f"<p>{_words.escape(self._nothing())}</p>"
        assumed = (f"{each.field} = {each.value}: {each.why}" for each in self.assumptions)
        prices = f", prices as of {self.catalog.prices_as_of}" if self.catalog.prices_as_of else ""
        stamp = f"<p><small>catalog {_words.escape(self.catalog.version + prices)}</small></p>"
        return body + _words.details("assumptions", assumed) + stamp

    def _rows(self) -> list[Row]:
        return [{**row, "objective": self.objective} for each in self.recommendations for row in each._rows()]


@dataclass(frozen=True)
class WhyNot:
    """A reason why given hardware is not the recommendation."""

    rule: str
    text: str


@dataclass(frozen=True)
class HardwareEstimate(Tabular):
    """The answer to ``estimate``: the workload on given hardware; ``raw`` is the whole JSON object."""

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
    anchors: tuple[Anchor, ...] = ()
    request_id: str | None = field(default=None, compare=False)
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        return _hardware_text(self)

    def _repr_html_(self) -> str:
        why_not = _words.details("why not", (each.text for each in self.why_not))
        return _words.table([_hardware_cells(self)]) + why_not + _words.notes(self.reasons, self.warnings)

    def _rows(self) -> list[Row]:
        return [_hardware_row(self)]


@dataclass(frozen=True)
class ComparedMachine(Tabular):
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

    def __str__(self) -> str:
        return f"{self.label}: {_hardware_text(self)}"

    def _repr_html_(self) -> str:
        return _words.table([self._cells()]) + _words.notes(self.reasons, self.warnings)

    def _cells(self) -> Cells:
        ratios = {
            "relative performance": self.relative_performance,
            "relative cost": self.relative_cost,
            "performance per cost": self.performance_per_cost,
        }
        return {
            "machine": self.label,
            **{name: "" if ratio is None else _words.number(ratio) for name, ratio in ratios.items()},
            **_hardware_cells(self),
        }

    def _rows(self) -> list[Row]:
        ratios = {
            "label": self.label,
            "relative_performance": self.relative_performance,
            "relative_cost": self.relative_cost,
            "performance_per_cost": self.performance_per_cost,
        }
        return [ratios | _hardware_row(self)]


@dataclass(frozen=True)
class Comparison(Tabular):
    """The answer to ``compare``: the workload on given machines; ``raw`` is the whole JSON object."""

    machines: tuple[ComparedMachine, ...]
    catalog: CatalogStamp | None = None
    workload: dict[str, Any] = field(default_factory=dict)
    assumptions: tuple[Assumption, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    request_id: str | None = field(default=None, compare=False)
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        return "\n".join(str(each) for each in self.machines)

    def _repr_html_(self) -> str:
        return _words.table([each._cells() for each in self.machines])

    def _rows(self) -> list[Row]:
        return [row for each in self.machines for row in each._rows()]


def _hardware_text(hardware: HardwareEstimate | ComparedMachine) -> str:
    if hardware.estimate is None:
        return "does not fit: " + ", ".join(_words.shortfall(short) for short in hardware.short)
    return _words.figures(hardware.estimate)


def _hardware_cells(hardware: HardwareEstimate | ComparedMachine) -> Cells:
    return {
        "fits": "yes" if hardware.fits else "no",
        "short": ", ".join(_words.shortfall(short) for short in hardware.short),
        **_words.price_cells(hardware.price),
        **_words.estimate_cells(hardware.estimate),
    }


def _hardware_row(hardware: HardwareEstimate | ComparedMachine) -> Row:
    return {
        "fits": hardware.fits,
        "short": " ".join(short.resource for short in hardware.short),
        "rank": hardware.rank,
        "usd_per_hour": hardware.price.usd_per_hour if hardware.price else None,
        **frames.estimate_cells(hardware.estimate),
        **frames.price_cells(hardware.price),
        "warnings": len(hardware.warnings),
    }
