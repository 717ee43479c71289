"""Effects of the user's own measurements on the estimates of machines: factors, and what is left of the ranges."""

from __future__ import annotations

import numpy as np

from ..anchors import PROMPT, RATE, TOKEN
from ..hardware import Floats, Ints
from ..machines import Machines
from ..spreads import ANCHORED, MEASURED_HERE
from .job import Job

FIGURE_OF_RANGE = {"tpot": TOKEN, "ttft": PROMPT, "prefill": PROMPT}  # of every other range: the rate


def speed(job: Job, machines: Machines, figure: str = RATE) -> Floats | float:
    """Factor on the speed of each machine, or 1 without measurements of that figure."""
    effect = None if job.anchoring is None else job.anchoring.effects.get(figure)
    if job.anchoring is None or effect is None:
        return 1.0
    return effect.factor.take(job.anchoring.kind_of(machines.accelerator, machines.vector))


def left_of_range(job: Job, machines: Machines, name: str) -> Floats | None:
    """Share of ln(low) and ln(high) of a named range that is left on each machine; ``None`` without measurements."""
    figure = FIGURE_OF_RANGE.get(name, RATE)
    effect = None if job.anchoring is None else job.anchoring.effects.get(figure)
    if job.anchoring is None or effect is None:
        return None
    return effect.left.take(job.anchoring.kind_of(machines.accelerator, machines.vector), axis=1)


def shown_basis(job: Job, machines: Machines, basis: Ints, nodes: Floats | None) -> Ints:
    """The basis that the answer names: by the user's measurements where one is near.

    What was measured on fewer machines is not measured on more.
    """
    if job.anchoring is None:
        return basis
    named = job.anchoring.basis.take(job.anchoring.kind_of(machines.accelerator, machines.vector))
    if nodes is not None and job.training:
        more = (nodes > job.anchoring.most_nodes) & (named == MEASURED_HERE)
        named = np.where(more, ANCHORED, named)
    return np.where(named < 0, basis, named).astype(np.int32)


def memory_factor(job: Job) -> float:
    """Factor on the memory of a device."""
    return 1.0 if job.anchoring is None else job.anchoring.memory_factor


def memory_left(job: Job) -> tuple[float, ...]:
    """Share of ln(low) and ln(high) of the range of memory that is left."""
    return (1.0, 1.0) if job.anchoring is None else job.anchoring.memory_left
