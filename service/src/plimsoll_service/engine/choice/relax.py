"""What to loosen where nothing is left: each limit to the least that would do, each constraint dropped, and the cost then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

import numpy as np

from plimsoll_service.engine.answer import Relax
from plimsoll_service.engine.choice.figures import figure
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.own import OwnMachines
from plimsoll_service.engine.choice.selection import Selection, select
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Flags, Floats
from plimsoll_service.engine.workload import Constraints, Query

# Constraints that describe the caller's own terms; dropping them loosens nothing.
TERMS = ("own_machines", "discounts", "retired")


def relaxations(job: Job, market: Market, own: OwnMachines, chosen: Selection) -> tuple[Relax, ...]:
    """Every single loosening that would leave something to recommend, cheapest first."""
    found = [*_limits(job, chosen), *_constraints(job.query, market, own)]
    return tuple(sorted(found, key=lambda one: (one.cost_usd is None, one.cost_usd or 0.0, one.constraint)))


def _limits(job: Job, chosen: Selection) -> Iterator[Relax]:
    """Limits with a number: the least value at which something passes that passes all else."""
    options, outcome = chosen.options, chosen.scored.outcome
    row = options.candidate
    needed: dict[str, Floats] = {
        "deadline": options.hours_high,
        "budget": options.cost_high,
        "max_usd_per_hour": options.whole_usd_per_hour,
        "latency": outcome.latency_high_ms[row],
    }
    for name, values in needed.items():
        if name not in chosen.failed:
            continue
        rest = _all(mask for other, mask in chosen.failed.items() if other != name)
        able = np.flatnonzero(rest & np.isfinite(values))
        if len(able):
            best = able[np.lexsort((options.cost[able], values[able]))[0]]
            yield Relax(name, _shown(name, float(values[best])), _cost(job, chosen, int(best)))


def _all(masks: Iterator[Flags]) -> Flags:
    return np.logical_and.reduce(list(masks))


def _shown(name: str, value: float) -> object:
    """The value to set, rounded up so that it really suffices."""
    rounded = float(np.ceil(value * 100) / 100)
    return f"{rounded:.2f}h" if name == "deadline" else rounded


def _cost(job: Job, chosen: Selection, option: int) -> float | None:
    timed = job.kind not in kind.INFERENCE_KINDS and not np.isnan(job.samples)
    return figure(chosen.options.cost[option]) if timed else None


def _constraints(query: Query, market: Market, own: OwnMachines) -> Iterator[Relax]:
    """Constraints on the machine, each dropped alone."""
    for item in fields(Constraints):
        stated = getattr(query.constraints, item.name)
        if stated in (None, (), False) or item.name in (*TERMS, "max_usd_per_hour"):
            continue
        looser = replace(query, constraints=replace(query.constraints, **{item.name: None}))
        job = job_of(looser)
        chosen = select(job, market, own)
        if len(chosen.feasible):
            best = chosen.feasible[int(np.argmin(chosen.options.cost[chosen.feasible]))]
            yield Relax(item.name, None, _cost(job, chosen, int(best)))
