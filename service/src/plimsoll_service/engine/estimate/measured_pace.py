"""Where just this work was measured, the estimate is that measurement, and nearly so at neighbouring batches.

ln(measured ÷ modelled) is known at the measured batches. Between two of them it is interpolated in ln(batch); outside
it fades with the distance: weight exp(−(Δ ln batch ÷ ln 2)²), so that speed has no step anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import take
from plimsoll_service.engine.estimate.precision import Arithmetic
from plimsoll_service.engine.estimate.roofline import Step, age_factor, step
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.measured import Point, at_precision, nearest_software, work_cell
from plimsoll_service.engine.models.profile import ModelProfile

FADING = np.log(2.0)  # a batch twice or half the measured one keeps exp(−1) of what the measurement says

Rates = Callable[[Ints, Floats], Floats]  # samples a second of machines (by row) at batches, as modelled


@dataclass(frozen=True, eq=False)
class Anchor:
    """Machines of one accelerator and count; measured rates by batch, as they would be with the asked software."""

    rows: Ints
    batches: Floats
    rates: Floats
    every_batch: bool  # the batch is not stated

    def at_batches(self, row_of: Ints) -> tuple[Ints, Floats]:
        """The given rows at each measured batch, flat: every row with all batches after the other."""
        return np.repeat(row_of, len(self.batches)).astype(np.int32), np.tile(self.batches, len(row_of))


@dataclass(frozen=True, eq=False)
class Steps:
    """Steps on one device of each machine, as measured where they were."""

    job: Job
    profile: ModelProfile
    machines: Machines
    numbers: Arithmetic
    anchors: tuple[Anchor, ...] = ()
    log_gains: tuple[Floats, ...] = ()  # of each anchor at its batches

    def modelled(self, rows: Ints, batch: Floats) -> Floats:
        """Samples a second of one device of those machines."""
        numbers = take(self.numbers, rows)
        rates: Floats = batch / step(self.job, self.profile, self.machines.take(rows), numbers, batch).seconds
        return rates

    def step(self, batch: Floats) -> Step:
        """A step of ``batch`` samples on one device."""
        one = step(self.job, self.profile, self.machines, self.numbers, batch)
        if not self.anchors:
            return one
        seconds = one.seconds.copy()
        for anchor, gain in zip(self.anchors, self.log_gains, strict=True):
            rows = anchor.rows
            if not anchor.every_batch:
                seconds[rows] /= np.exp(blended(anchor.batches, gain, batch[rows]))
            elif self.job.training:
                seconds[rows] = batch[rows] / anchor.rates[0]
            else:
                seconds[rows] /= np.exp(gain[0])
        return replace(one, seconds=seconds)


def steps_of(
    job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic, batches: Sequence[float] = ()
) -> Steps:
    """The steps of every machine; an unstated batch of inference was the best of ``batches``."""
    plain = Steps(job, profile, machines, numbers)
    anchors = tuple(_anchors(job, machines, numbers, machines.count >= 1, np.ones(len(machines), dtype=np.int32)))
    if not anchors:
        return plain
    asked = [_reference(job, anchor, batches) for anchor in anchors]
    rates = plain.modelled(
        np.concatenate([np.full(len(one), anchor.rows[0]) for anchor, one in zip(anchors, asked, strict=True)]),
        np.concatenate(asked),
    )
    gains = []
    for anchor, modelled in zip(anchors, np.split(rates, np.cumsum([len(one) for one in asked])[:-1]), strict=True):
        at_best = anchor.every_batch and not job.training
        gains.append(np.log(anchor.rates / (np.max(modelled) if at_best else modelled)))
    return replace(plain, anchors=anchors, log_gains=tuple(gains))


def _reference(job: Job, anchor: Anchor, batches: Sequence[float]) -> Floats:
    """Batches at which the model is held against the measured rates."""
    if not anchor.every_batch:
        return anchor.batches
    return np.ones(1) if job.training else np.array(batches)


def together(steps: Steps, devices: Floats, one_machine: Floats, batch: Floats, rates: Rates) -> Floats:
    """The factor on the rate of several devices of one machine where just so many were measured together."""
    factor = np.ones(len(devices))
    several = (devices > 1) & (one_machine == 1) & (steps.job.experiments == 1)
    if not np.any(several):
        return factor
    counts = devices.astype(np.int32)
    anchors = list(_anchors(steps.job, steps.machines, steps.numbers, several, counts))
    if not anchors:
        return factor
    flat = [anchor.at_batches(anchor.rows) for anchor in anchors]
    found = rates(np.concatenate([rows for rows, _ in flat]), np.concatenate([sizes for _, sizes in flat]))
    for anchor, modelled in zip(anchors, np.split(found, np.cumsum([len(rows) for rows, _ in flat])[:-1]), strict=True):
        gain = np.log(anchor.rates / modelled.reshape(len(anchor.rows), -1))
        factor[anchor.rows] = np.exp(blended(anchor.batches, gain, batch[anchor.rows]))
    return factor


def blended(batches: Floats, log_gain: Floats, asked: Floats) -> Floats:
    """ln of the gain at the asked batches; ``log_gain`` by measured batch, one row for all or one a machine."""
    known, wanted = np.log(batches), np.log(asked)
    place = np.interp(wanted, known, np.arange(len(known)))
    low = np.floor(place).astype(np.int32)
    high = np.minimum(low + 1, len(known) - 1)
    rows = np.arange(len(asked)) if log_gain.ndim > 1 else ...
    gain = np.atleast_2d(log_gain)
    line = rows if log_gain.ndim > 1 else 0
    between = gain[line, low] * (1 - (place - low)) + gain[line, high] * (place - low)
    distance = wanted - np.clip(wanted, known[0], known[-1])
    faded: Floats = between * np.exp(-((distance / FADING) ** 2))
    return faded


def _anchors(job: Job, machines: Machines, numbers: Arithmetic, allowed: Floats, counts: Ints) -> Iterator[Anchor]:
    """The measured accelerators and counts among the allowed machines."""
    model = job.profile.name if job.profile is not None and job.known_model else ""
    cell = job.coefficients.measured.get(work_cell(model, job.workload))
    if not cell:
        return
    rows = np.flatnonzero(allowed & machines.has_accelerator()).astype(np.int32)
    width = int(counts.max(initial=0)) + 1
    codes = machines.accelerator[rows] * width + counts[rows]
    order = np.argsort(codes, kind="stable")
    for members in np.split(rows[order], np.flatnonzero(np.diff(codes[order])) + 1):
        first = int(members[0]) if len(members) else -1
        points = cell.get(machines.accelerator_name[first], ()) if first >= 0 else ()
        of_count = [point for point in points if point.devices == counts[first]]
        if of_count:
            yield from _anchor(job, numbers, members, at_precision(of_count, job.precision, bool(numbers.emulated[first])))


def _anchor(job: Job, numbers: Arithmetic, rows: Ints, points: Sequence[Point]) -> Iterator[Anchor]:
    """The points as the asked software would have given them; an unstated batch counts where no other is known."""
    fit = job.coefficients.roofline
    year = fit.last_year if job.software_year is None else job.software_year
    chosen = nearest_software(points, year)
    stated = [point for point in chosen if point.batch is not None]
    if not chosen:
        return
    tensor = bool(numbers.tensor[rows[0]])
    used = stated or chosen
    rates = [
        point.rate * (1.0 if point.year is None else age_factor(fit, tensor, year) / age_factor(fit, tensor, point.year))
        for point in used
    ]
    yield Anchor(rows, np.array([float(point.batch or 1) for point in used]), np.array(rates), not stated)
