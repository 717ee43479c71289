"""Coverage of the fits, in the words that a job is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from .models.families import family_of
from .models.profile import ModelProfile

# Precisions that a measurement stands for alike: what a framework calls 16 bits differs by release and device.
HALF_PRECISIONS = ("mixed", "fp16", "bf16")
SAME_SPEED = {**dict.fromkeys(HALF_PRECISIONS, "16-bit"), "fp8": "8-bit", "int8": "8-bit"}


# Cell → accelerator → the most requests that one replica was measured with at once.
Loads = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Known:
    """Of one kind of work: fitted architectures, software, device generations, vector classes; measured cells.

    ``stacks``: the libraries that ran an architecture on a generation of devices, as ``stack_of`` writes them.
    """

    architectures: frozenset[str] = frozenset()
    models: frozenset[str] = frozenset()
    software: frozenset[str] = frozenset()
    generations: frozenset[str] = frozenset()
    stacks: frozenset[str] = frozenset()
    vectors: frozenset[str] = frozenset()
    cells: dict[str, str] = field(default_factory=dict)  # model, precision and software → accelerators, by spaces
    loads: Loads = field(default_factory=dict)

    @cached_property
    def served(self) -> frozenset[tuple[str, str]]:
        """Models, each with a framework that ran it."""
        words = [cell.split(" ") for cell in self.cells]
        return frozenset((one[0], one[2]) for one in words if one[0])

    @cached_property
    def devices(self) -> frozenset[str]:
        """Accelerators that ran anything."""
        return frozenset(name for names in self.cells.values() for name in names.split(" "))

    @cached_property
    def load_of_software(self) -> dict[str, float]:
        """The most requests at once on a replica of any model, by framework and tuning."""
        found: dict[str, float] = {}
        for cell, of_cell in self.loads.items():
            software = " ".join(cell.split(" ")[2:])
            found[software] = max(found.get(software, 0.0), *of_cell.values())
        return found


NOTHING = Known()


@dataclass(frozen=True)
class Check:
    """Runs of one work on one device that no fit took, and how far they lay from the estimate.

    ``low`` and ``high`` are the 10th and 90th percentile of measured ÷ estimated speed, estimated with the release that
    ran; ``now_low`` and ``now_high`` with a release of today.
    """

    rows: int
    low: float
    high: float
    now_low: float
    now_high: float
    releases: str
    since: float
    until: float  # decimal years of the releases
    source: str

    @property
    def middle(self) -> float:
        """Middle of the measured over the estimated speed, of the release that ran."""
        return float((self.low * self.high) ** 0.5)

    @property
    def aged(self) -> bool:
        """Whether a release of today is taken to be faster than those that ran."""
        return (self.low, self.high) != (self.now_low, self.now_high)

    def is_of(self, year: float | None) -> bool:
        """Whether the runs are of software as fast as that of the given year (``None``: of today)."""
        return not self.aged or (year is not None and year <= self.until)


Checks = Mapping[str, Mapping[str, Check]]  # cell → accelerator → check


@dataclass(frozen=True)
class Agreed:
    """Fitted runs of one work on one device that lie on the same side of the estimate, whatever lengths and loads.

    ``low``, ``middle`` and ``high`` are the 10th, 50th and 90th percentile of measured ÷ estimated speed of writing.
    """

    rows: int
    low: float
    middle: float
    high: float
    source: str


Agreements = Mapping[str, Mapping[str, Agreed]]  # cell → accelerator → agreement


def checks_on(checks: Checks, model: str, accelerator: str) -> Iterator[tuple[str, Check]]:
    """The checks of a model on a device, whatever the precision and software, with their cells."""
    for cell, found in checks.items():
        if cell.split(" ")[0] == model and accelerator in found:
            yield cell, found[accelerator]


def lasting_checks(checks: Checks, model: str, framework: str | None) -> dict[str, Check]:
    """Return the checks of a model in this engine of today, whatever the precision and tuning, by accelerator."""
    return {
        accelerator: one
        for cell, found in checks.items()
        for accelerator, one in found.items()
        if not one.aged and (cell.split(" ")[0], cell.split(" ")[2]) == (model, framework)
    }


def joined(one: Known, other: Known) -> Known:
    """Coverage of both together."""
    cells = {
        cell: " ".join(filter(None, (one.cells.get(cell), other.cells.get(cell))))
        for cell in {**one.cells, **other.cells}
    }
    pairs = {cell: [each.loads.get(cell, {}) for each in (one, other)] for cell in {**one.loads, **other.loads}}
    loads = {
        cell: {name: max(each.get(name, 0.0) for each in both) for name in {**both[0], **both[1]}}
        for cell, both in pairs.items()
    }
    words = ("architectures", "models", "software", "generations", "stacks", "vectors")
    return Known(**{name: getattr(one, name) | getattr(other, name) for name in words}, cells=cells, loads=loads)


def fitted_architecture(profile: ModelProfile) -> str:
    """The architecture as the fits count it: language models share one formula, and count by their family."""
    return profile.family if family_of(profile.family).language_model else profile.architecture or profile.family


def trained_as(word: str, adapters: str | None) -> str:
    """The word of a model or an architecture where adapters alone are trained: rows of whole training say little of it.

    ``adapters`` is the method; ``None`` where all weights are trained, or in inference.
    """
    return word if adapters is None else f"{word}:{adapters}"


def kind_of_network(profile: ModelProfile) -> str:
    """Which errors a network's training shares: speech, recommenders and the like count with the recurrent ones."""
    if profile.transformer is not None:
        return "transformer"
    return "cnn" if family_of(profile.family).data == "images" else "rnn"


def software_of(framework: str | None, tuning: str | None) -> str:
    """Framework and tuning as one word."""
    return f"{framework} {tuning or 'stock'}"


def stack_of(library: str, generation: str, architecture: str) -> str:
    """A library of kernels that ran an architecture on a generation of devices, as one word."""
    return f"{library} on {generation}: {architecture}"


def cell_of(model: str, precision: str, software: str) -> str:
    """The work that a measurement must share to be one of just this."""
    return f"{model} {SAME_SPEED.get(precision, precision)} {software}"
