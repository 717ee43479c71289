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
from plimsoll_service.engine.workload import Constraints, Dataset, Workload

# Of one question: the candidates, what precedes the batch, the plans at a few batches, or a step at each batch tried.
MOST_MADE = 16
# A worker process keeps its own. Where nothing is left of a question, each loosened constraint is a kind of its own.
MOST_BYTES = 12 * 1024 * 1024
MOST_SHELVES = 8  # a fifth of a megabyte each
SOME_RATE = 1.0  # that requests come one by one decides how a service runs; how many they are does not

Found = TypeVar("Found")


class Groundwork:
    """The groundwork of a job on one set of candidates, made from ``job``, which has no amounts to depend on.

    Threads may share it: two that miss the same thing at once both make it, and one of the equal results stays.
    """

    def __init__(self, job: Job) -> None:
        self.job = without_amounts(job)
        self.nbytes = 0  # of the arrays that are kept
        self._made: OrderedDict[tuple[Hashable, ...], tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def of(self, make: Callable[[Job], Found], name: str, *key: Hashable) -> Found:
        """What ``make`` makes of the job; ``name`` and ``key`` tell all else that it depends on."""
        known = (name, *key)
        with self._lock:
            kept = self._made.get(known)
            if kept is not None:
                self._made.move_to_end(known)
        if kept is None:
            made = make(self.job)
            kept = made, array_bytes(made)
            with self._lock:
                self._forget(known)  # what another thread made of it meanwhile
                self._made[known] = kept
                self.nbytes += kept[1]
                if len(self._made) > MOST_MADE:
                    self._forget(next(iter(self._made)))
        found: Found = kept[0]
        return found

    def _forget(self, known: tuple[Hashable, ...]) -> None:
        _, size = self._made.pop(known, (None, 0))
        self.nbytes -= size


class Grounds:
    """The groundwork of the last few kinds of jobs on one market; threads may share it."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._kept: OrderedDict[Hashable, Groundwork] = OrderedDict()
        self._shelves: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def of(self, job: Job) -> Groundwork:
        """What was worked out for jobs that differ from this one in the amount of work alone."""
        key = kind_key(job)
        with self._lock:
            ground = self._kept.get(key)
            if ground is None:
                ground = self._kept[key] = Groundwork(job)
                self._make_room()
            else:
                self._kept.move_to_end(key)
        return ground

    def shelf(self, key: Hashable, make: Callable[[], Found]) -> Found:
        """What all kinds of jobs under the same constraints have in common; ``key`` tells all that it depends on."""
        with self._lock:
            found = self._shelves.get(key)
            if found is not None:
                self._shelves.move_to_end(key)
        if found is None:
            found = make()
            with self._lock:
                self._shelves[key] = found
                if len(self._shelves) > MOST_SHELVES:
                    self._shelves.popitem(last=False)
        shelf: Found = found
        return shelf

    def _make_room(self) -> None:
        """Forget the kinds that were asked for the longest ago; the newest has yet to be worked out."""
        size = sum(ground.nbytes for ground in self._kept.values())
        while size > self._most_bytes:
            _, oldest = self._kept.popitem(last=False)
            size -= oldest.nbytes


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
