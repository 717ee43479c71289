"""Relaxations for a query without a recommendation.

Each limit and constraint is relaxed alone, to the smallest change that suffices, with the resulting cost. A time is
also relaxed to one in which the work costs much less. Where none alone suffices, several limits are relaxed
together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from ..answer import Relax
from ..demand import kind
from ..demand.job import Job
from ..hardware import ON_DEMAND, PURCHASE_NAMES, SPOT
from ..workload import Query
from . import engines, fewer_bits, offloading
from .candidates import NODE_COUNTS
from .limits import CONCURRENCY, EXPECTED_DIGITS, LIMITS, Limit, limit_masks, without_choosing
from .loosening import (
    TIMES,
    Ask,
    Choose,
    Found,
    Looser,
    found_at,
    needed_of,
    nodes_of,
    objective_of,
    smallest_change,
    spelled,
    stated_constraints,
    without,
)
from .loosening_several import several_limits, with_constraints
from .options import fixed_load
from .ranking import first_row, scored
from .rounding import figure, said
from .scores import CHEAPER
from .selection import Selection

Named = Callable[[Selection, int], str]  # a row's machines in words

# Units of what a choice is expected to reach, by the limit that is loosened.
EXPECTED = {**dict.fromkeys(TIMES, "ms"), CONCURRENCY: "at once"}
HOURS_DIGITS = 3  # of a time in words
MEASURE = "a measurement of your own (measurements) narrows its range"


def relaxations(query: Query, choose: Choose, named: Named) -> tuple[Relax, ...]:
    """Return every single relaxation that leaves a recommendation, cheapest first; the query states assumed limits.

    Without one, return that of several limits together.
    """
    ways = (_limits, _changed, _more_machines, engines.loosened, offloading.loosened, fewer_bits.loosened)
    found = [one for way in ways for one in way(query, choose)]
    found = found or several_limits(query, choose) or with_constraints(query, choose)
    relaxed = (_relax(query, one, named) for one in found)
    return tuple(sorted(relaxed, key=lambda one: (one.cost_usd is None, one.cost_usd or 0.0, one.constraint)))


def _relax(query: Query, one: Looser, named: Named) -> Relax:
    """The relaxation with the cost and time of its first choice; of a service, the cost per hour."""
    few = replace(one.chosen, feasible=one.chosen.feasible[nodes_of(one.chosen) <= one.most])
    row, options = first_row(one.job, few, scored(one.job, few, objective_of(query, one.job))), few.options
    choice = f"{named(few, row)} at {said(options.charges.usd_per_hour.item(row))} USD per hour"
    relaxed = next((limit for limit in LIMITS if limit.name == one.constraint in EXPECTED), None)
    if relaxed is not None and relaxed.expected is not None:
        middle = relaxed.expected(one.job, few.estimates, options).item(row)
        choice += f", expected {said(middle, EXPECTED_DIGITS)} {EXPECTED[relaxed.name]}"
        asked = relaxed.stated(query)
        if asked is not None and (middle >= asked if relaxed.at_least else middle <= asked):
            choice += f"; its estimate meets the limit; {MEASURE}"
    choice += f"; {one.why}" if one.why else ""
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
        choice += f"; {known}{MEASURE}"
    return Relax(
        constraint=one.constraint,
        to=one.to,
        cost_usd=figure(cost),
        estimated_hours=figure(hours) if nearly and one.constraint == "deadline" else None,
        choice=choice,
        together=one.together,
    )


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

        found = smallest_change(limit, ask)
        if found is not None:
            slower = limit.name in TIMES and fixed_load(found.job)
            later = _later(limit, found, ask) if slower or limit.name == "deadline" else None
            for one in (found, later):
                if one is not None:
                    yield Looser(limit.name, spelled(limit, one.value), one.job, one.chosen)


def _later(limit: Limit, soonest: Found, ask: Ask) -> Found | None:
    """Time of the option with the least product of cost and time; ``None`` where it saves little."""
    job, chosen = ask(None)
    cost, needed = chosen.options.cost[chosen.feasible], needed_of(limit, job, chosen)[chosen.feasible]
    best = (cost * needed).argmin()
    least = soonest.chosen.options.cost[soonest.chosen.feasible].min()
    return found_at(limit, needed.item(best), ask) if cost[best] < CHEAPER * least else None


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


def _changed(query: Query, choose: Choose) -> Iterator[Looser]:
    """Single changes of what the request says of machines and software."""
    for name, to, looser in _changes(query):
        job, chosen = choose(looser)
        if len(chosen.feasible):
            yield Looser(name, to, job, chosen)


def _changes(query: Query) -> Iterator[tuple[str, object, Query]]:
    """Each constraint dropped; permission to buy spot and to port; converters that use every vCPU.

    Rule of the last: stock-converter.
    """
    constraints, workload = query.constraints, query.workload
    for name in stated_constraints(query):
        yield name, None, without(query, (name,))
    allowed = constraints.purchase or (PURCHASE_NAMES[ON_DEMAND],)
    if PURCHASE_NAMES[SPOT] not in allowed:
        both = (*allowed, PURCHASE_NAMES[SPOT])
        yield "purchase", list(both), replace(query, constraints=replace(constraints, purchase=both))
    if not constraints.allow_porting:
        yield "allow_porting", True, replace(query, constraints=replace(constraints, allow_porting=True))
    if workload.task == kind.PREPROCESSING and workload.tuning != "tuned":
        yield "tuning", "tuned", replace(query, workload=replace(workload, tuning="tuned"))


def _more_machines(query: Query, choose: Choose) -> Iterator[Looser]:
    """The fewest machines that do, where their number is limited: by the request, or else where they exchange nothing.

    An HPC job runs on one machine unless more are stated.
    """
    if query.constraints.max_nodes is None and query.workload.task == "training":
        return
    job, chosen = choose(replace(query, constraints=replace(query.constraints, max_nodes=NODE_COUNTS[-1])))
    if len(chosen.feasible):
        fewest = int(nodes_of(chosen).min())
        yield Looser("max_nodes", fewest, job, chosen, fewest)
