"""Relaxations of several limits at once, where none alone suffices, and of constraints on the machine beside them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from ..demand.job import Job
from ..hardware import Floats
from ..workload import Query
from .candidates import NODE_COUNTS
from .limits import LIMITS, Limit, without_choosing
from .loosening import (
    Choose,
    Looser,
    as_written,
    nodes_of,
    objective_of,
    smallest_change,
    spelled,
    stated_constraints,
    without,
)
from .ranking import scored
from .selection import Selection

# Of the way, in logarithms, from the stated limits to what the best choice without them needs.
SHARES = tuple(eighths / 8 for eighths in range(1, 13))

Values = dict[Limit, float]  # new value of each limit that is relaxed


def several_limits(query: Query, choose: Choose) -> list[Looser]:
    """The limits that the best choice without them misses, each at what that choice needs.

    A load is lowered last, and as little as can be: it is what users ask for.
    """
    stated = [limit for limit in LIMITS if limit.stated(query) is not None]
    limits = [limit for limit in stated if not limit.at_least]
    found = _best_together(query, limits, choose)
    if found is not None and found[0]:
        return [_together(*found)]
    for load in (limit for limit in stated if limit.at_least):
        less = smallest_change(load, partial(_ask_lifted, query, limits, choose, load))
        if less is None or less.value >= _stated(load, query):
            continue
        found = _best_together(load.restated(query, less.value), limits, choose)
        if found is not None:
            values, job, chosen = found
            return [_together(values | {load: less.value}, job, chosen)]
    return []


def with_constraints(query: Query, choose: Choose) -> list[Looser]:
    """Constraints on the machine to drop beside the limits that are missed: one, else all; more machines last."""
    names, more = stated_constraints(query), query.constraints.max_nodes is not None
    few = [(name,) for name in names] + ([tuple(names)] if len(names) > 1 else [])
    limits = [limit for limit in LIMITS if limit.stated(query) is not None and not limit.at_least]
    for dropped, most in [(some, None) for some in few] + [(some, NODE_COUNTS[-1]) for some in ((), *few) if more]:
        looser = without(query, dropped)
        if most is not None:
            looser = replace(looser, constraints=replace(looser.constraints, max_nodes=most))
        found = _best_together(looser, limits, choose)
        if found is not None:
            values, job, chosen = found
            changes: dict[str, object] = dict.fromkeys(dropped)
            if most is not None:
                changes["max_nodes"] = most = int(nodes_of(chosen).min())
            changes |= {limit.name: spelled(limit, value) for limit, value in values.items()}
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
    (first, to), *others = ((limit.name, spelled(limit, value)) for limit, value in values.items())
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
    found = scored(job, chosen, objective_of(query, job))
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
    return {limit: as_written(limit, _stated(limit, query) * more) for limit, more in missed}


def _under(query: Query, values: Values) -> Query:
    """The query with these values of its limits."""
    for limit, value in values.items():
        query = limit.restated(query, value)
    return query
