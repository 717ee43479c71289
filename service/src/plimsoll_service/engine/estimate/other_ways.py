"""Other ways to run the same work: where one is faster, software that is free to take it does.

Tuned software is what vendors made of the stock one, so that it can still run as that. Where TF32 is allowed, libraries
choose between kernels on matrix units and on plain ones. (Mixed precision is no such choice: it casts, and small
batches were measured slower with it than in fp32.)
"""

from __future__ import annotations

from dataclasses import replace

from plimsoll_service.engine.demand.job import Job


def other_ways(job: Job) -> tuple[Job, ...]:
    """The jobs that no estimate of this one may be slower than."""
    ways = [job]
    if job.tuned:
        ways += [_stock(way) for way in ways]
    if job.precision == "tf32":
        ways += [_single(way) for way in ways]
    return tuple(ways[1:])


def _stock(job: Job) -> Job:
    return replace(job, tuned=False, workload=replace(job.workload, tuning="stock"))


def _single(job: Job) -> Job:
    return replace(job, precision="fp32", workload=replace(job.workload, precision="fp32"))
