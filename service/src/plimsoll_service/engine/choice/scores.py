"""Scores of options by objective, lower is better, from their means under uncertainty; and the order of options.

A figure with a range is taken as log-normal, with low and high as its 10th and 90th percentiles. Its mean is
value × exp(σ² / 2), with σ = ln(high / low) / 2.563.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..columns import Lazy, columnar
from ..demand import kind
from ..demand.host_process import INFERENCE_VCPUS
from ..demand.job import Job, stated_target_ms
from ..estimate.input.pipeline import REQUESTS, THROUGHPUT
from ..hardware import Flags, Floats, Places, known_or
from ..rules import Remark
from ..units import HOURS_PER_MONTH, TINY
from .estimating import Estimates
from .options import Options, fixed_load
from .rounding import DIGITS
from .selection import Selection

DECILES = 2.563  # standard deviations between the 10th and the 90th percentile of a normal distribution
# An untried machine is taken only where it saves a fifth: 1 / 1.25 = 0.8. Rule: unproven.
UNPROVEN = 1.25
FEW_LISTINGS = 2.0  # of a marketplace, which may be had at once; each doubling beyond must save a fifth. Rule: unproven
# Below half of the vCPUs that the work needs there is no measurement: S3 goes down to 2 per device, where 4 are enough.
# An option counts as many times as its machine would have to be larger to have half, less what the estimate has of it:
# a device that cannot be fed makes a machine no worse than one without it. Inference needs 2 per device, so that its
# devices count in full. Rule: starved.
FEW_VCPUS = 0.5
# USD per GiB and month that the ranking counts for a disk of unknown price: the median of the SSD volumes that the
# five clouds in catalog/figures/disks.csv sell by default. Rule: disk-price-unknown.
UNKNOWN_DISK_USD = 0.081
# Of what a day's schedule saves, the share that counts where it starts several machines with accelerators each day: a
# start fails while the cloud has no free machine of that type. A decision of this project: no cloud publishes how often
# that is. Rule: uncertain-starts.
SEVERAL_STARTS, SAVED_FOR_SURE = 2.0, 0.5


@columnar
class Expected:
    """Means of the options that may be chosen; ``premium`` is 1.25 where nothing proves the estimate, else 1.

    On a marketplace, it is 1.25 times that for a service under load, and for each doubling of more than two listings.
    """

    cost: Floats
    time: Floats  # hours of a job, latency of a service in ms, hours per unit of work without an end
    hours: Floats  # of a job; NaN for all other work
    usd_per_rate: Lazy  # USD per hour over the throughput
    premium: Floats
    proven: Flags  # whether the estimate is, and the machines can be had: without the doubt that they stay
    starved: Floats  # half of the vCPUs needed over those provided, beside what the devices lose; at least 1
    leaving: Floats | float  # 1.25 where the data are moved to another continent, else 1
    disk: Floats  # cost with the disk over the cost without it, where its price is unknown; else 1
    starting: Floats  # what counts of a day's schedule over its cost, where its starts are uncertain; else 1

    @cached_property
    def doubt(self) -> Floats:
        """What each option counts beside its expected cost and time."""
        return self.premium * self.starved * self.leaving

    @cached_property
    def counted_cost(self) -> Floats:
        """The cost that the ranking counts."""
        return self.cost * self.disk * self.starting * self.doubt


@np.errstate(divide="ignore", invalid="ignore")  # nothing costs nothing at both ends
def mean_factor(low: Floats, high: Floats) -> Floats:
    """Return the mean of a log-normal figure over its median, from its 10th and 90th percentiles."""
    sigma = np.log(high / low) / DECILES
    factor = np.exp(sigma * sigma / 2)
    return np.where(np.isfinite(factor), factor, 1.0)


def expected_cost(options: Options, rows: Places) -> Floats:
    """Return the expected cost of the options in these rows, in the unit of ``options.cost``."""
    moving = options.charges.moving(rows)  # a list price, which has no range
    factor = mean_factor(options.cost_low[rows] - moving, options.cost_high[rows] - moving)
    return (options.cost[rows] - moving) * factor * options.priced.price_factor[rows] + moving


def expected_of(job: Job, estimates: Estimates, options: Options, rows: Places) -> Expected:
    """Return the means of the options in these rows."""
    candidates = options.candidate[rows]
    timed = not job.serves and not np.isnan(job.samples)
    if timed:
        shortest, longest = options.hours_low[rows], options.hours_high[rows]
        time = options.hours[rows] * mean_factor(shortest, longest)
        cost = _job_cost(options, rows, shortest, longest, time)
    else:
        time, cost = _time(job, estimates, candidates), expected_cost(options, rows)
    unknown = _unknown_disks(estimates, candidates)
    supported = proven(estimates, candidates)
    if job.feed is not None:  # an assumed disk that sets the pace rests on no measurement
        few = unknown[supported[unknown]]
        limit = estimates.outcome.bottleneck[candidates[few]]
        supported[few] = (limit != THROUGHPUT) & (limit != REQUESTS)
    listings = options.priced.listings[rows].nonzero()[0]
    nodes = estimates.nodes[candidates[listings]]
    supported[listings[nodes > 1]] = False
    premium = np.where(supported, 1.0, UNPROVEN)
    premium[listings] *= UNPROVEN ** np.log2(np.maximum(nodes / FEW_LISTINGS, 1.0))
    if job.serves and fixed_load(job):
        premium[listings] *= UNPROVEN
    return Expected(
        cost=cost,
        time=time,
        hours=time if timed else np.full(len(time), np.nan),
        usd_per_rate=Lazy(lambda some: _usd_per_rate(estimates, options, rows[some], candidates[some])),
        premium=premium,
        proven=supported,
        starved=_starved(job, estimates, candidates),
        leaving=1.0 if options.staging is None else options.staging.leaving[rows],
        disk=_with_disk(estimates, options, rows, candidates, unknown),
        starting=_uncertain_starts(estimates, candidates),
    )


def _uncertain_starts(estimates: Estimates, candidates: Places) -> Floats:
    """What counts of a day's schedule over what it costs: more where several rented devices start each day."""
    day, uncertain = estimates.day, np.ones(len(candidates))
    if day is None:
        return uncertain
    machines = estimates.machines
    rented = machines.has_accelerator()[candidates] & ~machines.owned[candidates]
    several = (rented & (day.starts()[candidates] >= SEVERAL_STARTS)).nonzero()[0]
    uncertain[several] += (1 - SAVED_FOR_SURE) * (1 / day.share[candidates[several]] - 1)
    return uncertain


def _starved(job: Job, estimates: Estimates, candidates: Places) -> Floats:
    """How many times each machine counts for its few vCPUs, beside the time that its devices lose for want of input."""
    few, lost = _least_vcpus(job, estimates, candidates), estimates.outcome.lost_share
    if lost is not None:
        few = few * (1 - lost[candidates])
    return np.fmax(few / estimates.machines.vcpus[candidates], 1.0)


def _least_vcpus(job: Job, estimates: Estimates, candidates: Places) -> Floats:
    """The vCPUs below which a machine counts as starved: half of those needed, and two for each device of inference."""
    needed = estimates.outcome.vcpus_required[candidates]
    if job.kind not in kind.INFERENCE_KINDS:
        return FEW_VCPUS * needed
    each = INFERENCE_VCPUS * estimates.machines.devices[candidates]
    return np.fmax(FEW_VCPUS * needed, np.fmin(needed, each))


def _unknown_disks(estimates: Estimates, candidates: Places) -> Places:
    """Places of rented machines whose volumes have no known price, nor a known speed."""
    few = (estimates.product[candidates] < 0).nonzero()[0]
    own = estimates.machines.owned[candidates[few]]
    unknown: Places = few[~(own | estimates.outcome.local_disk[candidates[few]])]
    return unknown


def _with_disk(estimates: Estimates, options: Options, rows: Places, candidates: Places, unknown: Places) -> Floats:
    """Cost with the disk over the cost without it, of machines whose disk has no known price."""
    factor, some = np.ones(len(rows)), candidates[unknown]
    usd = estimates.nodes[some] * estimates.outcome.disk.size_gib[some] * (UNKNOWN_DISK_USD / HOURS_PER_MONTH)
    factor[unknown] += usd / options.whole_usd_per_hour[rows[unknown]]
    return factor


def _job_cost(options: Options, rows: Places, shortest: Floats, longest: Floats, time: Floats) -> Floats:
    """Expected cost of a job of that expected time: the same as ``expected_cost``, and found sooner.

    Where the hours are billed as they are, also the ``shortest``, the cost has the same mean over its middle as they.
    """
    if options.staging is not None:
        return expected_cost(options, rows)
    cost: Floats = options.cost[rows] * (time / options.hours[rows]) * options.priced.price_factor[rows]
    few = options.charges.billed.rounds(shortest, rows).nonzero()[0]
    if len(few):
        some = rows[few]
        low, high = (options.charges.job_usd(hours[few], some) for hours in (shortest, longest))
        cost[few] = options.cost[some] * mean_factor(low, high) * options.priced.price_factor[some]
    return cost


def _usd_per_rate(estimates: Estimates, options: Options, rows: Places, candidates: Places) -> Floats:
    outcome = estimates.outcome
    factor = mean_factor(outcome.capacity_low[candidates], outcome.capacity_high[candidates])
    rate = np.maximum(outcome.capacity[candidates], TINY)
    return options.whole_usd_per_hour[rows] * options.priced.price_factor[rows] * factor / rate


def proven(estimates: Estimates, candidates: Places) -> Flags:
    """Return the candidates whose estimate rests on measurements and whose software is known to run."""
    return estimates.machines.proven[candidates] & ~estimates.grounds.untested[candidates]


def _time(job: Job, estimates: Estimates, candidates: Places) -> Floats:
    """Expected time by which options of work without an end are compared."""
    outcome = estimates.outcome
    if job.serves:
        low, high = outcome.latency_low_ms[candidates], outcome.latency_high_ms[candidates]
        return outcome.latency_ms[candidates] * mean_factor(low, high)
    slow, fast = outcome.throughput_low[candidates], outcome.throughput_high[candidates]
    return mean_factor(slow, fast) / outcome.throughput[candidates]


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
# DeepSeek-R1 (mlcommons/inference_policies@ac93e89c, inference_rules.adoc, 2026-07-23). MLPerf counts no answer beyond
# it: from there on the wait counts in full. Rule: first-token.
FIRST_TOKEN_MS = 2000.0
# Longer prompts may take longer: for Llama 3.1 405B MLPerf allows 6 s to prompts of 9,400 tokens in the mean (the same
# rules; mlcommons.org/2025/04/llm-inference-v5). Rule: first-token.
LONG_PROMPT, LONG_PROMPT_MS = 9_400.0, 6000.0
# After ten seconds people turn to other work (Nielsen, Usability Engineering, 1993): from there on half of the wait is
# worth a fifth more money beside, so that no machine is first for being as much cheaper as it is slower. Rules:
# first-token, slow-answers.
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
    late: Floats = np.maximum(first_ms / soon, 1.0)
    return late * np.maximum(first_ms / max(LONGEST_WAIT_MS, soon), 1.0) ** WORTH_OF_TIME


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
    recompiled = estimates.machines.compiled_chip[candidates]
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
    for few, dearer in ((machines.rebuilt_chip, REBUILT), (machines.compiled_chip, RECOMPILED)):
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
