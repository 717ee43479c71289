"""Steps as measured, where just this work was measured on a device, and nearly so at neighbouring batches.

ln(measured ÷ modelled) is known at the measured batches. Between two of them it is interpolated in ln(batch); outside
it fades with the distance: weight exp(−(Δ ln batch ÷ ln 2)²), so that speed has no step anywhere. A modelled step is
never slower than a software alternative, nor a measured one than a measured alternative. At inference, stock software
that was not measured is never faster than tuned software that was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..columns import select, take
from ..demand.job import Job
from ..demand.software import family_points, measured_points, software_alternatives, tuned_alternative
from ..hardware import Flags, Floats, Ints, Places
from ..machines import Machines
from ..measured import Point, at_precision, nearest_software
from ..models.profile import ModelProfile
from .arithmetic import Arithmetic, fitted_arithmetic
from .roofline import Step, StepTerms, age_of_software, step_terms

FADING = np.log(2.0)  # a batch twice or half the measured one keeps exp(−1) of the measured gain
NO_CURVE = -1


@dataclass(frozen=True, eq=False)
class Anchor:
    """Machines of one accelerator and count; measured rates by batch, as they would be with the asked software."""

    rows: Ints
    batches: Floats
    rates: Floats
    every_batch: bool  # the batch is not stated


@dataclass(frozen=True, eq=False)
class GainCurves:
    """ln(measured ÷ modelled) by ln(batch), padded by each curve's last; ``line``: the curve of every machine."""

    line: Ints
    log_batches: Floats  # curves × points
    log_gains: Floats
    beyond: Floats  # of each curve far above its batches

    def of_rows(self, rows: Ints | Places) -> GainCurves:
        """The curves of the given machines."""
        return GainCurves(self.line[rows], self.log_batches, self.log_gains, self.beyond)

    def log_gain(self, batch: Floats) -> Floats:
        """ln of the gain of every machine at its batch; 0 where nothing was measured."""
        gain = np.zeros(len(self.line))
        rows = np.flatnonzero(self.line != NO_CURVE)
        lines = self.line[rows]
        gain[rows] = blended(self.log_batches[lines], self.log_gains[lines], self.beyond[lines], np.log(batch[rows]))
        return gain


def blended(known: Floats, gains: Floats, beyond: Floats, wanted: Floats) -> Floats:
    """Interpolated between the known batches of each line, fading below them to 0, and above to ``beyond``."""
    each, last = np.arange(len(wanted)), known.shape[1] - 1
    below = np.clip(np.sum(known <= wanted[:, None], axis=1) - 1, 0, last)
    above = np.minimum(below + 1, last)
    left, right = known[each, below], known[each, above]
    share = np.clip((wanted - left) / np.where(right > left, right - left, 1.0), 0.0, 1.0)
    between = gains[each, below] * (1 - share) + gains[each, above] * share
    distance = wanted - np.clip(wanted, known[:, 0], known[:, -1])
    kept = np.exp(-((distance / FADING) ** 2))
    faded: Floats = between * kept + np.where(distance > 0, beyond, 0.0) * (1 - kept)
    return faded


def gain_curves(
    machines: int, anchors: Sequence[Anchor], modelled: Sequence[Floats], beyond: Floats | None = None
) -> GainCurves:
    """One curve an anchor, from the modelled rates at its batches; ``beyond``: its log gain far above them, else 0."""
    line = np.full(machines, NO_CURVE, dtype=np.int32)
    width = max(len(anchor.batches) for anchor in anchors)
    batches, gains = np.empty((len(anchors), width)), np.empty((len(anchors), width))
    for place, (anchor, rates) in enumerate(zip(anchors, modelled, strict=True)):
        line[anchor.rows] = place
        points = len(anchor.batches)
        batches[place, :points], batches[place, points:] = anchor.batches, anchor.batches[-1]
        # A batch that took longer than a larger one takes as long: that was noise.
        steps = np.minimum.accumulate((anchor.batches / anchor.rates)[::-1])[::-1]
        log_gains = np.log(anchor.batches / steps / rates)
        gains[place, :points], gains[place, points:] = log_gains, log_gains[-1]
    return GainCurves(line, np.log(batches), gains, np.zeros(len(anchors)) if beyond is None else beyond)


def anchors_of(job: Job, machines: Machines, numbers: Arithmetic, allowed: Flags, counts: Ints) -> list[Anchor]:
    """The anchors of the allowed machines, ``counts`` of whose devices work together."""
    cell = measured_points(job)
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
    found = (_anchor(job, machines, numbers, members, cell, counts[members[0]]) for members in groups)
    return [anchor for anchor in found if anchor is not None]


def _anchor(
    job: Job, machines: Machines, numbers: Arithmetic, rows: Ints, cell: Mapping[str, tuple[Point, ...]], devices: int
) -> Anchor | None:
    """The points of the accelerator and count, as the asked software would have given them.

    An unstated batch counts where no other is known.
    """
    fit, known = job.coefficients.roofline, cell.get(machines.accelerator_name[rows[0]], ())
    points = [point for point in known if point.devices == devices]
    year = fit.last_year if job.software_year is None else job.software_year
    chosen = nearest_software(at_precision(points, job.precision, bool(numbers.emulated[rows[0]])), year)
    if not chosen:
        return None
    stated = [point for point in chosen if point.batch is not None]
    used = stated or chosen
    assert job.profile is not None  # that of the measured points
    age = partial(age_of_software, fit, job.profile, numbers.tensor[rows[:1]], np.ones(1, dtype=bool))
    gains = [1.0 if point.year is None else float((age(year) / age(point.year))[0]) for point in used]
    rates = np.array([point.rate * gain for point, gain in zip(used, gains, strict=True)])
    return Anchor(rows, np.array([float(point.batch or 1) for point in used]), rates, not stated)


Rates = Callable[[Ints, Floats], Floats]  # samples a second of machines (by row) at batches, as modelled


@dataclass(frozen=True, eq=False)
class Steps:
    """Steps on one device of each machine, as measured where they were."""

    job: Job
    profile: ModelProfile
    machines: Machines
    numbers: Arithmetic
    terms: StepTerms
    others: tuple[Steps, ...] = ()  # of software alternatives
    tuned: Steps | None = None  # of software that stock software is not faster than, except where it was measured
    curves: GainCurves | None = None
    fixed: Floats | None = None  # samples a second whatever the batch, where the measured one is not stated; else NaN

    def take(self, rows: Ints | Places) -> Steps:
        """The given machines, in that order."""
        curves = None if self.curves is None else self.curves.of_rows(rows)
        fixed = None if self.fixed is None else self.fixed[rows]
        numbers, terms = take(self.numbers, rows), take(self.terms, rows)
        others = tuple(other.take(rows) for other in self.others)
        tuned = None if self.tuned is None else self.tuned.take(rows)
        return Steps(self.job, self.profile, self.machines.take(rows), numbers, terms, others, tuned, curves, fixed)

    def measured(self) -> Flags:
        """Machines on which just this work was measured."""
        nowhere = np.zeros(len(self.machines), dtype=bool)
        return nowhere if self.curves is None else self.curves.line != NO_CURVE

    def rate(self, batch: Floats) -> Floats:
        """Samples a second of one device."""
        return batch / self.step(batch).seconds

    def step(self, batch: Floats) -> Step:
        """A step of ``batch`` samples on one device."""
        one = self.terms.step(batch)
        for other in self.others:
            theirs = other.step(batch)
            one = _either(one, theirs, theirs.seconds < one.seconds)
        if self.curves is not None:
            one = replace(one, seconds=one.seconds / np.exp(self.curves.log_gain(batch)))
        if self.fixed is not None:
            one = replace(one, seconds=np.where(np.isnan(self.fixed), one.seconds, batch / self.fixed))
        return one if self.job.training else self._in_order(one, batch)

    def _in_order(self, one: Step, batch: Floats) -> Step:
        """The step where measurements of two tunings leave stock software no faster than tuned software."""
        for other in self.others:
            if other.curves is not None:
                theirs = other.step(batch)
                one = _either(one, theirs, other.measured() & (theirs.seconds < one.seconds))
        if self.tuned is not None:
            theirs = self.tuned.step(batch)
            one = _either(one, theirs, ~self.measured() & (theirs.seconds > one.seconds))
        return one


def _either(one: Step, other: Step, rows: Flags) -> Step:
    """The other step on the flagged machines, the first elsewhere."""
    return select(rows, other, one)


def steps_of(
    job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic, batches: Sequence[float] = ()
) -> Steps:
    """The steps of every machine; inference at an unstated batch was at the best of ``batches``."""

    others = tuple(
        _steps(other, profile, machines, fitted_arithmetic(other, profile, machines), batches)
        for other in software_alternatives(job)
    )
    own = _steps(job, profile, machines, numbers, batches, others)
    tuned = tuned_alternative(job)
    if tuned is None:
        return own
    return replace(own, tuned=steps_of(tuned, profile, machines, fitted_arithmetic(tuned, profile, machines), batches))


def _steps(
    job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic, batches: Sequence[float],
    others: tuple[Steps, ...] = (),
) -> Steps:  # fmt: skip
    """The faster of the job's steps and the ``others``, or the measured ones where there are."""
    plain = Steps(job, profile, machines, numbers, step_terms(job, profile, machines, numbers), others)
    one_device = np.ones(len(machines), dtype=np.int32)
    anchors = anchors_of(job, machines, numbers, machines.count >= 1, one_device)
    if not anchors:
        return plain
    stated = [anchor for anchor in anchors if not anchor.every_batch]
    unstated = [anchor for anchor in anchors if anchor.every_batch]
    if unstated and not job.training:
        stated += [_at_every(plain, anchor, batches) for anchor in unstated]
    curves = None
    if stated:
        modelled = _modelled(plain, [anchor.rows[:1] for anchor in stated], [anchor.batches for anchor in stated])
        curves = gain_curves(len(machines), stated, modelled, None if job.training else _of_wider(plain, stated))
    if not unstated or not job.training:
        return replace(plain, curves=curves)
    fixed = np.full(len(machines), np.nan)
    for anchor in unstated:
        fixed[anchor.rows] = anchor.rates[0]
    return replace(plain, curves=curves, fixed=fixed)


def _of_wider(plain: Steps, anchors: Sequence[Anchor]) -> Floats:
    """ln(measured ÷ modelled) of the network of the family that reached most on each anchor's device, 0 at the most.

    A batch of one leaves a small network's device idle: its gain says little of larger batches. A wide network's does.
    """
    widest: dict[str, dict[int, tuple[float, Anchor]]] = {}
    most = np.zeros(len(anchors))
    models = {model.name: (model, points) for model, points in family_points(plain.job)}
    for name, (model, points) in models.items():
        for place, anchor in enumerate(anchors):
            found = _anchor(plain.job, plain.machines, plain.numbers, anchor.rows[:1], points, 1)
            if found is not None and not found.every_batch and found.rates[-1] * model.forward_flops > most[place]:
                most[place] = found.rates[-1] * model.forward_flops
                widest[name] = {**widest.get(name, {}), place: (most[place], found)}
    beyond = np.zeros(len(anchors))
    for name, found_at in widest.items():
        mine = {place: found for place, (reached, found) in found_at.items() if reached == most[place]}
        if mine:
            rates = _modelled_of(plain, models[name][0], list(mine.values()))
            for (place, found), rate in zip(mine.items(), rates.tolist(), strict=True):
                beyond[place] = min(np.log(found.rates[-1] / rate), 0.0)
    return beyond


def _modelled_of(plain: Steps, model: ModelProfile, anchors: Sequence[Anchor]) -> Floats:
    """Samples a second of another network, as modelled at each anchor's largest batch."""
    job = replace(plain.job, profile=model, workload=replace(plain.job.workload, model=model.name))
    machines = plain.machines.take(np.array([anchor.rows[0] for anchor in anchors]))
    terms = step_terms(job, model, machines, fitted_arithmetic(job, model, machines))
    batches = np.array([anchor.batches[-1] for anchor in anchors])
    return batches / terms.step(batches).seconds


def _at_every(plain: Steps, anchor: Anchor, batches: Sequence[float]) -> Anchor:
    """The anchor at all batches, each with the gain of the best one."""
    tried = np.array(batches)
    modelled = _modelled(plain, [anchor.rows[:1]], [tried])[0]
    return replace(anchor, batches=tried, rates=modelled * anchor.rates[0] / np.max(modelled), every_batch=False)


def _modelled(plain: Steps, rows: Sequence[Ints], batches: Sequence[Floats]) -> list[Floats]:
    """Samples a second of one device of each row at its batches."""
    flat = np.concatenate([np.full(len(sizes), row[0]) for row, sizes in zip(rows, batches, strict=True)])
    rates = plain.take(flat).rate(np.concatenate(batches))
    return np.split(rates, np.cumsum([len(sizes) for sizes in batches])[:-1])


def measured_together(
    steps: Steps, devices: Floats, nodes: Floats, batch: Floats, rate: Floats, rates: Rates
) -> Floats:
    """The rate of all devices, as measured where just so many devices of one machine were measured together."""
    several = (devices > 1) & (nodes == 1)
    if not np.any(several):
        return rate
    anchors = anchors_of(steps.job, steps.machines, steps.numbers, several, devices.astype(np.int32))
    linked = [part for anchor in anchors if not anchor.every_batch for part in _by_links(anchor, steps.machines)]
    found = _carried(linked, batch, rate, rates)
    for anchor in anchors:
        if anchor.every_batch:
            found[anchor.rows] = anchor.rates[0]
    return found


def _by_links(anchor: Anchor, machines: Machines) -> list[Anchor]:
    """The anchor's machines by the links of their devices: within a part the model is the same."""
    links = machines.link_gb_s[anchor.rows] + 1j * machines.pcie_gb_s[anchor.rows]
    if np.all(links == links[0]):
        return [anchor]
    _, part = np.unique(links, return_inverse=True)
    return [replace(anchor, rows=anchor.rows[part == place]) for place in range(int(part.max()) + 1)]


def _carried(anchors: Sequence[Anchor], batch: Floats, rate: Floats, rates: Rates) -> Floats:
    """The rate with the gain of the measurements at stated batches over the model on each machine's own links."""
    if not anchors:
        return rate.copy()
    sizes = [len(anchor.batches) for anchor in anchors]
    rows = np.repeat([anchor.rows[0] for anchor in anchors], sizes).astype(np.int32)
    modelled = rates(rows, np.concatenate([anchor.batches for anchor in anchors]))
    curves = gain_curves(len(rate), anchors, np.split(modelled, np.cumsum(sizes)[:-1]))
    return rate * np.exp(curves.log_gain(batch))
