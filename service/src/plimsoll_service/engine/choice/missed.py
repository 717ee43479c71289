"""By how much a machine misses a stated limit, in words."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, nan

from plimsoll_service.engine.choice.estimating import Scored
from plimsoll_service.engine.choice.limits import units_of
from plimsoll_service.engine.choice.options import Options
from plimsoll_service.engine.choice.rounding import figure
from plimsoll_service.engine.demand.job import Job

Reached = Callable[[Job, Scored, Options], float]  # by the only candidate under its only option

WHOLE_FROM = 1e4  # from here on no digit behind the point is shown
# By the name of the limit: what is said, and the figures in it: what the machine comes to, and what was asked.
MISSED: dict[str, tuple[str, Reached, Reached]] = {
    "deadline": (
        "may take {} hours; {} are allowed",
        lambda _job, _scored, options: options.hours_high[:].item(0),
        lambda job, *_: job.workload.deadline_hours or 0.0,
    ),
    "budget": (
        "may cost {} USD; {} are allowed",
        lambda _job, _scored, options: options.cost_high[:].item(0),
        lambda job, *_: job.workload.budget_usd or 0.0,
    ),
    "max_usd_per_hour": (
        "costs {} USD an hour; {} are allowed",
        lambda _job, _scored, options: options.whole_usd_per_hour.item(0),
        lambda job, *_: job.query.constraints.max_usd_per_hour or 0.0,
    ),
    "latency": (
        "may answer only after {} ms; {} are allowed",
        lambda _job, scored, _options: scored.outcome.latency_high_ms[:].item(0),
        lambda job, *_: job.workload.latency_ms or 0.0,
    ),
    "requests_per_second": (
        "may carry only {} requests a second of the {}",
        lambda job, scored, _options: scored.outcome.capacity_low[:].item(0) / units_of(job, scored),
        lambda job, *_: job.workload.requests_per_second or 0.0,
    ),
    "concurrency": (
        "holds {} requests at once of the {}",
        lambda _job, scored, _options: _at_once(scored),
        lambda job, *_: job.workload.concurrency or 0.0,
    ),
}


def missed(name: str, job: Job, scored: Scored, options: Options) -> str:
    """What the machine comes to and what was asked; where that is unknown, that it misses the limit."""
    if name in MISSED:
        text, reached, asked = MISSED[name]
        value = reached(job, scored, options)
        if isfinite(value):
            return text.format(_said(value), _said(asked(job, scored, options)))
    return f"misses {name.replace('_', ' ')} at the cautious end of its range"


def _at_once(scored: Scored) -> float:
    serving = scored.outcome.serving
    return nan if serving is None else float(serving.max_concurrency[:].item(0))


def _said(value: float) -> str:
    """A number as it is read: no more digits than an answer shows, and none as a power of ten."""
    shown = figure(value)
    return f"{shown:,.0f}" if shown >= WHOLE_FROM else f"{shown:g}"
