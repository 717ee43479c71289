"""Options: candidates × purchase options, with the cost and time of each.

Cost = machines × (price + disk) × time, in the steps that are billed, and the price of moving the data. On spot, the
time is the expected time with interruptions.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..columns import EVERY, Column, Lazy, changed, columnar, with_rows
from ..demand.job import Job
from ..estimate.job_time import checkpoint_slowdown
from ..estimate.spot import Interruptions
from ..hardware import SPOT, Flags, Floats, Ints, Places, known_or
from ..units import MILLION, MINUTES_PER_HOUR, SECONDS_PER_HOUR, TINY
from .estimating import Estimates
from .priced_options import Charges, PricedOptions
from .staging import Staging, moved_again, restaging_hours, staged_anew

Array = TypeVar("Array", bound=NDArray[Any])
Rows: TypeAlias = Places | slice


@columnar
class Options:
    """One row per priced option. For serving, ``cost`` is USD per hour (if the load is given) or per million."""

    priced: PricedOptions
    candidate: Places  # row of Estimates
    purchase: Ints
    offer: Ints  # row of the market's offers; -1 for own machines, or without a price
    usd_per_hour: Floats  # of one machine; NaN without a price
    disk_usd_per_hour: Floats  # of one machine, in the offer's region
    whole_usd_per_hour: Floats  # all machines with their disks
    charges: Charges
    hours: Floats
    hours_low: Column  # both ends are computed on request
    hours_high: Column
    cost: Floats
    cost_low: Column
    cost_high: Column
    interruptions_per_hour: Floats  # of the whole candidate; 0 on demand
    interval_hours: Floats  # of work between checkpoints on spot; NaN on demand
    restarts: Floats
    staging: Staging | None  # of data whose place is stated; part of hours and cost

    def __len__(self) -> int:
        return len(self.candidate)

    def each(self, column: Array) -> Array:
        """Return a column of the candidates as a column of the options."""
        return self.priced.each(column)


@columnar
class _Runs:
    """Hours as estimated and at both ends, with the estimated work between checkpoints and restarts."""

    hours: Floats
    hours_low: Column
    hours_high: Column
    interval_hours: Floats
    restarts: Floats


def _each_later(column: Column, priced: PricedOptions) -> Column:
    """Column of the candidates as a column of the options, in the requested rows."""
    if priced.purchases == 1:
        return column
    return Lazy(lambda rows: priced.each(column[:]) if isinstance(rows, slice) else column[priced.candidate[rows]])


def options_of(
    job: Job, estimates: Estimates, priced: PricedOptions, possible: Flags, staging: Staging | None = None
) -> Options:
    """Return time and cost of the options; with interruptions only for candidates that are ``possible`` at all."""
    nodes = priced.each(estimates.nodes)
    disk = priced.each(estimates.disk_usd_per_hour) * priced.disk_factor
    whole = nodes * (priced.usd_per_hour + disk)
    per_hour = nodes * priced.interruptions_per_hour if priced.on_spot else priced.interruptions_per_hour
    outcome = estimates.outcome
    runs = _staged(_runs(job, estimates, priced, per_hour, _interruptible(priced, possible), staging), staging)
    hourly = whole if estimates.day is None else whole * priced.each(estimates.day.share)
    moving = None if staging is None else staging.usd + runs.restarts * restart_usd(job, estimates, priced, staging)
    charges = Charges(hourly, priced.billed, moving)

    def cost_at(hours: Column, rate: Column) -> Column:
        each = _each_later(rate, priced)
        return Lazy(lambda rows: cost_of(job, charges, hours, each, rows))

    return Options(
        priced=priced,
        candidate=priced.candidate,
        purchase=priced.purchase,
        offer=priced.offer,
        usd_per_hour=priced.usd_per_hour,
        disk_usd_per_hour=disk,
        whole_usd_per_hour=whole,
        charges=charges,
        **vars(runs),
        cost=cost_of(job, charges, runs.hours, _each_later(outcome.throughput, priced)),
        cost_low=cost_at(runs.hours_low, outcome.throughput_high),  # a high rate makes a low cost
        cost_high=cost_at(runs.hours_high, outcome.throughput_low),
        interruptions_per_hour=per_hour,
        staging=staging,
    )


def _staged(runs: _Runs, staging: Staging | None) -> _Runs:
    """The runs after their data have been staged."""
    if staging is None:
        return runs
    extra, low, high = staging.hours, runs.hours_low, runs.hours_high
    return changed(
        runs,
        hours=runs.hours + extra,
        hours_low=Lazy(lambda rows: low[rows] + extra[rows]),
        hours_high=Lazy(lambda rows: high[rows] + extra[rows]),
    )


def _interruptible(priced: PricedOptions, possible: Flags) -> Places:
    """Available rows on spot, of candidates that can run the work."""
    if not priced.on_spot:
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero((priced.purchase == SPOT) & priced.each(possible) & priced.available)


def restart_usd(job: Job, estimates: Estimates, priced: PricedOptions, staging: Staging) -> Floats:
    """Return the price at which each option moves the data of one machine again, after an interruption."""
    candidate = priced.candidate.astype(np.intp)
    return staging.usd * moved_again(job, estimates.nodes, estimates.outcome, candidate, priced.volumes_stay)


def _runs(
    job: Job, estimates: Estimates, priced: PricedOptions, per_hour: Floats, rows: Places, staging: Staging | None
) -> _Runs:
    """Hours of each option as estimated and at both ends; with interruptions in ``rows``, which are on spot."""
    outcome = estimates.outcome
    if not len(rows):
        low, high = _each_later(outcome.hours_low, priced), _each_later(outcome.hours_high, priced)
        return _Runs(priced.each(outcome.hours), low, high, np.full(len(priced), np.nan), np.zeros(len(priced)))
    minutes = job.workload.checkpoint_interval_minutes
    write, start, restart = _standing(job, estimates, priced, rows, staging)
    interval_hours = None if minutes is None else minutes / MINUTES_PER_HOUR
    met = Interruptions(write, restart, per_hour[rows], interval_hours, start)
    every = [priced.each(hours[:]) for hours in (outcome.hours, outcome.hours_low, outcome.hours_high)]
    runs = [met.over(_work_alone(job, hours[rows], write, start)) for hours in every]
    interval, restarts = np.full(len(priced), np.nan), np.zeros(len(priced))
    interval[rows], restarts[rows] = runs[0].interval_hours, runs[0].restarts
    hours, low, high = (with_rows(alone, rows, run.hours) for alone, run in zip(every, runs, strict=True))
    return _Runs(hours, low, high, interval, restarts)


@columnar
class SpotParts:
    """Hours of runs on spot: work alone, one checkpoint, the first start without staging, one restart."""

    work: Floats
    write: Floats
    start: Floats
    restart: Floats


def spot_parts(job: Job, estimates: Estimates, options: Options, rows: Places) -> SpotParts:
    """Return the parts of the runs in these rows of the options."""
    write, start, restart = _standing(job, estimates, options.priced, rows, options.staging)
    hours = estimates.outcome.hours[options.candidate[rows]]  # on demand; they include a share of writing
    return SpotParts(_work_alone(job, hours, write, start), write, start, restart)


def _standing(
    job: Job, estimates: Estimates, priced: PricedOptions, rows: Places, staging: Staging | None
) -> tuple[Floats, Floats, Floats]:
    """Hours of one checkpoint, of the first start, and of a restart, which stages weights and data anew."""
    candidate = priced.candidate[rows].astype(np.intp)
    outcome, machines = estimates.outcome, estimates.machines
    started = machines.boot_seconds if outcome.start_seconds is None else outcome.start_seconds
    start = started[candidate] / SECONDS_PER_HOUR
    stay = priced.volumes_stay[rows]
    again = restaging_hours(job, machines, estimates.nodes, outcome, candidate, stay)
    if staging is not None:  # from where the data lie, they come no faster than for the first start
        again = np.fmax(again, staging.hours[rows] * staged_anew(job, outcome, candidate, stay))
    return known_or(outcome.checkpoint_hours[candidate]), start, start + again


def _work_alone(job: Job, hours: Floats, write: Floats, start: Floats) -> Floats:
    return np.maximum(hours - start, 0.0) / checkpoint_slowdown(job, write * SECONDS_PER_HOUR)


def cost_of(job: Job, charges: Charges, hours: Column, rate: Column, rows: Rows = EVERY) -> Floats:
    """Return the cost: USD of a job, USD per hour of serving at a given load, else USD per million.

    Only the deciding column is computed.
    """
    if job.serves and fixed_load(job):
        return charges.usd_per_hour[rows]
    if not job.serves and not np.isnan(job.samples):
        return charges.job_usd(hours[rows], rows)
    return per_million(charges.usd_per_hour[rows], rate[rows])


def fixed_load(job: Job) -> bool:
    """Whether the load of a service is given, so that its machines decide the cost."""
    return job.workload.requests_per_second is not None or job.workload.concurrency is not None


def per_million(usd_per_hour: Floats, per_second: Floats) -> Floats:
    """Return USD per million units at that rate."""
    return usd_per_hour / (np.maximum(per_second, TINY) * SECONDS_PER_HOUR) * MILLION
