"""Coverage of the fits, in the words that a job is compared with."""

from __future__ import annotations

from dataclasses import dataclass, field

from plimsoll_service.engine.models.families import family_of
from plimsoll_service.engine.models.profile import ModelProfile

# Precisions that a measurement stands for alike: what a framework calls 16 bits differs by release and device.
HALF_PRECISIONS = ("mixed", "fp16", "bf16")
SAME_SPEED = {**dict.fromkeys(HALF_PRECISIONS, "16-bit"), "fp8": "8-bit", "int8": "8-bit"}


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


NOTHING = Known()


def joined(one: Known, other: Known) -> Known:
    """Coverage of both together."""
    cells = {
        cell: " ".join(filter(None, (one.cells.get(cell), other.cells.get(cell))))
        for cell in {**one.cells, **other.cells}
    }
    return Known(
        architectures=one.architectures | other.architectures,
        models=one.models | other.models,
        software=one.software | other.software,
        generations=one.generations | other.generations,
        stacks=one.stacks | other.stacks,
        vectors=one.vectors | other.vectors,
        cells=cells,
    )


def fitted_architecture(profile: ModelProfile) -> str:
    """The architecture as the fits count it: language models share one formula, and count by their family."""
    return profile.family if family_of(profile.family).language_model else profile.architecture or profile.family


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
