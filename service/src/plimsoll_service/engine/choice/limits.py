"""Limits on the answer: deadline, budget, price an hour, latency, rate; each is held against the cautious end."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.choice.estimating import Scored
from plimsoll_service.engine.choice.options import Options
from plimsoll_service.engine.choice.shelf import SPOT
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Flags

NEVER_HOURS = 10 * 365 * 24.0  # ten years: a run that is interrupted faster than it gets on does not end


def limit_masks(job: Job, scored: Scored, options: Options) -> dict[str, Flags]:
    """Per stated limit the options that meet it, in the order in which they are counted."""
    workload, outcome = job.workload, scored.outcome
    masks: dict[str, Flags] = {}
    hourly = job.query.constraints.max_usd_per_hour
    if hourly is not None:
        masks["max_usd_per_hour"] = options.whole_usd_per_hour <= hourly
    if workload.deadline_hours is not None:
        masks["deadline"] = options.hours_high[:] <= workload.deadline_hours
    if workload.budget_usd is not None:
        masks["budget"] = options.cost_high[:] <= workload.budget_usd
    if workload.latency_ms is not None:
        masks["latency"] = options.each(outcome.latency_high_ms[:] <= workload.latency_ms)
    if workload.requests_per_second is not None:
        rate = workload.requests_per_second * units_of(job, scored)
        masks["requests_per_second"] = options.each(outcome.capacity_low[:] >= rate)
    if workload.concurrency is not None and outcome.serving is not None:
        masks["concurrency"] = options.each(outcome.serving.max_concurrency[:] >= workload.concurrency)
    if options.priced.on_spot:
        masks["interruptions"] = ~((options.purchase == SPOT) & (options.hours > NEVER_HOURS))
    masks["estimate"] = np.isfinite(options.cost)
    return masks


def units_of(job: Job, scored: Scored) -> float:
    """What a request adds to the rate of a service: the tokens of its answer, or one sample."""
    return float(job.workload.output_tokens or 1) if scored.outcome.serving is not None else 1.0
