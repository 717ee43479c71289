"""Kind of work of a job: all but its amounts, shared by many jobs."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any

from ..workload import Constraints, Dataset, Workload
from .job import Job

SOME_RATE = 1.0  # that requests come one by one decides how a service runs; how many they are does not
# Fields that are no part of the kind, with their replacements: data and other amounts, deadline and budget.
# The model's profile tells as much as the model's name or description.
AMOUNTS: dict[str, Any] = {
    "model": None,
    "dataset": Dataset(),
    "epochs": None,
    "tokens": None,
    "requests": None,
    "hours_of_audio": None,
    "requests_per_second_by_hour": None,
    "flops": None,
    "deadline_hours": None,
    "budget_usd": None,
    "measurements": None,  # the job's anchoring tells what they say
}
# Place and terms of a rent decide the price of machines, not their work.
OF_SALE: dict[str, Any] = {
    "regions": None,
    "purchase": None,
    "max_usd_per_hour": None,
    "price_confidence": None,
    "discounts": None,
    "quotas": None,
    "commitments": None,
}
OF_JOB: dict[str, Any] = {"assumptions": (), "samples": 0.0, "feed": None, "answer_bytes": 0.0}


def _all_but(kind: type, *names: str) -> Callable[[Any], Hashable]:
    return attrgetter(*(column.name for column in fields(kind) if column.name not in names))


_WORKLOAD_KIND = _all_but(Workload, *AMOUNTS, "requests_per_second")
_CONSTRAINTS_KIND = _all_but(Constraints, *OF_SALE)
_JOB_KIND = _all_but(Job, *OF_JOB, "workload", "query", "coefficients")


def kind_key(job: Job) -> Hashable:
    """Equal for jobs whose ``without_amounts`` are equal, and found much sooner."""
    workload, query = job.workload, job.query
    return (
        _JOB_KIND(job),
        id(job.coefficients),  # few, large, and kept by the job that is kept
        _WORKLOAD_KIND(workload),
        workload.requests_per_second is None,
        _CONSTRAINTS_KIND(query.constraints),
        query.objective == "time",
    )


def without_amounts(job: Job) -> Job:
    """The job without ``AMOUNTS``, rate and terms of sale."""
    workload, query = job.workload, job.query
    rate = None if workload.requests_per_second is None else SOME_RATE
    bare = replace(workload, **AMOUNTS, requests_per_second=rate)
    asked = replace(
        query,
        workload=bare,
        constraints=replace(query.constraints, **OF_SALE),
        objective="time" if query.objective == "time" else None,
        limit=1,
    )
    return replace(job, query=asked, workload=bare, **OF_JOB)


def at_its_rate(job: Job) -> Job:
    """The job without other amounts than its rate, which decides how a given number of machines is laid out."""
    bare = without_amounts(job)
    workload = replace(bare.workload, requests_per_second=job.workload.requests_per_second)
    return replace(bare, workload=workload, query=replace(bare.query, workload=workload))
