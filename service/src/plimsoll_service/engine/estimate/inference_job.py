"""Inference with an end: the time of a given amount of requests, which all machines share evenly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from plimsoll_service.engine.columns import EVERY, Column, Lazy, Lookup
from plimsoll_service.engine.demand.job import Job, profile_of, tokens_per_sample
from plimsoll_service.engine.demand.kind import INFERENCE
from plimsoll_service.engine.estimate.input.disks import Disk, filled_mib_s
from plimsoll_service.engine.estimate.outcome import ColdStart, Outcome
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.units import SECONDS_PER_HOUR


def as_job(job: Job, outcome: Outcome, start: ColdStart, disk: Disk) -> Outcome:
    """The outcome of a service without a load, with the hours that the requests take at its rate.

    Answers are written as they come: there is no checkpoint, and an interruption loses those in progress.
    """
    factor = unit_factor(job)
    started = start.seconds[:]
    amount = job.samples * factor
    rate, low, high = (
        _scaled(one, factor) for one in (outcome.throughput, outcome.throughput_low, outcome.throughput_high)
    )

    def hours(at: Column) -> Callable[[Any], Floats]:
        return lambda rows: (amount / at[rows] + started[rows]) / SECONDS_PER_HOUR

    return outcome.changed(
        throughput=rate[:],
        capacity=rate[:],
        throughput_low=low,
        throughput_high=high,
        capacity_low=low,
        capacity_high=high,
        hours=hours(rate)(EVERY),
        hours_low=Lazy(hours(high)),
        hours_high=Lazy(hours(low)),
        checkpoint_hours=Lookup(np.zeros(len(disk.nodes)), disk.of),
        start_seconds=started,
        filled_mib_s=filled_mib_s(disk, outcome.disk),
    )


def unit_factor(job: Job) -> float:
    """Units of the throughput a sample: tokens, where the work is stated in them; else 1."""
    return tokens_per_sample(profile_of(job)) if job.by_tokens and job.kind == INFERENCE else 1.0


def _scaled(rate: Column, factor: float) -> Column:
    return rate if factor == 1 else Lazy(lambda rows: rate[rows] * factor)
