"""Options: candidates × purchase options with a price, and what each then costs and takes.

Cost = machines × (price + disk) × time; under spot the time is the expected one with interruptions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.choice.scoring import Scored
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.job_time import CHECKPOINT_MINUTES, TYPICAL_BOOT_S
from plimsoll_service.engine.estimate.spot import INTERRUPTIONS_PER_HOUR, Interrupted, interrupted
from plimsoll_service.engine.hardware import PURCHASE_NAMES, Floats, Ints, known_or
from plimsoll_service.engine.prices import Prices
from plimsoll_service.engine.units import MILLION, MINUTES_PER_HOUR, SECONDS_PER_HOUR

SPOT = PURCHASE_NAMES.index("spot")


@dataclass(frozen=True, eq=False)
class Options:
    """One row a candidate and purchase option. For serving ``cost`` is USD per hour (rate given) or per million."""

    candidate: Ints  # row of Scored
    purchase: Ints
    offer: Ints  # row of the market's offers; -1 for own machines (and where there is no price)
    usd_per_hour: Floats  # one machine; NaN where there is no price
    disk_usd_per_hour: Floats  # of one machine, in the offer's region
    whole_usd_per_hour: Floats  # all machines with their disks
    hours: Floats
    hours_low: Floats
    hours_high: Floats
    cost: Floats
    cost_low: Floats
    cost_high: Floats
    interruptions_per_hour: Floats  # of the whole candidate; 0 on demand
    interval_hours: Floats  # of work between checkpoints on spot; NaN on demand
    restarts: Floats

    def __len__(self) -> int:
        return len(self.candidate)


def options_of(
    job: Job, scored: Scored, prices: Prices, candidate: Ints, purchase: Ints, offer: Ints, price: Floats
) -> Options:
    """What the given pairs of candidate and purchase option take and cost."""
    nodes = scored.nodes[candidate]
    disk = scored.disk_usd_per_hour[candidate] * _region_factor(prices, scored.product[candidate], offer)
    whole = nodes * (price + disk)
    per_hour = np.where(purchase == SPOT, nodes * machine_rate(job, prices, offer), 0.0)
    columns = (scored.outcome.hours, scored.outcome.hours_low, scored.outcome.hours_high)
    runs = [_run(job, scored, candidate, hours, per_hour, purchase == SPOT) for hours in columns]
    cost = [
        _cost(job, scored, candidate, whole, run.hours, end)
        for run, end in zip(runs, ("value", "low", "high"), strict=True)
    ]
    return Options(
        candidate=candidate,
        purchase=purchase,
        offer=offer,
        usd_per_hour=price,
        disk_usd_per_hour=disk,
        whole_usd_per_hour=whole,
        hours=runs[0].hours,
        hours_low=runs[1].hours,
        hours_high=runs[2].hours,
        cost=cost[0],
        cost_low=cost[1],
        cost_high=cost[2],
        interruptions_per_hour=per_hour,
        interval_hours=runs[0].interval_hours,
        restarts=runs[0].restarts,
    )


def _region_factor(prices: Prices, product: Ints, offer: Ints) -> Floats:
    """What the volume costs in the offer's region over its row in the table; 1 without either."""
    placed = (product >= 0) & (offer >= 0)
    factor = np.ones(len(offer))
    factor[placed] = prices.region_factor[product[placed], prices.offers.region[offer[placed]]]
    return factor


def machine_rate(job: Job, prices: Prices, offer: Ints) -> Floats:
    """Interruptions of one machine an hour: as the request says, else as the price feed does, else as assumed."""
    stated = job.workload.interruptions_per_hour
    if stated is not None:
        return np.full(len(offer), stated)
    rate = np.full(len(offer), INTERRUPTIONS_PER_HOUR)
    rate[offer >= 0] = known_or(prices.interruptions_per_hour[offer[offer >= 0]], INTERRUPTIONS_PER_HOUR)
    return rate


def _run(job: Job, scored: Scored, candidate: Ints, hours: Floats, per_hour: Floats, spot: Floats) -> Interrupted:
    """Hours of each option: as estimated on demand, as expected with interruptions on spot."""
    taken, interval, restarts = hours[candidate], np.full(len(candidate), np.nan), np.zeros(len(candidate))
    rows = np.flatnonzero(spot)
    if len(rows):
        minutes = job.workload.checkpoint_interval_minutes
        parts = spot_parts(job, scored, candidate[rows], taken[rows])
        run = interrupted(*parts, per_hour[rows], None if minutes is None else minutes / MINUTES_PER_HOUR)
        taken[rows], interval[rows], restarts[rows] = run.hours, run.interval_hours, run.restarts
    return Interrupted(taken, interval, restarts)


def spot_parts(job: Job, scored: Scored, candidate: Ints, hours: Floats) -> tuple[Floats, Floats, Floats]:
    """Hours of work alone, of writing one checkpoint, of starting up; ``hours`` on demand hold a share of writing."""
    boot = known_or(scored.machines.boot_seconds, TYPICAL_BOOT_S)[candidate] / SECONDS_PER_HOUR
    write = known_or(scored.outcome.checkpoint_hours[candidate])
    interval = (job.workload.checkpoint_interval_minutes or CHECKPOINT_MINUTES) / MINUTES_PER_HOUR
    return np.maximum(hours - boot, 0.0) / (1 + write / interval), write, boot


def _cost(job: Job, scored: Scored, candidate: Ints, whole: Floats, hours: Floats, end: str) -> Floats:
    """A job's USD; serving at a given load: USD per hour; without one, or work without an end: USD per million."""
    if job.kind in kind.INFERENCE_KINDS and fixed_load(job):
        return whole
    if job.kind in kind.JOB_KINDS and not np.isnan(job.samples):
        return whole * hours
    return per_million(whole, rate_at(scored, candidate, end))


def fixed_load(job: Job) -> bool:
    """Whether the load of a service is given, so that the machines for it are what costs."""
    return job.workload.requests_per_second is not None


def rate_at(scored: Scored, candidate: Ints, end: str) -> Floats:
    """Throughput at the cheap (``low`` cost: high rate), middle or dear end."""
    outcome = scored.outcome
    rates = {"value": outcome.throughput, "low": outcome.throughput_high, "high": outcome.throughput_low}
    chosen: Floats = rates[end][candidate]
    return chosen


def per_million(usd_per_hour: Floats, per_second: Floats) -> Floats:
    """USD per million units at that rate."""
    cost: Floats = usd_per_hour / (np.maximum(per_second, 1e-30) * SECONDS_PER_HOUR) * MILLION
    return cost
