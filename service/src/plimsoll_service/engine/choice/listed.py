"""The options that may come first, and what a difference between two of them is worth."""

from __future__ import annotations

import numpy as np

from ..columns import columnar
from ..demand import kind
from ..demand.job import Job
from ..hardware import Flags, Floats, Places
from ..rules import Remark
from .scores import Scored, best_of
from .selection import Selection

# Each figure is a decision of this project, with its reason in the rule of that name.
# Rule: simpler-first. A tenth is less than any estimate is sure of, a twentieth less than clouds differ in the price of
# one machine, a USD less than the minutes that another machine takes; half the machines take twice as long.
SEVERAL_SAVE, TENTH, NOTICEABLE_USD, FEWER, SLOWER, HALVED = 2 / 3, 1.1, 1.0, 2.0, 1.5, 2.02
DEAREST = 1.5  # times the best one's cost, however few USD that is
UNHURRIED_HOURS = 48.0  # for which a job without a deadline may run to take fewer machines
# Rule: equal-costs. An answer hardly shows so little.
EQUAL = 1.01
# Rule: as-good-first. A gain of a twentieth of the cost, or a tenth of the time, is less than any estimate is sure of.
AS_GOOD, THIRD_MORE, TWICE_AS_FAST = 1.05, 4 / 3, 1.98  # to a hundredth: twice the devices take not quite half the time
# What two minutes of an engineer cost, at 110 USD an hour (S4-16), is not waited for; an hour saved costs no more than
# the minute in which an engineer looks after the run.
LITTLE_USD, HOUR_WAITED_USD = 3.0, 110 / 60
# A process of XGBoost works on one GPU; several take Dask or Spark, which start and join as many (dmlc/xgboost,
# doc/gpu/index.rst and doc/tutorials/dask.rst, read on 2026-11-28).
A_PROCESS_A_DEVICE = "xgboost"
APART = (*kind.INFERENCE_KINDS, kind.PREPROCESSING)  # kinds of work whose machines exchange nothing


def apart(job: Job) -> bool:
    """Return whether the machines of the work exchange nothing."""
    return job.kind in APART or job.experiments > 1


def too_late(job: Job, time: Floats, best: int) -> Flags:
    """Which options of a job under ``cost`` take too long beside the best one: those in time are not, where one is set.

    A deadline is met at the high end of the range, or the option is not listed. Else two days are bearable, and twice
    the time.
    """
    if job.workload.deadline_hours is not None:
        return np.zeros(len(time), dtype=bool)
    late: Flags = time > max(HALVED * time[best], UNHURRIED_HOURS)
    return late


@columnar
class Listed:
    """The listed options, by the places where they stand in ``Scored``; ``best`` is the best one's position here."""

    places: Places
    rows: Places  # of the options
    best: int
    scores: Floats
    cost: Floats  # expected
    counted: Floats  # that, with what disks of an unknown price count
    time: Floats  # expected
    machines: Floats
    nodes: Floats  # these, or processes that are started one by one
    devices: Floats  # of all machines
    premium: Floats
    starting: Floats  # as in ``Expected``
    untested: Flags
    known: Flags  # software and estimate, and one machine at the most of a marketplace
    proven: Flags  # no less than the best one, nor is the price of its disk, or that it stays
    may_leave: Flags  # as those, but that it stays is less certain: a host of a marketplace
    no_larger: Flags  # in no more machines than the best one
    least: Floats  # what the best one counts, or the one with the best score, which a rule has put behind it

    def near(self, times: float, usd: float = 0.0, dearest: float = np.inf) -> Flags:
        """Which options count at most that many times as much as the best one, or few USD more.

        Where a rule has put that one first, they count so little more than the one with the best score, or no more than
        the one that is first: what several rules allow does not add up. What that rule itself would have put first is
        compared with the one that it did put there. Rule: as-good-first.
        """
        best = self.counted.item(self.best)
        least = np.minimum(self.least, best)
        little = np.maximum(times * least, np.minimum(least + usd, dearest * least))
        near: Flags = self.counted <= np.maximum(little, best)
        return near


def listed_of(job: Job, chosen: Selection, found: Scored, least: Floats | float = np.inf) -> Listed:
    """The options that may come first; ``least``: what each one's count is held against, if less than the best's."""
    places = found.listed.nonzero()[0]
    best = int(np.searchsorted(places, best_of(job, chosen, found, places)))
    rows, premium = found.rows[places], found.expected.premium[places]
    candidates, listings = chosen.options.candidate[rows], chosen.options.priced.listings[rows]
    nodes, untested = chosen.estimates.nodes[candidates], chosen.estimates.grounds.untested[candidates]
    devices = nodes * chosen.estimates.outcome.devices_used[candidates]
    machines, disk, spread = nodes, found.expected.disk[places], _of_fewest_disks(job, chosen, found, places)
    if job.kind == kind.TABULAR_TRAINING and job.learner == A_PROCESS_A_DEVICE:
        has_device = chosen.estimates.machines.accelerator[candidates] >= 0
        nodes = np.maximum(np.where(has_device, devices, devices[best]), nodes)  # processors are slower, not simpler
    # What is not known of a machine's own price is in its expected cost.
    certain = (premium <= premium[best]) & (untested <= untested[best])
    certain &= disk * spread <= max(disk[best] * spread[best], AS_GOOD)
    leaving = listings > listings[best]
    return Listed(
        places, rows, best, found.scores[places] * spread, found.expected.cost[places],
        found.expected.counted_cost[places] * spread, found.expected.time[places],
        machines, nodes,
        devices=devices,
        premium=premium,
        starting=found.expected.starting[places],
        untested=untested,
        known=found.expected.proven[places],
        proven=certain & ~leaving,
        may_leave=certain & leaving,
        no_larger=nodes <= nodes[best],
        least=np.broadcast_to(least, len(places)),
    )  # fmt: skip


def _of_fewest_disks(job: Job, chosen: Selection, found: Scored, places: Places) -> Floats:
    """What each option counts where its disk of unknown price counts as with any number of its machines, over that.

    Fewer machines hold more data each, and for longer: but no large disk is bought for data that can be read in parts.
    Where a deadline leaves no time for that, a disk that counts more than a third of the cost counts in full.
    """
    disk = found.expected.disk[places]
    if job.serves or not apart(job) or disk.max() <= 1:
        return np.ones(len(places))
    priced, rows = chosen.options.priced, found.rows[places]
    of_type = priced.machine_row[rows] * priced.purchases + chosen.options.purchase[rows]
    least = np.full(int(of_type.max()) + 1, np.inf)
    np.minimum.at(least, of_type, disk)
    in_parts = (disk <= THIRD_MORE) | (job.workload.deadline_hours is None)
    fewest: Floats = np.where(in_parts, least[of_type] / disk, 1.0)
    return fewest


# What a step may put before the best option, and why; without a reason, for being simpler.
Step = tuple[Flags, Remark | None]
NOBODY: Step = (np.zeros(1, dtype=bool), None)
