"""What is worked out of a job before the amount of its work counts; jobs that differ in that alone share it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, TypeVar

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.workload import Dataset

# Of one question: the candidates, what precedes the batch, the plans at a few batches, or a step at each batch tried.
MOST_MADE = 16
MOST_KINDS = 16  # each is a few megabytes; where nothing is left, every constraint's loosening is a kind of its own
SOME_RATE = 1.0  # that requests come one by one decides how a service runs; how many they are does not

Found = TypeVar("Found")


class Groundwork:
    """The groundwork of a job on one set of candidates, made from ``job``, which has no amounts to depend on."""

    def __init__(self, job: Job) -> None:
        self.job = without_amounts(job)
        self._made: OrderedDict[tuple[Hashable, ...], Any] = OrderedDict()

    def of(self, make: Callable[[Job], Found], name: str, *key: Hashable) -> Found:
        """What ``make`` makes of the job; ``name`` and ``key`` tell all else that it depends on."""
        known = (name, *key)
        if known not in self._made:
            self._made[known] = make(self.job)
            if len(self._made) > MOST_MADE:
                self._made.popitem(last=False)
        self._made.move_to_end(known)
        found: Found = self._made[known]
        return found


class Grounds:
    """The groundwork of the last few kinds of jobs on one market."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Job, Groundwork] = OrderedDict()

    def of(self, job: Job) -> Groundwork:
        """What was worked out for jobs that differ from this one in the amount of work alone."""
        fresh = Groundwork(job)
        ground = self._kept.setdefault(fresh.job, fresh)
        self._kept.move_to_end(fresh.job)
        if len(self._kept) > MOST_KINDS:
            self._kept.popitem(last=False)
        return ground


def without_amounts(job: Job) -> Job:
    """The job without data, epochs, tokens, operations, rate, deadline, budget and price; hashable, unlike a job.

    The model's profile says all that a model's name or description does.
    """
    workload, query = job.workload, job.query
    bare = replace(
        workload,
        model=None,
        dataset=Dataset(),
        epochs=None,
        tokens=None,
        flops=None,
        requests_per_second=None if workload.requests_per_second is None else SOME_RATE,
        deadline_hours=None,
        budget_usd=None,
    )
    asked = replace(
        query,
        workload=bare,
        constraints=replace(query.constraints, max_usd_per_hour=None),
        objective="time" if query.objective == "time" else None,
        limit=1,
    )
    return replace(job, query=asked, workload=bare, assumptions=(), samples=0.0, feed=None)
