"""Relaxations for a query without a recommendation.

Each limit and constraint is relaxed alone, to the smallest change that suffices, with the resulting cost. A time is
also relaxed to one in which the work costs much less. Where none alone suffices, several limits are relaxed
together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, partial
from typing import Any

import numpy as np

from plimsoll_service.engine.answer import Relax
from plimsoll_service.engine.choice.candidates import NODE_COUNTS
from plimsoll_service.engine.choice.limits import (
    CONCURRENCY,
    EXPECTED_DIGITS,
    LIMITS,
    Limit,
    limit_masks,
    without_choosing,
)
from plimsoll_service.engine.choice.options import fixed_load
from plimsoll_service.engine.choice.ranking import default_objective, first_row, scored
from plimsoll_service.engine.choice.rounding import DIGITS, figure, said
from plimsoll_service.engine.choice.scores import CHEAPER
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job, most_nodes
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.units import MINUTES_PER_HOUR
from plimsoll_service.engine.workload import Constraints, Query

Choose = Callable[[Query], tuple[Job, Selection]]  # job and options of another query
Named = Callable[[Selection, int], str]  # a row's machines in words
Ask = Callable[[float | None], tuple[Job, Selection]]  # the same under another value of one limit, or without it

# The caller's own agreements and machines: dropping them relaxes nothing.
UNRELAXED = ("own_machines", "discounts", "commitments", "retired", "allow_porting")
TIMES = ("latency", "tpot", "end_to_end")  # limits under which a machine runs smaller batches
# Units of what a choice is expected to reach, by the limit that is loosened.
EXPECTED = {**dict.fromkeys(TIMES, "ms"), CONCURRENCY: "at once"}
HUNDREDTH = 100.0  # to which a small value is rounded
LARGEST = 1e12  # beyond any limit that is stated
# Factors by which values are looser (or tighter) than the first guess, and the precision of the result.
FURTHER = (1.0, *(1 + 0.01 * 2.0**power for power in range(12)))  # 1% to 21 times
CLOSE = 1.02
HOURS_DIGITS = 3  # of a time in words
# Of the way, in logarithms, from the stated limits to what the best choice without them needs.
SHARES = tuple(eighths / 8 for eighths in range(1, 13))

Values = dict[Limit, float]  # new value of each limit that is relaxed


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


def relaxations(query: Query, choose: Choose, named: Named) -> tuple[Relax, ...]:
    """Return every single relaxation that leaves a recommendation, cheapest first; the query states assumed limits.

    Without one, return that of several limits together.
    """
    ways = (_limits, _constraints, _more_machines, _porting, _tuning)
    found = [one for way in ways for one in way(query, choose)]
    found = found or _several(query, choose) or _with_constraints(query, choose)
    relaxed = (_relax(query, one, named) for one in found)
    return tuple(sorted(relaxed, key=lambda one: (one.cost_usd is None, one.cost_usd or 0.0, one.constraint)))


def _relax(query: Query, one: Looser, named: Named) -> Relax:
    """The relaxation with the cost and time of its first choice; of a service, the cost per hour."""
    few = replace(one.chosen, feasible=one.chosen.feasible[_nodes(one.chosen) <= one.most])
    row, options = first_row(one.job, few, scored(one.job, few, _objective(query, one.job))), few.options
    choice = f"{named(few, row)} at {said(options.charges.usd_per_hour.item(row))} USD per hour"
    relaxed = next((limit for limit in LIMITS if limit.name == one.constraint in EXPECTED), None)
    if relaxed is not None and relaxed.expected is not None:
        middle = relaxed.expected(one.job, few.estimates, options).item(row)
        choice += f", expected {said(middle, EXPECTED_DIGITS)} {EXPECTED[relaxed.name]}"
    if one.job.serves or np.isnan(one.job.samples):
        return Relax(one.constraint, one.to, None, choice=choice, together=one.together)
    hours, cost = options.hours.item(row), options.cost.item(row)
    nearly = not one.together and {
        "deadline": hours <= (query.workload.deadline_hours or 0),
        "budget": cost <= (query.workload.budget_usd or 0),
    }.get(one.constraint, False)
    choice += f", in {said(hours, HOURS_DIGITS)} h"
    if nearly:
        known = "its estimate meets the budget; " if one.constraint == "budget" else ""
        choice += f"; {known}a measurement of your own (measurements) narrows its range"
    return Relax(
        constraint=one.constraint,
        to=one.to,
        cost_usd=figure(cost),
        estimated_hours=figure(hours) if nearly and one.constraint == "deadline" else None,
        choice=choice,
        together=one.together,
    )


def _objective(query: Query, job: Job) -> str:
    """Objective of the query; the job may be that of a looser one."""
    return query.objective or default_objective(replace(job, query=query))


def _limits(query: Query, choose: Choose) -> Iterator[Looser]:
    """Smallest sufficient relaxation of each limit."""

    @cache
    def free() -> tuple[Job, Selection]:
        return choose(without_choosing(query))

    for limit in LIMITS:
        if limit.stated(query) is None:
            continue

        def ask(value: float | None, limit: Limit = limit) -> tuple[Job, Selection]:
            looser = limit.restated(query, value)
            return _limited(looser, *free()) if limit.chooses else choose(looser)

        found = _least(limit, ask)
        if found is not None:
            slower = limit.name in TIMES and fixed_load(found.job)
            later = _later(limit, found, ask) if slower or limit.name == "deadline" else None
            for one in (found, later):
                if one is not None:
                    yield Looser(limit.name, _spelled(limit, one.value), one.job, one.chosen)


def _later(limit: Limit, soonest: Found, ask: Ask) -> Found | None:
    """Time of the option with the least product of cost and time; ``None`` where it saves little."""
    job, chosen = ask(None)
    cost, needed = chosen.options.cost[chosen.feasible], _needed(limit, job, chosen)[chosen.feasible]
    best = (cost * needed).argmin()
    least = soonest.chosen.options.cost[soonest.chosen.feasible].min()
    return _found(limit, needed.item(best), ask) if cost[best] < CHEAPER * least else None


def _limited(query: Query, job: Job, chosen: Selection) -> tuple[Job, Selection]:
    """Job of the query, and the options that meet its limits among options found without choosing limits."""
    stated: dict[str, Any] = {
        limit.field: limit.stated(query) for limit in LIMITS if limit.chooses and limit.part == "workload"
    }
    workload = replace(job.workload, **stated)
    own = replace(job, query=replace(query, workload=workload), workload=workload)
    feasible = chosen.feasible
    for passing in limit_masks(own, chosen.estimates, chosen.options).values():
        feasible = feasible[passing[feasible]]
    return own, replace(chosen, feasible=feasible)


def _least(limit: Limit, ask: Ask) -> Found | None:
    """Smallest relaxation that leaves an option; every value is verified.

    The first guess is the figure of a machine without the limit. Under a limit, a machine may run differently: with a
    smaller batch, or with more devices per answer.
    """
    job, chosen = ask(None)
    if not len(chosen.feasible):
        return None
    found, missed = _further(limit, _reached(limit, job, chosen), ask)
    if found is not None and missed is not None:
        return _between(limit, missed, found, ask)
    if found is None or not (limit.name in TIMES or limit.at_least):
        return found
    return _tightened(limit, found, ask)


def _reached(limit: Limit, job: Job, chosen: Selection) -> float:
    """Tightest value of the limit that the remaining options meet unchanged."""
    return abs(float(_needed(limit, job, chosen)[chosen.feasible].min()))


def _found(limit: Limit, value: float, ask: Ask) -> Found | None:
    """Options left under the value as it is written in a request."""
    written = _rounded(limit, value)
    if written <= 0:
        return None
    job, chosen = ask(written)
    return Found(written, job, chosen) if len(chosen.feasible) else None


def _further(limit: Limit, guess: float, ask: Ask) -> tuple[Found | None, float | None]:
    """First of ever looser values that leaves an option, and the last value before it."""
    missed = None
    for factor in FURTHER:
        value = guess / factor if limit.at_least else guess * factor
        found = _found(limit, value, ask)
        if found is not None:
            return found, missed
        missed = value
    return None, missed


def _between(limit: Limit, missed: float, found: Found, ask: Ask) -> Found:
    """Value found by bisection towards the missed value, until both are close."""
    while max(missed, found.value) > CLOSE * min(missed, found.value):
        middle = (missed + found.value) / 2
        better = None if _rounded(limit, middle) == found.value else _found(limit, middle, ask)
        missed, found = (middle, found) if better is None else (missed, better)
    return found


def _tightened(limit: Limit, found: Found, ask: Ask) -> Found:
    """Tightest latency or load that still leaves an option: near it, machines run other batches and layouts."""
    first = found.value
    for factor in FURTHER[1:]:
        value = first * factor if limit.at_least else first / factor
        if _rounded(limit, value) == found.value:
            continue
        better = _found(limit, value, ask)
        if better is None:
            return _between(limit, value, found, ask)
        found = better
    return found


def _needed(limit: Limit, job: Job, chosen: Selection) -> Floats:
    """Limit that each option needs; rates are negative, since a lower rate is looser."""
    needed = limit.reached(job, chosen.estimates, chosen.options)
    return -needed * _room(job, chosen) if limit.at_least else needed


def _room(job: Job, chosen: Selection) -> Floats:
    """Number of times that a candidate fits within ``max_nodes`` and the allowed cost per hour."""
    room = np.floor(most_nodes(job) / chosen.estimates.nodes[chosen.options.candidate])
    hourly = job.query.constraints.max_usd_per_hour
    return room if hourly is None else np.minimum(room, np.floor(hourly / chosen.options.whole_usd_per_hour))


def _rounded(limit: Limit, value: float) -> float:
    """Value with two decimals at most, below an hour in minutes; rates are rounded down, so that the value suffices.

    No more digits than a table shows: a value that is read there is enough too.
    """
    if limit.at_least:
        return float(np.floor(value * HUNDREDTH) / HUNDREDTH) if value < 1 else float(np.floor(value))
    unit = MINUTES_PER_HOUR if limit.name == "deadline" and value < 1 else 1.0
    whole = np.floor(np.log10(np.clip(value * unit, 1.0, LARGEST)))
    decimals = min(2, DIGITS - 1 - int(whole))
    return float(np.ceil(value * unit * 10.0**decimals) / 10.0**decimals) / unit


def _spelled(limit: Limit, value: float) -> object:
    """Value in the form of a request."""
    if limit.name != "deadline":
        return value
    return f"{value:.2f}h" if value >= 1 else f"{value * MINUTES_PER_HOUR:.2f}m"


def _constraints(query: Query, choose: Choose) -> Iterator[Looser]:
    """Relaxations that drop a single constraint on the machine."""
    for name in _stated_constraints(query):
        job, chosen = choose(_without(query, (name,)))
        if len(chosen.feasible):
            yield Looser(name, None, job, chosen)


def _stated_constraints(query: Query) -> list[str]:
    """Names of the constraints on the machine that may be dropped."""
    limits = {limit.field for limit in LIMITS if limit.part == "constraints"}
    names = (item.name for item in fields(Constraints) if item.name not in (*UNRELAXED, *limits, "max_nodes"))
    stated = ((name, getattr(query.constraints, name)) for name in names)
    return [name for name, value in stated if value is not None and value is not False and value != ()]


def _without(query: Query, names: Sequence[str]) -> Query:
    """The query without these constraints."""
    return replace(query, constraints=replace(query.constraints, **dict.fromkeys(names)))


def _more_machines(query: Query, choose: Choose) -> Iterator[Looser]:
    """The fewest machines that do, where their number is limited: by the request, or to the one of an HPC job."""
    if query.constraints.max_nodes is None and query.workload.task != kind.HPC:
        return
    job, chosen = choose(replace(query, constraints=replace(query.constraints, max_nodes=NODE_COUNTS[-1])))
    if len(chosen.feasible):
        fewest = int(_nodes(chosen).min())
        yield Looser("max_nodes", fewest, job, chosen, fewest)


def _nodes(chosen: Selection) -> Floats:
    """Machines of each option that is left."""
    nodes: Floats = chosen.estimates.nodes[chosen.options.candidate[chosen.feasible]]
    return nodes


def _porting(query: Query, choose: Choose) -> Iterator[Looser]:
    """Permission to port the software, where nothing else runs it."""
    if query.constraints.allow_porting:
        return
    job, chosen = choose(replace(query, constraints=replace(query.constraints, allow_porting=True)))
    if len(chosen.feasible):
        yield Looser("allow_porting", True, job, chosen)


def _tuning(query: Query, choose: Choose) -> Iterator[Looser]:
    """Converters that use every vCPU, where those as installed take too long. Rule: stock-converter."""
    job, chosen = choose(replace(query, workload=replace(query.workload, tuning="tuned")))
    if job.kind == kind.PREPROCESSING and query.workload.tuning != "tuned" and len(chosen.feasible):
        yield Looser("tuning", "tuned", job, chosen)


def _several(query: Query, choose: Choose) -> list[Looser]:
    """The limits that the best choice without them misses, each at what that choice needs.

    A load is lowered last, and as little as can be: it is what users ask for.
    """
    stated = [limit for limit in LIMITS if limit.stated(query) is not None]
    limits = [limit for limit in stated if not limit.at_least]
    found = _best_together(query, limits, choose)
    if found is not None and found[0]:
        return [_together(*found)]
    for load in (limit for limit in stated if limit.at_least):
        less = _least(load, partial(_ask_lifted, query, limits, choose, load))
        if less is None or less.value >= _stated(load, query):
            continue
        found = _best_together(load.restated(query, less.value), limits, choose)
        if found is not None:
            values, job, chosen = found
            return [_together(values | {load: less.value}, job, chosen)]
    return []


def _with_constraints(query: Query, choose: Choose) -> list[Looser]:
    """Constraints on the machine to drop beside the limits that are missed: one, else all; more machines last."""
    names, more = _stated_constraints(query), query.constraints.max_nodes is not None
    few = [(name,) for name in names] + ([tuple(names)] if len(names) > 1 else [])
    limits = [limit for limit in LIMITS if limit.stated(query) is not None and not limit.at_least]
    for dropped, most in [(some, None) for some in few] + [(some, NODE_COUNTS[-1]) for some in ((), *few) if more]:
        looser = _without(query, dropped)
        if most is not None:
            looser = replace(looser, constraints=replace(looser.constraints, max_nodes=most))
        found = _best_together(looser, limits, choose)
        if found is not None:
            values, job, chosen = found
            changes: dict[str, object] = dict.fromkeys(dropped)
            if most is not None:
                changes["max_nodes"] = most = int(_nodes(chosen).min())
            changes |= {limit.name: _spelled(limit, value) for limit, value in values.items()}
            (first, to), *others = changes.items()
            return [Looser(first, to, job, chosen, most or np.inf, dict(others))]
    return []


def _ask_lifted(
    query: Query, limits: list[Limit], choose: Choose, load: Limit, value: float | None
) -> tuple[Job, Selection]:
    """Job and options under another value of the load, without those limits."""
    return choose(load.restated(_lifted(query, limits), value))


def _together(values: Values, job: Job, chosen: Selection) -> Looser:
    """The query with new values of several limits."""
    (first, to), *others = ((limit.name, _spelled(limit, value)) for limit, value in values.items())
    return Looser(first, to, job, chosen, together=dict(others))


def _best_together(query: Query, limits: list[Limit], choose: Choose) -> tuple[Values, Job, Selection] | None:
    """New values of some of the limits, with what is left under them; every value is verified.

    Between the stated limits and what is best without them, machines run differently, as with smaller batches.
    """
    found = _merit(query, limits, *choose(_lifted(query, limits)))
    if found is None:
        return None
    job, chosen = choose(query)
    if len(chosen.feasible):  # all limits are met, or there is none
        return {}, job, chosen
    best, least, times = None, np.inf, found[1]
    for share in SHARES:
        values = _values(query, limits, found[1] ** share)
        there = choose(_under(query, values))
        nearer = _merit(query, limits, *there)
        if nearer is not None and nearer[0] < least:
            best, least, times = (values, *there), nearer[0], nearer[1]
    if best is None:
        return None
    exact = _values(query, limits, times)
    priced = {limit: (exact if limit.chooses else best[0])[limit] for limit in best[0] if limit in exact}
    for values in (exact, priced):
        job, chosen = choose(_under(query, values))
        if len(chosen.feasible):
            return values, job, chosen
    return best


def _lifted(query: Query, limits: list[Limit]) -> Query:
    """The query without these limits and all that only choose."""
    lifted = without_choosing(query)
    for limit in limits:
        lifted = lifted if limit.chooses else limit.restated(lifted, None)
    return lifted


@np.errstate(invalid="ignore")  # an unknown figure is not the best
def _merit(query: Query, limits: list[Limit], job: Job, chosen: Selection) -> tuple[float, Floats] | None:
    """The least score times misses of an option, and how many times it misses each limit; 1 where it is met."""
    if not len(chosen.feasible):
        return None
    found = scored(job, chosen, _objective(query, job))
    needed = [limit.reached(job, chosen.estimates, chosen.options)[found.rows] for limit in limits]
    missed = [mine / _stated(limit, query) for limit, mine in zip(limits, needed, strict=True)]
    times = np.maximum(np.reshape(missed, (len(limits), len(found.rows))), 1.0)  # there may be no limit
    weighed = found.scores * times.prod(axis=0)
    weighed[np.isnan(weighed)] = np.inf
    best = weighed.argmin()
    return (weighed.item(best), times[:, best]) if np.isfinite(weighed[best]) else None


def _stated(limit: Limit, query: Query) -> float:
    """Value of a limit that is stated."""
    return limit.stated(query) or np.inf


def _values(query: Query, limits: list[Limit], times: Floats) -> Values:
    """Values of the limits that are missed, so many times the stated ones."""
    missed = ((limit, more) for limit, more in zip(limits, times.tolist(), strict=True) if more > 1)
    return {limit: _rounded(limit, _stated(limit, query) * more) for limit, more in missed}


def _under(query: Query, values: Values) -> Query:
    """The query with these values of its limits."""
    for limit, value in values.items():
        query = limit.restated(query, value)
    return query
