"""Ranking of options: a score by objective, a fixed order among equals, and the frontier of cost and time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.choice.estimating import Estimates
from plimsoll_service.engine.choice.limits import LIMITS
from plimsoll_service.engine.choice.options import Options
from plimsoll_service.engine.choice.rounding import DIGITS
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Floats, Ints, Places, known_or

# Factors of ``balanced`` for special software: 1.1 for AMD's ROCm, which runs the same programs rebuilt, and 1.5 for
# chips with a compiler of their own (Neuron, TPU, Gaudi). Rule: objective-balanced.
# A run on several machines needs a launcher and shared storage: also 1.1.
REBUILT, RECOMPILED, DISTRIBUTED = 1.10, 1.50, 1.10
# Recompiling a service costs work whatever its size (S4-16): a week per year, 40 h at 110 USD over 8,760 h.
RECOMPILED_USD_PER_HOUR = 0.50
# Shorter times than a working day, and shorter latencies than 200 ms, are hardly worth money.
WORKING_DAY_HOURS, NOTICEABLE_MS = 8.0, 200.0
ROUNDING = 10.0 ** (2 - DIGITS)  # relative; larger than the difference of two values that are shown alike


def default_objective(job: Job) -> str:
    """Return ``cost`` if a limit is stated that asks for the cheapest, else ``balanced``."""
    asks = any(limit.asks_for_cost and limit.stated(job.query) is not None for limit in LIMITS)
    return "cost" if asks else "balanced"


@np.errstate(divide="ignore", invalid="ignore", over="ignore")  # figures of infeasible options may be unknown
def ranked(job: Job, chosen: Selection, objective: str, limit: int | None = None) -> Ints:
    """Return the rows of the feasible options, best first; all of them, or at least the first ``limit``."""
    rows, scores = chosen.feasible, score(job, chosen.estimates, chosen.options, objective)
    if limit is not None and len(rows) > limit:
        mine = scores.take(rows)
        last = np.partition(mine, limit - 1)[limit - 1]
        rows = rows[mine <= last + abs(last) * ROUNDING]  # including all rows that may round to the last of them
    return order(job, chosen.estimates, chosen.options, rows, scores)


def duration(job: Job, estimates: Estimates, options: Options) -> Floats:
    """Return the hours of a job, the latency of a service in ms, or the time of one unit of work without an end."""
    if job.kind in kind.INFERENCE_KINDS:
        return options.each(estimates.outcome.latency_ms)
    if not np.isnan(job.samples):
        return options.hours
    slowness: Floats = 1 / estimates.outcome.throughput
    return options.each(slowness)


def score(job: Job, estimates: Estimates, options: Options, objective: str) -> Floats:
    """Return the score of each option; lower is better."""
    if objective == "cost":
        return options.cost
    if objective == "time":
        return duration(job, estimates, options)
    if objective == "performance_per_cost":
        return options.whole_usd_per_hour / np.maximum(options.each(estimates.outcome.capacity), 1e-30)
    time = _awaited(job, estimates, options)
    return options.cost * np.sqrt(_patience(job) + time) * _software(job, estimates, options)


def _awaited(job: Job, estimates: Estimates, options: Options) -> Floats:
    """Duration that ``balanced`` uses; for a service without a given load, the latency of a single request."""
    lone, workload = estimates.outcome.lone_latency_ms, job.workload
    if lone is not None and workload.requests_per_second is None and workload.concurrency is None:
        return options.each(lone[:])
    return duration(job, estimates, options)


def _patience(job: Job) -> float:
    """Time added before times are compared; work without an end is compared by cost alone."""
    if job.kind in kind.INFERENCE_KINDS:
        return NOTICEABLE_MS
    return WORKING_DAY_HOURS if not np.isnan(job.samples) else 1e9


def _software(job: Job, estimates: Estimates, options: Options) -> Floats:
    """Factor for special software; recompiling a service costs at least a fixed sum per hour."""
    factor = options.each(special_software(estimates))
    if job.kind not in kind.INFERENCE_KINDS:
        return factor
    least = 1 + RECOMPILED_USD_PER_HOUR / np.maximum(options.whole_usd_per_hour, 1e-30)
    recompiled = options.each(estimates.machines.compiled_chip())
    return np.where(recompiled, np.maximum(factor, least), factor)


def special_software(estimates: Estimates) -> Floats:
    """Return 1 for CPUs and NVIDIA, and more for programs that are rebuilt, recompiled or distributed."""
    machines = estimates.machines
    together = ~np.isnan(estimates.outcome.hours) & (estimates.nodes > 1)  # replicas of a service do not communicate
    factor = np.where(together, DISTRIBUTED, 1.0)
    for few, dearer in ((machines.rebuilt_chip(), REBUILT), (machines.compiled_chip(), RECOMPILED)):
        factor[np.flatnonzero(few)] *= dearer
    return factor


def order(job: Job, estimates: Estimates, options: Options, rows: Ints, scores: Floats) -> Ints:
    """Return the rows, best first: by score, cost, time, throughput, fewer machines, larger machines, then name.

    ``scores`` are those of all options.
    """
    deciding = (duration(job, estimates, options), options.cost, scores)
    time, cost, mine = firsts = rounded(np.array([column[rows] for column in deciding]))
    keys = (time, cost, mine)
    places = np.lexsort(keys)
    before, after = firsts[:, places[:-1]], firsts[:, places[1:]]
    if not np.any((before < after) | (before > after), axis=0).all():  # some are equal in all three
        places = np.lexsort((*_among_equals(estimates, options, rows), *keys))
    ordered: Ints = rows[places]
    return ordered


def _among_equals(estimates: Estimates, options: Options, rows: Ints) -> tuple[NDArray[Any], ...]:
    """Tie-break columns for options with the same score, cost and time; the last column decides first."""
    candidate = options.candidate[rows]
    machines = estimates.machines.take(candidate)
    return (
        options.purchase[rows],
        options.priced.name_order[rows],
        -known_or(machines.local_disk_gb),
        -known_or(machines.network_gbps),
        -machines.count,
        -machines.memory_gib,
        -machines.vcpus,
        estimates.nodes[candidate],
        -estimates.outcome.capacity[candidate],
    )


def rounded(values: Floats) -> Floats:
    """Round to the digits that are shown; a difference beyond them makes no machine better."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        magnitude = 10.0 ** (DIGITS - 1 - np.floor(np.log10(np.abs(values))))
        scaled = np.round(values * magnitude) / magnitude
    return np.where(np.isfinite(scaled), scaled, values)


def frontier_of(job: Job, chosen: Selection) -> Places:
    """Return the rows of the feasible options that no other beats on both cost and time."""
    options, feasible = chosen.options, chosen.feasible.astype(np.intp)
    time = duration(job, chosen.estimates, options)
    few = feasible.take(ahead(options.cost.take(feasible), time.take(feasible)))
    front: Places = few.take(frontier(options.cost[few], time[few], options.priced.name_order[few]))
    return front


def frontier(cost: Floats, time: Floats, name_order: Ints) -> Ints:
    """Return the rows that no other beats on shown cost and time, cheapest first; of equals, the first by name."""
    cost, time = rounded(np.array([cost, time]))
    by_cost = np.lexsort((name_order, time, cost))
    fastest = np.minimum.accumulate(time[by_cost])
    before = np.concatenate(([np.inf], fastest[:-1]))
    chosen: Ints = by_cost[time[by_cost] < before].astype(np.int32)
    return chosen


def ahead(cost: Floats, time: Floats) -> Places:
    """Return a superset of the frontier; all rows if a figure is unknown.

    It omits rows that one of three rows beats on both: the cheapest, the fastest, or, of the rest, the row with the
    lowest product of both.
    """
    if not len(cost):
        return np.empty(0, dtype=np.intp)
    cheapest, fastest = cost.argmin(), time.argmin()  # of an unknown figure, where there is one
    if np.isnan(cost[cheapest]) or np.isnan(time[fastest]):
        return np.arange(len(cost))
    rows = np.flatnonzero((time <= time[cheapest]) & (cost <= cost[fastest]))
    costs, times = cost.take(rows), time.take(rows)
    best = (costs * times).argmin()
    few: Places = rows[(costs <= costs[best]) | (times <= times[best])]
    return few
