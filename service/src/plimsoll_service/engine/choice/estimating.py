"""From a job and candidates to outcomes, the machines of a day's load, and the disks that they order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ..clusters import UNSAID, Drives, OwnDrives, Splits
from ..columns import Lazy, changed, columnar, groups_of_pairs, take
from ..demand.job import Job
from ..estimate import work
from ..estimate.input.disk_orders import Ceilings, Orders, VolumePrices, ceilings, ceilings_of, volume_prices
from ..estimate.input.disks import disk_need, own_drives
from ..estimate.job_time import checkpoint_size_gib, model_bytes
from ..estimate.outcome import Outcome
from ..estimate.serving.loads import NEAR
from ..hardware import Disks, Floats, Ints, Places
from ..machines import Machines
from ..spreads import CALIBRATED, MEASURED
from ..units import HOURS_PER_DAY, SECONDS_PER_HOUR
from .candidates import Candidates
from .software import Grounds

Sized = Callable[[Job], tuple[Outcome, Floats]]  # outcome and machines of a job, by its rate


@columnar
class Day:
    """Machines of each candidate in each hour, spare ones included: an array (24, candidates)."""

    nodes: Floats
    share: Floats  # machine-hours that are paid, over those of the peak all day

    def starts(self) -> Floats:
        """Machines of each candidate that are switched on in the course of the day."""
        return _starts(self.nodes)


@columnar
class Estimates:
    """Candidates with their outcome, machines needed, and the volume product that each would order."""

    machines: Machines  # one row a candidate
    nodes: Floats
    outcome: Outcome
    product: Ints  # row of the catalog's disks; -1 where the cloud's are unknown
    orders: Orders
    grounds: Grounds  # whether the software runs there
    day: Day | None  # the machines by hour, of a service with a day's load
    disk_usd_per_hour: Floats  # of one machine; unknown before disks are ordered

    def with_disks(self, rows: Places | None = None) -> Estimates:
        """With their disks; where only some rows are worth it, those of others are unknown."""
        found = self.orders.of(self.outcome, rows)
        outcome = self.outcome.changed(disk=changed(self.outcome.disk, size_gib=found.size_gib))
        return changed(self, outcome=outcome, disk_usd_per_hour=found.usd_per_hour)


@columnar
class Offered:
    """Disks that the candidates may order.

    Volumes of each product and share of the work, and the ones of each kind of disks beside the machine's own.
    """

    terms: VolumePrices  # a row for each kind of disks
    own: OwnDrives
    nodes: Floats
    volume: Places
    ceilings: Ceilings  # a row for each volume
    sharing: Floats  # machines that share the work


def offered_of(candidates: Candidates, disks: Disks) -> Offered:
    """Disks that these candidates may order, whatever the job."""
    rows = candidates.volumes.rows
    product, described, nodes = candidates.product[rows], candidates.described[rows], candidates.nodes[rows]
    alike = groups_of_pairs((product + 1) * 2 + described, nodes)
    some, owned = product[alike.rows], described[alike.rows]
    known = ceilings(disks, some, owned) if owned.any() else ceilings_of(disks, some)
    own = own_drives(candidates.machines.take(rows), (product < 0) & ~described)
    return Offered(take(volume_prices(disks), product), own, nodes, alike.of, known, nodes[alike.rows])


@columnar
class Prepared:
    """Values that depend only on the kind of work and the candidates."""

    candidates: Candidates
    offered: Offered
    estimate: work.Prepared

    def drives(self, job: Job) -> Drives:
        """The disks to choose from."""
        plain = job.feed is None and not job.answer_bytes
        return self._without_data if plain else _drives(job, self.candidates, self.offered)

    @cached_property
    def _without_data(self) -> Drives:
        """Those of work without data, which no amounts decide."""
        return _drives(self.estimate.job, self.candidates, self.offered)


def prepared_of(job: Job, candidates: Candidates, disks: Disks, splits: Splits = UNSAID) -> Prepared:
    """The candidates with their disks and the part of their estimate that no amounts decide."""
    estimate = work.prepare(job, candidates.machines, candidates.fixed_nodes, splits)
    return Prepared(candidates, offered_of(candidates, disks), estimate)


def estimates_of(job: Job, known: Prepared, splits: Splits = UNSAID) -> Estimates:
    """The estimates of all candidates; their number of machines, which is given, includes spare ones."""
    machines, plan = known.candidates.machines, _planned(job, known.estimate)
    if not job.workload.spare_replicas and job.workload.requests_per_second_by_hour is None:
        return estimated_of(job, known, plan).with_disks()
    outcome, nodes = work.estimate(job, known.estimate, plan, known.drives(job))
    spare = np.minimum(spare_nodes(job, outcome, nodes), nodes - 1)  # one machine has nothing to spare
    at_work = replace(known, estimate=work.prepare(job, machines, nodes - spare, splits))
    by_rate = work.prepare(job, machines, None, splits)
    sizing = by_rate, _planned(job, by_rate)
    return estimated_of(job, at_work, _planned(job, at_work.estimate), spare=spare, by_rate=sizing).with_disks()


def _planned(job: Job, prepared: work.Prepared) -> Any:
    return work.plan(prepared, work.plan_key(job, prepared))


def outcome_of(job: Job, candidates: Candidates, disks: Disks, splits: Splits = UNSAID) -> Outcome:
    """The outcome of the candidates at work, without spare machines or the hours of a day."""
    known = prepared_of(job, candidates, disks, splits)
    return work.estimate(job, known.estimate, _planned(job, known.estimate), known.drives(job))[0]


def estimated_of(
    job: Job, known: Prepared, plan: Any, *,
    spare: Floats | None = None, by_rate: tuple[work.Prepared, Any] | None = None,
) -> Estimates:  # fmt: skip
    """Estimate the candidates, before their disks are ordered.

    ``spare``: machines beside those at work, where they are given; ``by_rate``: what sizes the machines of an hour,
    where ``known`` does not.
    """
    drives, those, machines = known.drives(job), known.candidates, known.estimate.machines
    outcome, nodes = work.estimate(job, known.estimate, plan, drives)
    if spare is None:
        spare = spare_nodes(job, outcome, nodes)
    sizing = by_rate or (known.estimate, plan)
    day = day_of(job, nodes, spare, outcome, lambda at: work.estimate(at, *sizing, drives))
    orders = Orders(known.offered.terms, drives, reads=job.feed is not None)
    outcome = with_spares(outcome, nodes, spare)
    nothing = np.full(len(nodes), np.nan)
    machines, product = _by_load(machines, outcome), those.product
    return Estimates(machines, nodes + spare, outcome, product, orders, those.grounds, day, nothing)


def _by_load(machines: Machines, outcome: Outcome) -> Machines:
    """The machines whose estimate is not called measured where its load is far from the measured ones."""
    if outcome.serving is None:
        return machines
    far = outcome.serving.load[:] > NEAR * outcome.serving.measured_load[:]
    if not far.any():
        return machines

    def nearest(basis: Ints) -> Ints:
        return np.where(far & (basis == MEASURED), np.int32(CALIBRATED), basis)

    return machines.changed(basis=nearest(machines.basis), shown_basis=nearest(machines.shown_basis))


def _drives(job: Job, those: Candidates, offered: Offered) -> Drives:
    size = disk_need(job, offered.sharing, model_bytes(job), checkpoint_size_gib(job)).size_gib
    volume = offered.ceilings.limits(offered.ceilings.largest_gib(size))
    return Drives(take(volume, offered.volume), offered.own, offered.nodes, those.volumes.of)


def day_of(job: Job, nodes: Floats, spare: Floats, outcome: Outcome, sized: Sized) -> Day | None:
    """The day of each candidate, with ``nodes`` machines at the peak and ``spare`` ones; ``None`` where none is stated.

    Each hour has the machines that its own rate takes. A machine that starts for an hour is paid from its cold start
    on, but for no longer than it would cost to leave it running.
    """
    rates = job.workload.requests_per_second_by_hour
    if rates is None or outcome.cold_start is None:
        return None
    by_rate = {rate: _needed(job, rate, nodes, sized) for rate in set(rates)}
    by_hour = np.stack([by_rate[rate] for rate in rates])
    started = _starts(by_hour)
    early = np.minimum(outcome.cold_start.seconds[:] / SECONDS_PER_HOUR, 1.0)
    paid = by_hour.sum(axis=0) + started * early + HOURS_PER_DAY * spare
    whole = HOURS_PER_DAY * (nodes + spare)
    share = np.divide(paid, whole, out=np.ones(len(whole)), where=np.isfinite(whole))
    return Day(by_hour + spare, np.minimum(share, 1.0))


def _starts(by_hour: Floats) -> Floats:
    """Machines that start in a day; where no number of them is enough in two hours on end, none starts between."""
    before = np.roll(by_hour, 1, axis=0)
    more: Floats = np.subtract(by_hour, before, out=np.zeros(by_hour.shape), where=by_hour > before)
    started: Floats = more.sum(axis=0)
    return started


def _needed(job: Job, rate: float, most: Floats, sized: Sized) -> Floats:
    """Machines for one hour's rate: none without requests, and never more than at the peak."""
    if rate == 0:
        return np.zeros(len(most))
    _, nodes = sized(asking(job, requests_per_second=rate))
    return np.minimum(nodes, most)


def asking(job: Job, **others: Any) -> Job:
    """Return the job with other values of its workload."""
    workload = replace(job.workload, **others)
    return replace(job, workload=workload, query=replace(job.query, workload=workload))


def spare_nodes(job: Job, outcome: Outcome, nodes: Floats) -> Floats:
    """Whole machines for the spare replicas: as many as hold them, or as one replica takes."""
    spare = float(job.workload.spare_replicas or 0)
    if spare == 0:
        return np.zeros(len(nodes))
    return np.ceil(spare / replicas_per_node(outcome, nodes))


def replicas_per_node(outcome: Outcome, nodes: Floats) -> Floats:
    """Replicas of one machine; of models counted in samples the machine with all its devices is one."""
    if outcome.serving is None:
        return np.ones(len(nodes))
    return outcome.serving.replicas[:] / np.maximum(nodes, 1.0)


def with_spares(outcome: Outcome, nodes: Floats, spare: Floats) -> Outcome:
    """The outcome with spare machines' replicas counted; they carry no load."""
    if outcome.serving is None or not spare.any():
        return outcome
    serving, each = outcome.serving, replicas_per_node(outcome, nodes)
    replicas = Lazy(lambda rows: serving.replicas[rows] + spare[rows] * each[rows])
    return outcome.changed(serving=changed(serving, replicas=replicas))
