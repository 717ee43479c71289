"""What to loosen where nothing is left: each limit and constraint alone, the least that would do, the cost then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

import numpy as np

from plimsoll_service.engine.answer import Relax
from plimsoll_service.engine.choice.candidates import most_nodes
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.choice.shown import figure
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.inference import BATCHES
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.workload import Constraints, Query

Choose = Callable[[Query], tuple[Job, Selection]]  # what another query would have to choose from

# The caller's own terms: dropping them loosens nothing.
TERMS = ("own_machines", "discounts", "commitments", "retired")
TIGHTER = 0.98  # what differs by less is one target
# Limits of the workload, by the name that ``rejected`` counts them under.
LIMITS = {
    "deadline": "deadline_hours",
    "budget": "budget_usd",
    "latency": "latency_ms",
    "requests_per_second": "requests_per_second",
    "concurrency": "concurrency",
}


def relaxations(query: Query, choose: Choose) -> tuple[Relax, ...]:
    """Every single loosening that would leave something to recommend, cheapest first."""
    found = [*_limits(query, choose), *_constraints(query, choose)]
    return tuple(sorted(found, key=lambda one: (one.cost_usd is None, one.cost_usd or 0.0, one.constraint)))


def _limits(query: Query, choose: Choose) -> Iterator[Relax]:
    """Limits with a number, each to the least loosening that leaves something."""
    for name, field in LIMITS.items():
        if getattr(query.workload, field) is not None:
            without: dict[str, Any] = {field: None}
            looser = replace(query, workload=replace(query.workload, **without))
            found = _least(name, looser, choose)
            yield from _tightest_latency(query, found, choose) if name == "latency" else found
    if query.constraints.max_usd_per_hour is not None:
        looser = replace(query, constraints=replace(query.constraints, max_usd_per_hour=None))
        yield from _least("max_usd_per_hour", looser, choose)


def _tightest_latency(query: Query, found: Iterator[Relax], choose: Choose) -> Iterator[Relax]:
    """Under a target smaller batches are run: the target that was found is tightened while something meets it."""
    for relax in found:
        least = relax
        for _ in BATCHES:
            tight = float(str(least.to)) * TIGHTER
            _, chosen = choose(replace(query, workload=replace(query.workload, latency_ms=tight)))
            if not len(chosen.feasible):
                break
            met = chosen.scored.outcome.latency_high_ms[chosen.options.candidate[chosen.feasible]]
            least = replace(least, to=_shown("latency", float(met.min())))
        yield least


def _least(name: str, looser: Query, choose: Choose) -> Iterator[Relax]:
    """The value of a limit at which the first option passes, and what that option costs."""
    job, chosen = choose(looser)
    if not len(chosen.feasible):
        return
    values = _needed(name, job, chosen)[chosen.feasible]
    best = int(chosen.feasible[np.lexsort((chosen.options.cost[chosen.feasible], values))[0]])
    yield Relax(name, _shown(name, float(abs(values.min()))), _cost(job, chosen, best))


def _needed(name: str, job: Job, chosen: Selection) -> Floats:
    """What each option would need the limit to be; rates are negative, since less is looser."""
    options, outcome = chosen.options, chosen.scored.outcome
    row = options.candidate
    if name == "deadline":
        return options.hours_high[:]
    if name == "budget":
        return options.cost_high[:]
    if name == "max_usd_per_hour":
        return options.whole_usd_per_hour
    if name == "latency":
        return outcome.latency_high_ms[row]
    room = _room(job, chosen)
    if name == "concurrency" and outcome.serving is not None:
        most: Floats = outcome.serving.max_concurrency[row]
        return -most * room
    requests = outcome.capacity_low[row] / float(job.workload.output_tokens or 1)
    return -requests * room


def _room(job: Job, chosen: Selection) -> Floats:
    """How many times the candidate's machines may be had: by ``max_nodes``, and by what all may cost an hour."""
    room = np.floor(most_nodes(job) / chosen.scored.nodes[chosen.options.candidate])
    hourly = job.query.constraints.max_usd_per_hour
    return room if hourly is None else np.minimum(room, np.floor(hourly / chosen.options.whole_usd_per_hour))


def _shown(name: str, value: float) -> object:
    """The value to set: rounded up (rates down), so that it really suffices."""
    if name in ("requests_per_second", "concurrency"):
        return float(np.floor(value * 100) / 100) if value < 1 else float(np.floor(value))
    rounded = float(np.ceil(value * 100) / 100)
    return f"{rounded:.2f}h" if name == "deadline" else rounded


def _cost(job: Job, chosen: Selection, option: int) -> float | None:
    timed = job.kind not in kind.INFERENCE_KINDS and not np.isnan(job.samples)
    return figure(chosen.options.cost[option]) if timed else None


def _constraints(query: Query, choose: Choose) -> Iterator[Relax]:
    """Constraints on the machine, each dropped alone."""
    for item in fields(Constraints):
        stated = getattr(query.constraints, item.name)
        if stated in (None, (), False) or item.name in (*TERMS, "max_usd_per_hour"):
            continue
        looser = replace(query, constraints=replace(query.constraints, **{item.name: None}))
        job, chosen = choose(looser)
        if len(chosen.feasible):
            best = chosen.feasible[int(np.argmin(chosen.options.cost[chosen.feasible]))]
            yield Relax(item.name, None, _cost(job, chosen, int(best)))
