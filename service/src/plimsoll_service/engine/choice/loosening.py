"""Search for the smallest change of one limit that leaves an option, and the query with that change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace

import numpy as np

from ..demand.job import Job, most_nodes
from ..hardware import Floats
from ..units import MINUTES_PER_HOUR
from ..workload import Constraints, Query
from .limits import LIMITS, Limit
from .ranking import default_objective
from .rounding import DIGITS
from .selection import Selection

Choose = Callable[[Query], tuple[Job, Selection]]  # job and options of another query
Ask = Callable[[float | None], tuple[Job, Selection]]  # the same under another value of one limit, or without it

# The caller's own agreements and machines: dropping them relaxes nothing.
UNRELAXED = ("own_machines", "discounts", "commitments", "retired", "allow_porting")
TIMES = ("latency", "tpot", "end_to_end")  # limits under which a machine runs smaller batches
HUNDREDTH = 100.0  # to which a small value is rounded
LARGEST = 1e12  # beyond any limit that is stated
# Factors by which values are looser (or tighter) than the first guess, and the precision of the result.
FURTHER = (1.0, *(1 + 0.01 * 2.0**power for power in range(12)))  # 1% to 21 times
CLOSE = 1.02


@dataclass(frozen=True, eq=False)
class Found:
    """A value of a limit that leaves options, with those options."""

    value: float
    job: Job
    chosen: Selection


@dataclass(frozen=True, eq=False)
class Looser:
    """A query that leaves options: the constraint that was loosened, to what, with those options."""

    constraint: str
    to: object
    job: Job
    chosen: Selection
    most: float = np.inf  # machines
    together: dict[str, object] = field(default_factory=dict)  # what else is loosened, to what
    why: str = ""  # what the change does, in words


def smallest_change(limit: Limit, ask: Ask) -> Found | None:
    """Smallest relaxation that leaves an option; every value is verified.

    The first guess is the figure of a machine without the limit. Under a limit, a machine may run differently: with a
    smaller batch, or with more devices per answer.
    """
    job, chosen = ask(None)
    if not len(chosen.feasible):
        return None
    found, missed = _further(limit, abs(float(needed_of(limit, job, chosen)[chosen.feasible].min())), ask)
    if found is not None and missed is not None:
        return _between(limit, missed, found, ask)
    if found is None or not (limit.name in TIMES or limit.at_least):
        return found
    return _tightened(limit, found, ask)


def found_at(limit: Limit, value: float, ask: Ask) -> Found | None:
    """Options that are left under a value as a request states it."""
    written = as_written(limit, value)
    if written <= 0:
        return None
    job, chosen = ask(written)
    return Found(written, job, chosen) if len(chosen.feasible) else None


def _further(limit: Limit, guess: float, ask: Ask) -> tuple[Found | None, float | None]:
    """First of ever looser values that leaves an option, and the last value before it."""
    missed = None
    for factor in FURTHER:
        value = guess / factor if limit.at_least else guess * factor
        found = found_at(limit, value, ask)
        if found is not None:
            return found, missed
        missed = value
    return None, missed


def _between(limit: Limit, missed: float, found: Found, ask: Ask) -> Found:
    """Value found by bisection towards the missed value, until both are close."""
    while max(missed, found.value) > CLOSE * min(missed, found.value):
        middle = (missed + found.value) / 2
        better = None if as_written(limit, middle) == found.value else found_at(limit, middle, ask)
        missed, found = (middle, found) if better is None else (missed, better)
    return found


def _tightened(limit: Limit, found: Found, ask: Ask) -> Found:
    """Tightest latency or load that still leaves an option: near it, machines run other batches and layouts."""
    first = found.value
    for factor in FURTHER[1:]:
        value = first * factor if limit.at_least else first / factor
        if as_written(limit, value) == found.value:
            continue
        better = found_at(limit, value, ask)
        if better is None:
            return _between(limit, value, found, ask)
        found = better
    return found


def needed_of(limit: Limit, job: Job, chosen: Selection) -> Floats:
    """Limit that each option needs; rates are negative, since a lower rate is looser."""
    needed = limit.reached(job, chosen.estimates, chosen.options)
    return -needed * _room(job, chosen) if limit.at_least else needed


def _room(job: Job, chosen: Selection) -> Floats:
    """Number of times that a candidate fits within ``max_nodes`` and the allowed cost per hour."""
    room = np.floor(most_nodes(job) / chosen.estimates.nodes[chosen.options.candidate])
    hourly = job.query.constraints.max_usd_per_hour
    return room if hourly is None else np.minimum(room, np.floor(hourly / chosen.options.whole_usd_per_hour))


def as_written(limit: Limit, value: float) -> float:
    """Value with two decimals at most, below an hour in minutes; rates are rounded down, so that the value suffices.

    No more digits than a table shows: a value that is read there is enough too.
    """
    if limit.at_least:
        return float(np.floor(value * HUNDREDTH) / HUNDREDTH) if value < 1 else float(np.floor(value))
    unit = MINUTES_PER_HOUR if limit.name == "deadline" and value < 1 else 1.0
    whole = np.floor(np.log10(np.clip(value * unit, 1.0, LARGEST)))
    decimals = min(2, DIGITS - 1 - int(whole))
    return float(np.ceil(value * unit * 10.0**decimals) / 10.0**decimals) / unit


def spelled(limit: Limit, value: float) -> object:
    """Value in the form of a request."""
    if limit.name != "deadline":
        return value
    return f"{value:.2f}h" if value >= 1 else f"{value * MINUTES_PER_HOUR:.2f}m"


def stated_constraints(query: Query) -> list[str]:
    """Names of the constraints on the machine that may be dropped."""
    limits = {limit.field for limit in LIMITS if limit.part == "constraints"}
    names = (item.name for item in fields(Constraints) if item.name not in (*UNRELAXED, *limits, "max_nodes"))
    stated = ((name, getattr(query.constraints, name)) for name in names)
    return [name for name, value in stated if value is not None and value is not False and value != ()]


def nodes_of(chosen: Selection) -> Floats:
    """Machines of each option that is left."""
    return chosen.estimates.nodes[chosen.options.candidate[chosen.feasible]]


def objective_of(query: Query, job: Job) -> str:
    """Objective of the query; the job may be that of a looser one."""
    return query.objective or default_objective(replace(job, query=query))
