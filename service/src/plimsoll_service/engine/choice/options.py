"""Options: candidates × purchase options with a price, and what each then costs and takes.

Cost = machines × (price + disk) × time; under spot the time is the expected one with interruptions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.choice.scoring import Scored
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.job_time import TYPICAL_BOOT_S
from plimsoll_service.engine.estimate.spot import INTERRUPTIONS_PER_HOUR, Interrupted, interrupted
from plimsoll_service.engine.hardware import PURCHASE_NAMES, Floats, Ints, known_or
from plimsoll_service.engine.units import MILLION, SECONDS_PER_HOUR

SPOT = PURCHASE_NAMES.index("spot")


@dataclass(frozen=True, eq=False)
class Options:
    """One row a candidate and purchase option. For serving ``cost`` is USD per hour (rate given) or per million."""

    candidate: Ints  # row of Scored
    purchase: Ints
    offer: Ints  # row of the market's offers; -1 for own machines (and where there is no price)
    usd_per_hour: Floats  # one machine; NaN where there is no price
    whole_usd_per_hour: Floats  # all machines with their disks
    hours: Floats
    hours_low: Floats
    hours_high: Floats
    cost: Floats
    cost_low: Floats
    cost_high: Floats
    interruptions_per_hour: Floats  # of the whole candidate; 0 on demand
    interval_hours: Floats
    restarts: Floats

    def __len__(self) -> int:
        return len(self.candidate)


def options_of(job: Job, scored: Scored, candidate: Ints, purchase: Ints, offer: Ints, price: Floats) -> Options:
    """What the given pairs of candidate and purchase option take and cost."""
    outcome = scored.outcome
    nodes = scored.nodes[candidate]
    whole = nodes * (price + scored.disk_usd_per_hour[candidate])
    per_hour = np.where(purchase == SPOT, nodes * _rate(job), 0.0)
    spot = [
        _spot_hours(job, scored, candidate, hours, per_hour)
        for hours in (outcome.hours, outcome.hours_low, outcome.hours_high)
    ]
    value, low, high = (
        np.where(purchase == SPOT, run.hours, hours[candidate])
        for run, hours in zip(spot, (outcome.hours, outcome.hours_low, outcome.hours_high), strict=True)
    )
    cost = [
        _cost(job, scored, candidate, whole, hours, end)
        for hours, end in ((value, "value"), (low, "low"), (high, "high"))
    ]
    return Options(
        candidate=candidate,
        purchase=purchase,
        offer=offer,
        usd_per_hour=price,
        whole_usd_per_hour=whole,
        hours=value,
        hours_low=low,
        hours_high=high,
        cost=cost[0],
        cost_low=cost[1],
        cost_high=cost[2],
        interruptions_per_hour=per_hour,
        interval_hours=spot[0].interval_hours,
        restarts=np.where(purchase == SPOT, spot[0].restarts, 0.0),
    )


def _rate(job: Job) -> float:
    stated = job.workload.interruptions_per_hour
    return INTERRUPTIONS_PER_HOUR if stated is None else stated


def _spot_hours(job: Job, scored: Scored, candidate: Ints, hours: Floats, per_hour: Floats) -> Interrupted:
    boot = known_or(scored.machines.boot_seconds, TYPICAL_BOOT_S)[candidate] / SECONDS_PER_HOUR
    minutes = job.workload.checkpoint_interval_minutes
    work = np.maximum(hours[candidate] - boot, 0.0)
    write = known_or(scored.outcome.checkpoint_hours[candidate])
    return interrupted(work, write, boot, per_hour, None if minutes is None else minutes / 60)


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
