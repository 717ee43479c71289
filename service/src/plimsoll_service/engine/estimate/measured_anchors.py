"""The measurements that stand for machines of a question, and curves of what they gain over the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.early_software import device_tuning
from plimsoll_service.engine.estimate.machines import Machines, Places
from plimsoll_service.engine.estimate.precision import Arithmetic
from plimsoll_service.engine.estimate.roofline import age_factor
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.measured import Point, at_precision, cell_tuned, nearest_software

FADING = np.log(2.0)  # a batch twice or half the measured one keeps exp(−1) of what the measurement says
NO_CURVE = -1


@dataclass(frozen=True, eq=False)
class Anchor:
    """Machines of one accelerator and count; measured rates by batch, as they would be with the asked software."""

    rows: Ints
    batches: Floats
    rates: Floats
    every_batch: bool  # the batch is not stated


@dataclass(frozen=True, eq=False)
class Curves:
    """ln(measured ÷ modelled) by ln(batch), padded by each curve's last; ``line``: the curve of every machine."""

    line: Ints
    log_batches: Floats  # curves × points
    log_gains: Floats

    def of_rows(self, rows: Ints | Places) -> Curves:
        """The curves of the given machines."""
        return Curves(self.line[rows], self.log_batches, self.log_gains)

    def log_gain(self, batch: Floats) -> Floats:
        """ln of the gain of every machine at its batch; 0 where nothing was measured."""
        gain = np.zeros(len(self.line))
        rows = np.flatnonzero(self.line != NO_CURVE)
        lines = self.line[rows]
        gain[rows] = blended(self.log_batches[lines], self.log_gains[lines], np.log(batch[rows]))
        return gain


def blended(known: Floats, gains: Floats, wanted: Floats) -> Floats:
    """Interpolated between the known batches of each line, fading outside them."""
    each, last = np.arange(len(wanted)), known.shape[1] - 1
    below = np.clip(np.sum(known <= wanted[:, None], axis=1) - 1, 0, last)
    above = np.minimum(below + 1, last)
    left, right = known[each, below], known[each, above]
    share = np.clip((wanted - left) / np.where(right > left, right - left, 1.0), 0.0, 1.0)
    between = gains[each, below] * (1 - share) + gains[each, above] * share
    distance = wanted - np.clip(wanted, known[:, 0], known[:, -1])
    faded: Floats = between * np.exp(-((distance / FADING) ** 2))
    return faded


def curves_of(machines: int, anchors: Sequence[Anchor], modelled: Sequence[Floats]) -> Curves:
    """One curve an anchor, from what the model makes of its batches."""
    line = np.full(machines, NO_CURVE, dtype=np.int32)
    width = max(len(anchor.batches) for anchor in anchors)
    batches, gains = np.empty((len(anchors), width)), np.empty((len(anchors), width))
    for place, (anchor, rates) in enumerate(zip(anchors, modelled, strict=True)):
        line[anchor.rows] = place
        points = len(anchor.batches)
        batches[place, :points], batches[place, points:] = anchor.batches, anchor.batches[-1]
        log_gains = np.log(anchor.rates / rates)
        gains[place, :points], gains[place, points:] = log_gains, log_gains[-1]
    return Curves(line, np.log(batches), gains)


def cell_of(job: Job) -> Mapping[str, tuple[Point, ...]]:
    """The points of the asked work, by accelerator."""
    if job.profile is None or not job.known_model:
        return {}
    return job.coefficients.measured.get(cell_tuned(job.profile.name, job.workload, device_tuning(job)), {})


def anchors_of(job: Job, machines: Machines, numbers: Arithmetic, allowed: Flags, counts: Ints) -> list[Anchor]:
    """The anchors of the allowed machines, ``counts`` of whose devices work together."""
    cell = cell_of(job)
    if not cell:
        return []
    some_row = np.full(int(machines.accelerator.max(initial=-1)) + 2, -1)  # of each accelerator; the last is of none
    some_row[machines.accelerator] = np.arange(len(machines))
    named = np.array([row >= 0 and machines.accelerator_name[row] in cell for row in some_row])
    rows = np.flatnonzero(allowed & machines.has_accelerator() & named[machines.accelerator]).astype(np.int32)
    if not len(rows):
        return []
    codes = machines.accelerator[rows] * (int(counts.max()) + 1) + counts[rows]
    order = np.argsort(codes, kind="stable")
    groups = np.split(rows[order], np.flatnonzero(np.diff(codes[order])) + 1)
    found = (_anchor(job, numbers, members, _points(cell, machines, counts, members)) for members in groups)
    return [anchor for anchor in found if anchor is not None]


def _points(cell: Mapping[str, tuple[Point, ...]], machines: Machines, counts: Ints, rows: Ints) -> list[Point]:
    """The points of the machines' accelerator and count."""
    return [point for point in cell[machines.accelerator_name[rows[0]]] if point.devices == counts[rows[0]]]


def _anchor(job: Job, numbers: Arithmetic, rows: Ints, points: Sequence[Point]) -> Anchor | None:
    """The points as the asked software would have given them; an unstated batch counts where no other is known."""
    fit = job.coefficients.roofline
    year = fit.last_year if job.software_year is None else job.software_year
    chosen = nearest_software(at_precision(points, job.precision, bool(numbers.emulated[rows[0]])), year)
    if not chosen:
        return None
    stated = [point for point in chosen if point.batch is not None]
    used = stated or chosen
    tensor = bool(numbers.tensor[rows[0]])
    asked = age_factor(fit, tensor, year)
    gains = [1.0 if point.year is None else asked / age_factor(fit, tensor, point.year) for point in used]
    rates = np.array([point.rate * gain for point, gain in zip(used, gains, strict=True)])
    return Anchor(rows, np.array([float(point.batch or 1) for point in used]), rates, not stated)
