"""Notes on inference: cold start, an amount of requests, a day's load, spare replicas."""

from __future__ import annotations

from collections.abc import Iterator

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.details import Detail
from plimsoll_service.engine.choice.rounding import counted, said
from plimsoll_service.engine.choice.shown_estimates import unit_of
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.rules import estimate
from plimsoll_service.engine.units import SECONDS_PER_MINUTE

SHORT_SECONDS = 90.0  # a longer time is said in minutes
START_WORDS = ("boot", "container", "weights fetched", "weights loaded", "engine")  # in the order of ``ColdStart``


def inference_notes(job: Job, one: Detail) -> Iterator[Note]:
    """Yield the reasons on the cold start, on a job's machines, on a day's load and on spare replicas."""
    if one.start:
        parts = [f"{words} {_seconds(part)}" for words, part in zip(START_WORDS, one.start, strict=True) if part >= 1]
        yield estimate.COLD_START.note(f"a new machine answers after {_seconds(sum(one.start))}: {', '.join(parts)}")
    if job.kind in kind.INFERENCE_KINDS and not job.serves:
        does = "works through" if one.nodes == 1 else "share"
        yield estimate.INFERENCE_JOB.note(f"{counted(one.nodes, 'machine')} {does} {_amount(job)}")
    if one.by_hour:
        least, most = min(one.by_hour), max(one.by_hour)
        many = f"{least:.0f} to {counted(most, 'machine')}" if least < most else f"{counted(most, 'machine')} all day"
        yield estimate.DAY_LOAD.note(f"{many}; usd_per_hour is the mean of the day")
    if job.workload.spare_replicas:
        spare = counted(float(job.workload.spare_replicas), "replica")
        yield estimate.SPARE_REPLICAS.note(f"{spare} beyond the load, within {counted(one.nodes, 'machine')}")


def _amount(job: Job) -> str:
    """Amount of inference with an end, in the words of the request."""
    workload = job.workload
    for amount, words in ((workload.hours_of_audio, "hours of audio"), (workload.requests, "requests")):
        if amount is not None:
            return f"{said(amount)} {words}"
    if workload.tokens is not None and job.kind == kind.SERVING:
        return f"{said(workload.tokens)} output tokens"
    return f"{said(workload.tokens or job.samples)} {unit_of(job).removesuffix('/s')}"


def _seconds(seconds: float) -> str:
    return f"{said(seconds, 2)} s" if seconds < SHORT_SECONDS else f"{said(seconds / SECONDS_PER_MINUTE, 2)} min"
