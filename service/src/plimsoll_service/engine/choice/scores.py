"""Scores of options by objective, lower is better, and the order of options."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..columns import columnar
from ..demand import kind
from ..demand.job import Job, stated_target_ms
from ..hardware import Flags, Floats, Places, known_or
from ..rules import Remark
from ..units import TINY
from .estimating import Estimates
from .expected import Expected, expected_of
from .options import Options, fixed_load
from .rounding import DIGITS
from .selection import Selection

# Factors of ``balanced`` for special software: 1.1 for AMD's ROCm, which runs the same programs rebuilt, and 1.5 for
# chips with a compiler of their own (Neuron, TPU, Gaudi). Rule: objective-balanced.
# Software that is untested there must be tried first, and a run on several machines needs a launcher and shared
# storage: also 1.1 each. So does a learner that takes several devices by a process for each, which Dask starts, and a
# trainer that is set up for one.
REBUILT, RECOMPILED, UNTRIED, DISTRIBUTED = 1.10, 1.50, 1.10, 1.10
BY_PROCESSES = ("xgboost",)  # doc/tutorials/dask.rst; rule: boosting-on-several-gpus
# Recompiling a service costs work whatever its size (S4-16): a week per year, 40 h at 110 USD over 8,760 h.
RECOMPILED_USD_PER_HOUR = 0.50
# Half the time is worth a fifth more money: 2^0.26 = 1.20. Rule: objective-balanced. From 0.253 to 0.263, 16 vCPUs are
# the best of cost and speed together on both networks of S2-12; below, 8 vCPUs are, and above, the GPU.
WORTH_OF_TIME = 0.26
# Prices are per hour: of two jobs that take less than one, the shorter is worth no more. Rule: objective-balanced.
NOTICEABLE_HOURS = 1.0
# ``balanced`` takes more machines where fewer need over a week, and beyond it time weighs twice as much: nobody plans
# to wait so long unless asked. Rules: nodes-needed, objective-balanced.
LONGEST_RUN_HOURS = 168.0
# Latencies that are shorter than 200 ms are hardly worth money.
NOTICEABLE_MS = 200.0
# Time to the first token that MLPerf Inference allows servers of Llama 3.1 8B, Llama 2 70B, Mixtral 8x7B and
# DeepSeek-R1 (mlcommons/inference_policies@ac93e89c, inference_rules.adoc, 2026-07-23). Rule: first-token.
FIRST_TOKEN_MS = 2000.0
# Longer prompts may take longer: for Llama 3.1 405B MLPerf allows 6 s to prompts of 9,400 tokens in the mean (the same
# rules; mlcommons.org/2025/04/llm-inference-v5). Rule: first-token.
LONG_PROMPT, LONG_PROMPT_MS = 9_400.0, 6000.0
# After ten seconds people turn to other work (Nielsen, Usability Engineering, 1993): from there on, the wait counts in
# full, so that no machine is first for being as much cheaper as it is slower. Rules: first-token, slow-answers.
LONGEST_WAIT_MS = 10_000.0
# Of another's expected cost or time: what an engineer would take more machines or a risk for. A decision of this
# project: a fifth, which half the time is worth (above), is more than the tenth that no estimate is sure of.
CHEAPER = 0.8
ROUNDING = 10.0 ** (2 - DIGITS)  # relative; larger than the difference of two values that are shown alike


@columnar
class Scored:
    """The feasible options with their scores; lower is better."""

    objective: str
    rows: Places
    scores: Floats
    expected: Expected
    listed: Flags  # those in as few machines as the objective allows
    first: int = -1  # place of the option that comes first though another has a better score
    over: int = -1  # place of the option that it was preferred to
    why: Remark | None = None  # the reason for that, without the figures of the two


def score_of(job: Job, estimates: Estimates, options: Options, objective: str, rows: Places) -> Floats:
    """Return the score of the options in these rows."""
    means = expected_of(job, estimates, options, rows)
    return score(job, estimates, options, objective, rows, means)


def best_of(job: Job, chosen: Selection, found: Scored, places: Places) -> int:
    """Place of the best of some options, wherever they stand in the catalog."""
    scores = found.scores[places]
    near = places[scores <= with_equals(scores.min())]
    if len(near) == 1:
        return near.item()
    best = order(job, chosen.estimates, chosen.options, found.rows[near], found.scores[near])[0]
    return near.item(best)


def independent(job: Job, nodes: Floats) -> Flags:
    """Whether so many machines do runs that exchange nothing, each of them on one machine."""
    return (job.experiments > 1) & (nodes <= job.experiments)


def duration(job: Job, estimates: Estimates, options: Options) -> Floats:
    """Return the hours of a job, the latency of a service in ms, or the time of one unit of work without an end."""
    if job.serves:
        return options.each(estimates.outcome.latency_ms)
    if not np.isnan(job.samples):
        return options.hours
    slowness: Floats = 1 / estimates.outcome.throughput
    return options.each(slowness)


def score(job: Job, estimates: Estimates, options: Options, objective: str, rows: Places, means: Expected) -> Floats:
    """Return the score of the options in these rows; lower is better."""
    if objective == "time":
        return means.time * means.doubt
    if objective == "performance_per_cost" and job.workload.requests_per_second is None:
        usd_per_rate: Floats = means.usd_per_rate[:]
        return usd_per_rate * means.disk * means.doubt
    if objective != "balanced":  # of a stated rate, what costs least does most for its price
        return means.counted_cost * awaited_token(job, means.time)
    software = _software(job, estimates, options, rows)
    return means.counted_cost * _worth(job, estimates, options, rows, means) * software


def unhurried(job: Job) -> bool:
    """Whether a service has a stated load, and no stated time within which it answers."""
    return job.serves and fixed_load(job) and stated_target_ms(job) is None


def awaited_token(job: Job, first_ms: Floats) -> Floats | float:
    """Return the weight of a late first token in ``cost``, where users state no latency. Rule: first-token."""
    if job.kind != kind.SERVING or not unhurried(job):
        return 1.0
    soon = soon_ms(job)
    late: Floats = np.maximum(first_ms / soon, 1.0) ** WORTH_OF_TIME
    return late * np.maximum(first_ms / max(LONGEST_WAIT_MS, soon), 1.0)


def soon_ms(job: Job) -> float:
    """Return the time to the first token that is soon enough; what a cache holds of a prompt is no reason to wait."""
    asked = job.workload
    read = (asked.input_tokens or 0) * (1 - (asked.prefix_cache_hit_rate or 0.0))
    return max(FIRST_TOKEN_MS, LONG_PROMPT_MS * read / LONG_PROMPT)


def _worth(job: Job, estimates: Estimates, options: Options, rows: Places, means: Expected) -> Floats | float:
    """Weight of time in ``balanced``; work without an end is compared by cost alone."""
    if job.serves:
        return np.sqrt(NOTICEABLE_MS + _awaited(job, estimates, options, rows, means))
    if np.isnan(job.samples):
        return 1.0
    noticed = np.maximum(means.time, NOTICEABLE_HOURS)
    return (noticed * np.maximum(means.time / LONGEST_RUN_HOURS, 1.0)) ** WORTH_OF_TIME


def _awaited(job: Job, estimates: Estimates, options: Options, rows: Places, means: Expected) -> Floats:
    """Latency that ``balanced`` uses; for a service without a given load, that of a single request."""
    lone, workload = estimates.outcome.lone_latency_ms, job.workload
    if lone is not None and workload.requests_per_second is None and workload.concurrency is None:
        return lone[options.candidate[rows]]
    return means.time


def _software(job: Job, estimates: Estimates, options: Options, rows: Places) -> Floats:
    """Factor for special software; recompiling a service costs at least a fixed sum per hour."""
    candidates = options.candidate[rows]
    factor = special_software(job, estimates, candidates)
    if not job.serves:
        return factor
    least = 1 + RECOMPILED_USD_PER_HOUR / np.maximum(options.whole_usd_per_hour[rows], TINY)
    recompiled = estimates.machines.compiled_chip()[candidates]
    return np.where(recompiled, np.maximum(factor, least), factor)


def special_software(job: Job, estimates: Estimates, candidates: Places) -> Floats:
    """Return 1 for CPUs and NVIDIA, and more for programs that are rebuilt, recompiled, untested or distributed."""
    machines, nodes = estimates.machines, estimates.nodes[candidates]
    together = ~np.isnan(estimates.outcome.hours[candidates]) & (nodes > 1)  # replicas of a service do not communicate
    together &= ~independent(job, nodes)
    if (job.learner in BY_PROCESSES and job.training) or job.one_device:
        together |= estimates.outcome.devices_used[candidates] > 1
    factor = np.where(together, DISTRIBUTED, 1.0)
    factor[estimates.grounds.untested[candidates]] *= UNTRIED
    for few, dearer in ((machines.rebuilt_chip(), REBUILT), (machines.compiled_chip(), RECOMPILED)):
        factor[few[candidates]] *= dearer
    return factor


def order(job: Job, estimates: Estimates, options: Options, rows: Places, scores: Floats) -> Places:
    """Return the order of the rows, best first: by score, cost, time, throughput, fewer and larger machines, name.

    ``scores`` are those of the rows.
    """
    time, cost, mine = firsts = rounded(np.array([duration(job, estimates, options)[rows], options.cost[rows], scores]))
    keys = (time, cost, mine)
    places = np.lexsort(keys)
    before, after = firsts[:, places[:-1]], firsts[:, places[1:]]
    if not np.logical_or.reduce((before < after) | (before > after)).all():  # some are equal in all three
        places = np.lexsort((*_among_equals(estimates, options, rows), *keys))
    return places


def _among_equals(estimates: Estimates, options: Options, rows: Places) -> tuple[NDArray[Any], ...]:
    """Tie-break columns for options with the same score, cost and time; the last column decides first."""
    candidate, machines = options.candidate[rows], estimates.machines
    return (
        options.purchase[rows],
        options.priced.name_order[rows],
        -known_or(machines.local_disk_gb[candidate]),
        -known_or(machines.network_gbps[candidate]),
        -machines.count[candidate],
        -machines.memory_gib[candidate],
        -machines.vcpus[candidate],
        estimates.nodes[candidate],
        -estimates.outcome.capacity[candidate],
        options.priced.price_sigma[rows],  # of equals, a certain price first
    )


def with_equals(last: float) -> float:
    """A bound that includes every score that may round to the last one."""
    return last + abs(last) * ROUNDING


def rounded(values: Floats) -> Floats:
    """Round to the digits that are shown; a difference beyond them makes no machine better."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        magnitude = 10.0 ** (DIGITS - 1 - np.floor(np.log10(np.abs(values))))
        scaled = np.rint(values * magnitude) / magnitude
    return np.where(np.isfinite(scaled), scaled, values)
