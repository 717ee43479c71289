"""Expected cost and time of options: means under their uncertainty, and the premium on what nothing proves.

A figure with a range is taken as log-normal, with low and high as its 10th and 90th percentiles. Its mean is
value × exp(σ² / 2), with σ = ln(high / low) / 2.563.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..columns import Lazy, columnar
from ..demand import kind
from ..demand.host_process import INFERENCE_VCPUS
from ..demand.job import Job
from ..estimate.input.pipeline import REQUESTS, THROUGHPUT
from ..hardware import Flags, Floats, Places
from ..units import HOURS_PER_MONTH, TINY
from .estimating import Estimates
from .options import Options, fixed_load

DECILES = 2.563  # standard deviations between the 10th and the 90th percentile of a normal distribution
# An untried machine is taken only where it saves a fifth: 1 / 1.25 = 0.8. Rule: unproven.
UNPROVEN = 1.25
FEW_LISTINGS = 2.0  # of a marketplace, which may be had at once; each doubling beyond must save a fifth. Rule: unproven
# Below half of the vCPUs that the work needs there is no measurement: S3 goes down to 2 per device, where 4 are enough.
# An option counts as many times as its machine would have to be larger to have half, less what the estimate has of it:
# a device that cannot be fed makes a machine no worse than one without it. Inference needs 2 per device, so that its
# devices count in full. Rule: starved.
FEW_VCPUS = 0.5
# USD per GiB and month that the ranking counts for a disk of unknown price: the median of the SSD volumes that the
# five clouds in catalog/figures/disks.csv sell by default. Rule: disk-price-unknown.
UNKNOWN_DISK_USD = 0.081


@columnar
class Expected:
    """Means of the options that may be chosen; ``premium`` is 1.25 where nothing proves the estimate, else 1.

    On a marketplace, it is 1.25 times that for a service under load, and for each doubling of more than two listings.
    """

    cost: Floats
    time: Floats  # hours of a job, latency of a service in ms, hours per unit of work without an end
    hours: Floats  # of a job; NaN for all other work
    usd_per_rate: Lazy  # USD per hour over the throughput
    premium: Floats
    proven: Flags  # whether the estimate is, and the machines can be had: without the doubt that they stay
    starved: Floats  # half of the vCPUs needed over those provided, beside what the devices lose; at least 1
    leaving: Floats | float  # 1.25 where the data are moved to another continent, else 1
    disk: Floats  # cost with the disk over the cost without it, where its price is unknown; else 1

    @cached_property
    def doubt(self) -> Floats:
        """What each option counts beside its expected cost and time."""
        return self.premium * self.starved * self.leaving

    @cached_property
    def counted_cost(self) -> Floats:
        """The cost that the ranking counts."""
        return self.cost * self.disk * self.doubt


@np.errstate(divide="ignore", invalid="ignore")  # nothing costs nothing at both ends
def mean_factor(low: Floats, high: Floats) -> Floats:
    """Return the mean of a log-normal figure over its median, from its 10th and 90th percentiles."""
    sigma = np.log(high / low) / DECILES
    factor = np.exp(sigma * sigma / 2)
    return np.where(np.isfinite(factor), factor, 1.0)


def of_price(options: Options, rows: Places) -> Floats:
    """Return the mean of the price over the stated one; 1 where the price is certain."""
    return options.priced.price_factor[rows]


def expected_cost(options: Options, rows: Places) -> Floats:
    """Return the expected cost of the options in these rows, in the unit of ``options.cost``."""
    moving = options.charges.moving(rows)  # a list price, which has no range
    factor = mean_factor(options.cost_low[rows] - moving, options.cost_high[rows] - moving)
    return (options.cost[rows] - moving) * factor * of_price(options, rows) + moving


def expected_of(job: Job, estimates: Estimates, options: Options, rows: Places) -> Expected:
    """Return the means of the options in these rows."""
    candidates = options.candidate[rows]
    timed = not job.serves and not np.isnan(job.samples)
    if timed:
        shortest, longest = options.hours_low[rows], options.hours_high[rows]
        time = options.hours[rows] * mean_factor(shortest, longest)
        cost = _job_cost(options, rows, shortest, longest, time)
    else:
        time, cost = _time(job, estimates, candidates), expected_cost(options, rows)
    unknown = _unknown_disks(estimates, candidates)
    supported = proven(estimates, candidates)
    if job.feed is not None:  # an assumed disk that sets the pace rests on no measurement
        few = unknown[supported[unknown]]
        limit = estimates.outcome.bottleneck[candidates[few]]
        supported[few] = (limit != THROUGHPUT) & (limit != REQUESTS)
    listings, nodes = options.priced.listings[rows], estimates.nodes[candidates]
    supported &= ~(listings & (nodes > 1))
    premium = np.where(supported, 1.0, UNPROVEN)
    fleet = listings & (nodes > FEW_LISTINGS)
    premium[fleet] *= UNPROVEN ** np.log2(nodes[fleet] / FEW_LISTINGS)
    if job.serves and fixed_load(job):
        premium[listings] *= UNPROVEN
    return Expected(
        cost=cost,
        time=time,
        hours=time if timed else np.full(len(time), np.nan),
        usd_per_rate=Lazy(lambda some: _usd_per_rate(estimates, options, rows[some], candidates[some])),
        premium=premium,
        proven=supported,
        starved=_starved(job, estimates, candidates),
        leaving=1.0 if options.staging is None else options.staging.leaving[rows],
        disk=_with_disk(estimates, options, rows, candidates, unknown),
    )


def _starved(job: Job, estimates: Estimates, candidates: Places) -> Floats:
    """How many times each machine counts for its few vCPUs, beside the time that its devices lose for want of input."""
    few, lost = _least_vcpus(job, estimates, candidates), estimates.outcome.lost_share
    if lost is not None:
        few = few * (1 - lost[candidates])
    return np.fmax(few / estimates.machines.vcpus[candidates], 1.0)


def _least_vcpus(job: Job, estimates: Estimates, candidates: Places) -> Floats:
    """The vCPUs below which a machine counts as starved: half of those needed, and two for each device of inference."""
    needed = estimates.outcome.vcpus_required[candidates]
    if job.kind not in kind.INFERENCE_KINDS:
        return FEW_VCPUS * needed
    each = INFERENCE_VCPUS * estimates.machines.devices[candidates]
    return np.fmax(FEW_VCPUS * needed, np.fmin(needed, each))


def _unknown_disks(estimates: Estimates, candidates: Places) -> Places:
    """Places of rented machines whose volumes have no known price, nor a known speed."""
    few = (estimates.product[candidates] < 0).nonzero()[0]
    own = estimates.machines.owned[candidates[few]]
    unknown: Places = few[~(own | estimates.outcome.local_disk[candidates[few]])]
    return unknown


def _with_disk(estimates: Estimates, options: Options, rows: Places, candidates: Places, unknown: Places) -> Floats:
    """Cost with the disk over the cost without it, of machines whose disk has no known price."""
    factor, some = np.ones(len(rows)), candidates[unknown]
    usd = estimates.nodes[some] * estimates.outcome.disk.size_gib[some] * (UNKNOWN_DISK_USD / HOURS_PER_MONTH)
    factor[unknown] += usd / options.whole_usd_per_hour[rows[unknown]]
    return factor


def _job_cost(options: Options, rows: Places, shortest: Floats, longest: Floats, time: Floats) -> Floats:
    """Expected cost of a job of that expected time: the same as ``expected_cost``, and found sooner.

    Where the hours are billed as they are, also the ``shortest``, the cost has the same mean over its middle as they.
    """
    if options.staging is not None:
        return expected_cost(options, rows)
    cost: Floats = options.cost[rows] * (time / options.hours[rows]) * of_price(options, rows)
    few = options.charges.billed.rounds(shortest, rows).nonzero()[0]
    if len(few):
        some = rows[few]
        low, high = (options.charges.job_usd(hours[few], some) for hours in (shortest, longest))
        cost[few] = options.cost[some] * mean_factor(low, high) * of_price(options, some)
    return cost


def _usd_per_rate(estimates: Estimates, options: Options, rows: Places, candidates: Places) -> Floats:
    outcome = estimates.outcome
    factor = mean_factor(outcome.capacity_low[candidates], outcome.capacity_high[candidates])
    rate = np.maximum(outcome.capacity[candidates], TINY)
    return options.whole_usd_per_hour[rows] * of_price(options, rows) * factor / rate


def proven(estimates: Estimates, candidates: Places) -> Flags:
    """Return the candidates whose estimate rests on measurements and whose software is known to run."""
    return estimates.machines.proven[candidates] & ~estimates.grounds.untested[candidates]


def _time(job: Job, estimates: Estimates, candidates: Places) -> Floats:
    """Expected time by which options of work without an end are compared."""
    outcome = estimates.outcome
    if job.serves:
        low, high = outcome.latency_low_ms[candidates], outcome.latency_high_ms[candidates]
        return outcome.latency_ms[candidates] * mean_factor(low, high)
    slow, fast = outcome.throughput_low[candidates], outcome.throughput_high[candidates]
    return mean_factor(slow, fast) / outcome.throughput[candidates]
