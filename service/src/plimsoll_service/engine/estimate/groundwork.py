"""What is worked out of a job before the amount of its work counts; jobs that differ in that alone share it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import fields, replace
from operator import attrgetter
from threading import Lock
from typing import Any, TypeVar

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.array_bytes import array_bytes
from plimsoll_service.engine.estimate.kept import Kept
from plimsoll_service.engine.workload import Constraints, Dataset, Workload

# Of one question: what precedes the batch, the plans at a few batches, or a step at each batch tried.
MOST_MADE = 16
# A worker process keeps its own. Where nothing is left of a question, each loosened constraint is a kind of its own.
MOST_BYTES = 6 * 1024 * 1024
MOST_COMMON_BYTES = 6 * 1024 * 1024
SOME_RATE = 1.0  # that requests come one by one decides how a service runs; how many they are does not

Found = TypeVar("Found")


class Groundwork:
    """The groundwork of a job on one set of candidates, made from ``job``, which has no amounts to depend on.

    Threads may share it: two that miss the same thing at once both make it, and one of the equal results stays.
    """

    def __init__(self, job: Job) -> None:
        self.job = without_amounts(job)
        self._made: OrderedDict[tuple[Hashable, ...], Any] = OrderedDict()
        self._lock = Lock()

    def of(self, make: Callable[[Job], Found], name: str, *key: Hashable) -> Found:
        """What ``make`` makes of the job; ``name`` and ``key`` tell all else that it depends on."""
        known = (name, *key)
        with self._lock:
            found: Found | None = self._made.get(known)
            if found is not None:
                self._made.move_to_end(known)
                return found
        found = make(self.job)
        with self._lock:
            self._made[known] = found
            if len(self._made) > MOST_MADE:
                self._made.popitem(last=False)
        return found

    def nbytes(self) -> int:
        """Bytes of the arrays that are kept for this kind alone."""
        with self._lock:
            made = tuple(self._made.values())
        return array_bytes(made)


class Grounds:
    """The groundwork of the last few kinds of jobs on one market, and what they have in common; for any thread."""

    def __init__(self, most_bytes: int = MOST_BYTES, most_common_bytes: int = MOST_COMMON_BYTES) -> None:
        self._kinds = Kept[Groundwork](most_bytes, Groundwork.nbytes)
        self._common = Kept[Any](most_common_bytes, array_bytes)

    def of(self, job: Job) -> Groundwork:
        """What was worked out for jobs that differ from this one in the amount of work alone."""
        return self._kinds.of(kind_key(job), lambda: Groundwork(job))

    def common(self, make: Callable[[], Found], name: str, *key: Hashable) -> Found:
        """What kinds of jobs have in common that agree in ``key``: all that it depends on."""
        found: Found = self._common.of((name, *key), make)
        return found


# What a job's kind does not tell, and what stands for it: data, epochs, tokens, operations, deadline and budget. The
# model's profile says all that a model's name or description does.
AMOUNTS: dict[str, Any] = {
    "model": None,
    "dataset": Dataset(),
    "epochs": None,
    "tokens": None,
    "flops": None,
    "deadline_hours": None,
    "budget_usd": None,
}
# Where and how machines are rented decides what they cost, not what they do.
OF_SALE: dict[str, Any] = {
    "regions": None,
    "purchase": None,
    "max_usd_per_hour": None,
    "discounts": None,
    "quotas": None,
    "commitments": None,
}
OF_JOB: dict[str, Any] = {"assumptions": (), "samples": 0.0, "feed": None}


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
