"""A day's load: machines in each hour, spare ones, and the machine-hours that are paid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from plimsoll_service.engine.columns import Lazy
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.outcome import Outcome
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.units import HOURS_PER_DAY, SECONDS_PER_HOUR

Sized = Callable[[Job], tuple[Outcome, Floats]]  # outcome and machines of a job, by its rate


@dataclass(frozen=True, eq=False)
class Day:
    """Machines of each candidate in each hour, spare ones included: an array (24, candidates)."""

    nodes: Floats
    share: Floats  # machine-hours that are paid, over those of the peak all day


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
    started = np.maximum(by_hour - np.roll(by_hour, 1, axis=0), 0.0).sum(axis=0)
    early = np.minimum(outcome.cold_start.seconds[:] / SECONDS_PER_HOUR, 1.0)
    paid = by_hour.sum(axis=0) + started * early + HOURS_PER_DAY * spare
    return Day(by_hour + spare, np.minimum(paid / (HOURS_PER_DAY * (nodes + spare)), 1.0))


def _needed(job: Job, rate: float, most: Floats, sized: Sized) -> Floats:
    """Machines for one hour's rate: none without requests, and never more than at the peak."""
    if rate == 0:
        return np.zeros(len(most))
    _, nodes = sized(at_rate(job, rate))
    return np.minimum(nodes, most)


def at_rate(job: Job, rate: float) -> Job:
    """The job at another rate of requests."""
    workload = replace(job.workload, requests_per_second=rate)
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
    replicas: Floats = outcome.serving.replicas[:] / np.maximum(nodes, 1.0)
    return replicas


def with_spares(outcome: Outcome, nodes: Floats, spare: Floats) -> Outcome:
    """The outcome with spare machines' replicas counted; they carry no load."""
    if outcome.serving is None or not spare.any():
        return outcome
    serving, each = outcome.serving, replicas_per_node(outcome, nodes)
    replicas = Lazy(lambda rows: serving.replicas[rows] + spare[rows] * each[rows])
    return outcome.changed(serving=replace(serving, replicas=replicas))
