"""Where just this work was measured, the estimate is that measurement, and nearly so at neighbouring batches.

ln(measured ÷ modelled) is known at the measured batches. Between two of them it is interpolated in ln(batch); outside
it fades with the distance: weight exp(−(Δ ln batch ÷ ln 2)²), so that speed has no step anywhere. What is modelled is
never slower than another way that the software may run the work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.machines import Machines, Places
from plimsoll_service.engine.estimate.measured_anchors import Anchor, Curves, anchors_of, curves_of
from plimsoll_service.engine.estimate.other_ways import other_ways
from plimsoll_service.engine.estimate.outcome import take
from plimsoll_service.engine.estimate.pace import paced
from plimsoll_service.engine.estimate.precision import Arithmetic
from plimsoll_service.engine.estimate.roofline import Step, Terms, terms_of
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.models.profile import ModelProfile

Rates = Callable[[Ints, Floats], Floats]  # samples a second of machines (by row) at batches, as modelled


@dataclass(frozen=True, eq=False)
class Steps:
    """Steps on one device of each machine, as measured where they were."""

    job: Job
    profile: ModelProfile
    machines: Machines
    numbers: Arithmetic
    terms: Terms
    others: tuple[Steps, ...] = ()  # other ways to run it
    curves: Curves | None = None
    fixed: Floats | None = None  # samples a second whatever the batch, where the measured one is not stated; else NaN

    def take(self, rows: Ints | Places) -> Steps:
        """The given machines, in that order."""
        curves = None if self.curves is None else self.curves.of_rows(rows)
        fixed = None if self.fixed is None else self.fixed[rows]
        numbers, terms = take(self.numbers, rows), take(self.terms, rows)
        others = tuple(way.take(rows) for way in self.others)
        return Steps(self.job, self.profile, self.machines.take(rows), numbers, terms, others, curves, fixed)

    def rate(self, batch: Floats) -> Floats:
        """Samples a second of one device."""
        rates: Floats = batch / self.step(batch).seconds
        return rates

    def step(self, batch: Floats) -> Step:
        """A step of ``batch`` samples on one device."""
        one = self.terms.step(batch)
        for other in self.others:
            one = _faster(one, other.step(batch))
        if self.curves is not None:
            one = replace(one, seconds=one.seconds / np.exp(self.curves.log_gain(batch)))
        if self.fixed is not None:
            one = replace(one, seconds=np.where(np.isnan(self.fixed), one.seconds, batch / self.fixed))
        return one


def _faster(one: Step, other: Step) -> Step:
    """On each machine the faster of two steps."""
    less = other.seconds < one.seconds
    return Step(
        np.where(less, other.seconds, one.seconds),
        np.where(less, other.bottleneck, one.bottleneck).astype(np.int32),
        np.where(less, other.at_once, one.at_once),
    )


def steps_of(
    job: Job, profile: ModelProfile, machines: Machines, numbers: Arithmetic, batches: Sequence[float] = ()
) -> Steps:
    """The steps of every machine; inference at an unstated batch was at the best of ``batches``."""

    def run(way: Job) -> Steps:
        return _in_one_way(way, profile, machines, paced(way, profile, machines), batches)

    return _in_one_way(job, profile, machines, numbers, batches, tuple(run(way) for way in other_ways(job)))


def _in_one_way(
    job: Job,
    profile: ModelProfile,
    machines: Machines,
    numbers: Arithmetic,
    batches: Sequence[float],
    others: tuple[Steps, ...] = (),
) -> Steps:
    """The steps as the job says, or as in the faster of the ``others``, and as measured where they were."""
    plain = Steps(job, profile, machines, numbers, terms_of(job, profile, machines, numbers), others)
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
        curves = curves_of(len(machines), stated, modelled)
    if not unstated or not job.training:
        return replace(plain, curves=curves)
    fixed = np.full(len(machines), np.nan)
    for anchor in unstated:
        fixed[anchor.rows] = anchor.rates[0]
    return replace(plain, curves=curves, fixed=fixed)


def _at_every(plain: Steps, anchor: Anchor, batches: Sequence[float]) -> Anchor:
    """The anchor at all batches, each gaining what the best one gains."""
    tried = np.array(batches)
    modelled = _modelled(plain, [anchor.rows[:1]], [tried])[0]
    return replace(anchor, batches=tried, rates=modelled * anchor.rates[0] / np.max(modelled), every_batch=False)


def _modelled(plain: Steps, rows: Sequence[Ints], batches: Sequence[Floats]) -> list[Floats]:
    """Samples a second of one device of each row at its batches."""
    flat = np.concatenate([np.full(len(sizes), row[0]) for row, sizes in zip(rows, batches, strict=True)])
    rates = plain.take(flat).rate(np.concatenate(batches))
    return np.split(rates, np.cumsum([len(sizes) for sizes in batches])[:-1])


def together(steps: Steps, devices: Floats, nodes: Floats, batch: Floats, rate: Floats, rates: Rates) -> Floats:
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
    """The anchor's machines parted by what joins their devices: within a part the model makes the same of them."""
    links = machines.link_gb_s[anchor.rows] + 1j * machines.pcie_gb_s[anchor.rows]
    if np.all(links == links[0]):
        return [anchor]
    _, part = np.unique(links, return_inverse=True)
    return [replace(anchor, rows=anchor.rows[part == place]) for place in range(int(part.max()) + 1)]


def _carried(anchors: Sequence[Anchor], batch: Floats, rate: Floats, rates: Rates) -> Floats:
    """The rate with what the measurements at stated batches gain over the model on each machine's own links."""
    if not anchors:
        return rate.copy()
    sizes = [len(anchor.batches) for anchor in anchors]
    rows = np.repeat([anchor.rows[0] for anchor in anchors], sizes).astype(np.int32)
    modelled = rates(rows, np.concatenate([anchor.batches for anchor in anchors]))
    curves = curves_of(len(rate), anchors, np.split(modelled, np.cumsum(sizes)[:-1]))
    carried: Floats = rate * np.exp(curves.log_gain(batch))
    return carried
