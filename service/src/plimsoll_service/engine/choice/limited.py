"""Limits that only choose among estimates and offers: deadline, budget, price an hour. What is left under others."""

from __future__ import annotations

from dataclasses import replace

from plimsoll_service.engine.choice.limits import limit_masks
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.workload import Query

CHOOSING = ("deadline", "budget", "max_usd_per_hour")


def without_limits(query: Query) -> Query:
    """The query without those limits."""
    return replace(
        query,
        workload=replace(query.workload, deadline_hours=None, budget_usd=None),
        constraints=replace(query.constraints, max_usd_per_hour=None),
    )


def limited(query: Query, job: Job, chosen: Selection) -> tuple[Job, Selection]:
    """The job of the query itself, and what its limits leave of the options; the others are of it without them."""
    asked = query.workload
    workload = replace(job.workload, deadline_hours=asked.deadline_hours, budget_usd=asked.budget_usd)
    own = replace(job, query=replace(query, workload=workload), workload=workload)
    feasible = chosen.feasible
    for passing in limit_masks(own, chosen.estimates, chosen.options).values():
        feasible = feasible[passing[feasible]]
    return own, replace(chosen, feasible=feasible)
