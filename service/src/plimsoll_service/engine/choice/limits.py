"""Limits that a request states: one table with a row per limit.

Each limit is compared with the unfavourable end of the estimate's range; of the user's own machines, an assumed target
with its middle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Any, Literal

import numpy as np

from ..answer import Meets
from ..demand.job import Job, bounds_ms
from ..hardware import SPOT, Flags, Floats
from ..rules import RuleId
from ..units import GIB
from ..workload import NO_TARGET, Query
from .estimating import Estimates
from .options import Options
from .rounding import said, said_beside

EXPECTED_DIGITS = 3  # of a figure beside its end
NEVER_HOURS = 10 * 365 * 24.0  # ten years: a run that is interrupted faster than it makes progress does not end
# Data that the unknown disk of a marketplace's listing is taken to hold: a decision of this project, as much as a disk
# that the syntax page of SkyPilot shows, whose list has them (docs.skypilot.co, read 2026-11-23). Rule: marketplace.
LISTING_DISK_GIB = 256


@dataclass(frozen=True)
class Limit:
    """A limit on recommendations.

    ``reached`` is the figure of each option at the unfavourable end of its range. It must be at most the limit, or at
    least the limit with ``at_least``.
    """

    name: str  # in ``rejected``, ``relax`` and ``why_not``
    part: Literal["workload", "constraints"]
    field: str
    reached: Callable[[Job, Estimates, Options], Floats]
    rule: RuleId
    text: str  # of a machine that misses it: its figure (expected, then at its end), then the limit
    expected: Callable[[Job, Estimates, Options], Floats] | None = None  # the figure at the middle, before its end
    end: Callable[[Job, Estimates, Options], Floats] | None = None  # that end, where it is not always what is compared
    at_least: bool = False
    chooses: bool = False  # only among estimates and offers: no estimate depends on it
    priced: bool = False  # unknown without a price
    asks_for_cost: bool = False  # if stated, the default objective is cost
    meets: str | None = None  # its name in the answer's ``meets``
    lifted: str | None = None  # what a request writes for none, where one is assumed
    would: str = ""  # what machines that miss it would do
    nearly: str = ""  # what those do that miss it at the end of their range alone: the figure, then at its end

    def stated(self, query: Query) -> float | None:
        """Return the limit of a query; ``None`` if it states none."""
        value: float | str | None = getattr(getattr(query, self.part), self.field)
        return None if isinstance(value, str) else value

    def restated(self, query: Query, value: float | None) -> Query:
        """Return the query with another value of this limit, or without the limit."""
        stated = self.lifted if value is None else value
        changed: Any = {self.part: replace(getattr(query, self.part), **{self.field: stated})}
        return replace(query, **changed)

    def met(self, job: Job, estimates: Estimates, options: Options) -> Flags | None:
        """Return the options that meet the limit; ``None`` if it is not stated or does not apply."""
        value = self.stated(job.query)
        if value is None or (self.name == CONCURRENCY and estimates.outcome.serving is None):
            return None
        reached = self.reached(job, estimates, options)
        return reached >= value if self.at_least else reached <= value

    def fails(self, job: Job, estimates: Estimates, options: Options, row: int) -> str:
        """Return what an option that misses the limit would do; of a job, its figures where the middle meets it."""
        asked = self.stated(job.query)
        if job.serves or not self.nearly or self.expected is None or asked is None:
            return self.would
        middle, high = (of(job, estimates, options).item(row) for of in (self.expected, self.reached))
        return self.nearly.format(said(middle), said(high)) if middle <= asked else self.would

    def missed(self, job: Job, estimates: Estimates, options: Options) -> str:
        """Return a text with the figure of the only option and the limit that it misses."""
        value, asked = (self.end or self.reached)(job, estimates, options).item(0), self.stated(job.query)
        if not isfinite(value):
            return f"does not meet the stated {self.name.replace('_', ' ')}"
        figures = [said_beside(value, asked or 0.0), said(asked or 0.0)]
        if self.expected is not None:
            figures.insert(0, said(self.expected(job, estimates, options).item(0), EXPECTED_DIGITS))
        return self.text.format(*figures)


def units_of(job: Job, estimates: Estimates) -> float:
    """Units that a request adds to the rate of a service: the tokens of its answer, or one sample."""
    return float(job.workload.output_tokens or 1) if estimates.outcome.serving is not None else 1.0


def _rate(job: Job, estimates: Estimates, options: Options) -> Floats:
    serving = estimates.outcome.serving
    possible = estimates.outcome.capacity if serving is None else serving.possible[:]
    return options.each(possible / units_of(job, estimates))


def overloaded(job: Job, estimates: Estimates) -> bool:
    """Whether the only candidate may fall ever further behind the asked rate, whatever its targets."""
    outcome, rate = estimates.outcome, job.workload.requests_per_second
    surely = outcome.capacity_low if outcome.serving is None else outcome.serving.possible_low
    return rate is not None and surely[:].item(0) < rate * units_of(job, estimates)


def _requests_per_second(job: Job, estimates: Estimates, options: Options) -> Floats:
    return options.each(estimates.outcome.capacity_low[:] / units_of(job, estimates))


def _surely(job: Job, estimates: Estimates, options: Options) -> Floats:
    """The low end whatever the targets where the rate misses that, as the middle beside it is; else within them."""
    serving = estimates.outcome.serving
    if serving is None or not overloaded(job, estimates):
        return _requests_per_second(job, estimates, options)
    return options.each(serving.possible_low[:] / units_of(job, estimates))


Reached = Callable[[Job, Estimates, Options], Floats]


def _of_outcome(name: str) -> Reached:
    return lambda _job, estimates, options: options.each(getattr(estimates.outcome, name)[:])


def _of_serving(name: str, otherwise: Reached) -> Reached:
    """That figure of each option that serves a language model; of other work another."""

    def reached(job: Job, estimates: Estimates, options: Options) -> Floats:
        serving = estimates.outcome.serving
        return otherwise(job, estimates, options) if serving is None else options.each(getattr(serving, name)[:])

    return reached


def _by_target(target: str, slowest: Reached, expected: Reached) -> Reached:
    """The slow end; where the target is assumed, the middle for the user's own machines."""

    def reached(job: Job, estimates: Estimates, options: Options) -> Floats:
        slow = slowest(job, estimates, options)
        if target not in job.assumed_targets:
            return slow
        return np.where(options.each(estimates.machines.owned), expected(job, estimates, options), slow)

    return reached


def _no_time(_job: Job, _estimates: Estimates, options: Options) -> Floats:
    return np.zeros(len(options))


_expected_token, _slowest_token = (_of_serving(name, _no_time) for name in ("tpot_p95_ms", "tpot_p95_high_ms"))
_expected_answer = _of_serving("end_to_end_p95_ms", _of_outcome("latency_ms"))
_slowest_answer = _of_serving("end_to_end_p95_high_ms", _of_outcome("latency_high_ms"))
_each_token = _by_target("tpot_ms", _slowest_token, _expected_token)
RATE, CONCURRENCY = "requests_per_second", "concurrency"
# Of a load: what is missing, or left over, is what equal machines differ by (4 to 6% of the speed of a GPU: throughput
# study, section 6).
NEARLY_ALL = 0.95
# In the order in which rejected options are counted.
LIMITS = (
    Limit(
        "max_usd_per_hour", "constraints", "max_usd_per_hour",
        lambda _job, _estimates, options: options.whole_usd_per_hour,
        RuleId("budget-at-high-end"), "costs {} USD per hour; the limit is {} USD per hour",
        chooses=True, priced=True, asks_for_cost=True, would="would exceed the cost per hour",
    ),
    Limit(
        "deadline", "workload", "deadline_hours",
        lambda _job, _estimates, options: options.hours_high[:],
        RuleId("deadline-at-high-end"), "takes {} h, at most {} h; the deadline is {} h",
        lambda _job, _estimates, options: options.hours[:],
        chooses=True, asks_for_cost=True, meets="deadline",
        would="would miss the deadline", nearly="may miss the deadline: {} h, at most {} h",
    ),
    Limit(
        "budget", "workload", "budget_usd",
        lambda _job, _estimates, options: options.cost_high[:],
        RuleId("budget-at-high-end"), "costs {} USD, at most {} USD; the budget is {} USD",
        lambda _job, _estimates, options: options.cost[:],
        chooses=True, priced=True, asks_for_cost=True, meets="budget",
        would="would exceed the budget", nearly="may exceed the budget: {} USD, at most {} USD",
    ),
    Limit(
        "latency", "workload", "latency_ms",
        _of_outcome("latency_high_ms"),
        RuleId("latency-at-high-end"), "the p95 latency is {} ms, at most {} ms; the target is {} ms",
        _of_outcome("latency_ms"),
        meets="latency",
        would="would miss the latency target", nearly="has a p95 latency of {} ms, at most {} ms",
    ),
    Limit(
        "tpot", "workload", "tpot_ms", _each_token,
        RuleId("latency-at-high-end"), "the p95 time per token is {} ms, at most {} ms; the target is {} ms",
        _expected_token, _slowest_token,
        meets="tpot", lifted=NO_TARGET,
        would="would miss the target of each token", nearly="has a p95 time per token of {} ms, at most {} ms",
    ),
    Limit(
        "end_to_end", "workload", "end_to_end_ms",
        _by_target("end_to_end_ms", _slowest_answer, _expected_answer),
        RuleId("latency-at-high-end"), "the p95 time of an answer is {} ms, at most {} ms; the target is {} ms",
        _expected_answer, _slowest_answer,
        meets="end_to_end", lifted=NO_TARGET,
        would="would miss the target of the whole answer",
        nearly="has a p95 time of an answer of {} ms, at most {} ms",
    ),
    Limit(
        RATE, "workload", "requests_per_second", _requests_per_second,
        RuleId("rate-at-low-end"), "serves {} requests per second, at least {}; the load is {}", _rate,
        _surely,
        at_least=True, asks_for_cost=True, meets="rate",
        would="would not serve the load", nearly="serves up to {} requests per second, at least {}",
    ),
    Limit(
        CONCURRENCY, "workload", "concurrency", _of_serving("max_concurrency", _requests_per_second),
        RuleId("rate-at-low-end"), "the maximum concurrency is {}, at least {}; the requested concurrency is {}",
        _of_serving("expected_concurrency", _rate),
        at_least=True, asks_for_cost=True, would="would not hold the users",
    ),
)  # fmt: skip
# Conditions that no request states: the data have a place, the run ends, and its cost is known.
CHECKS = {
    "slowest_token": (RuleId("slowest-token"), "a user may wait more than a second for each token"),
    "disk": (
        RuleId("marketplace"),
        f"the data are more than {LISTING_DISK_GIB} GiB, and the disk of a listing is of unknown size",
    ),
    "interruptions": (RuleId("spot-expected-time"), "the run is interrupted faster than it makes progress"),
    "estimate": (RuleId("no-price-no-recommendation"), "the cost cannot be estimated"),
}


def limit_masks(job: Job, estimates: Estimates, options: Options) -> dict[str, Flags]:
    """Return the options that pass each stated limit and check, in the order of counting."""
    found = ((limit.name, limit.met(job, estimates, options)) for limit in LIMITS)
    masks = {name: met for name, met in found if met is not None}
    if job.feed is not None and job.feed.stored_bytes > LISTING_DISK_GIB * GIB:
        masks["disk"] = ~options.priced.listings
    if options.priced.on_spot:
        masks["interruptions"] = ~((options.purchase == SPOT) & (options.hours > NEVER_HOURS))
    pace = bounds_ms(job).get("tpot_ms")
    if pace is not None and "tpot" not in masks and estimates.outcome.serving is not None:
        masks["slowest_token"] = _each_token(job, estimates, options) <= pace
    masks["estimate"] = np.isfinite(options.cost)
    return masks


def misses(job: Job, estimates: Estimates, options: Options) -> Iterator[tuple[str, bool, RuleId, str]]:
    """Yield (name, whether it needs a price, rule, text) of each limit and check that the only option fails."""
    masks = limit_masks(job, estimates, options)
    missed = [limit for limit in LIMITS if limit.name in masks and not masks[limit.name][0]]
    for limit in missed:
        # A load that is carried too slowly misses the target alone.
        carried = limit.name == RATE and not overloaded(job, estimates)
        if not carried or missed == [limit]:
            yield limit.name, limit.priced, limit.rule, limit.missed(job, estimates, options)
    for name, (rule, text) in CHECKS.items():
        if name in masks and not masks[name][0]:
            yield name, name == "estimate", rule, text


def roomy(job: Job, estimates: Estimates, options: Options) -> Flags:
    """Return the options of a service that carry more than the stated load, by more than equal machines differ."""
    found = np.full(len(options), True)
    for limit in LIMITS:
        asked = limit.stated(job.query) if limit.at_least else None
        if asked is not None and job.serves:
            found &= NEARLY_ALL * limit.reached(job, estimates, options) >= asked
    return found


def without_choosing(query: Query) -> Query:
    """Return the query without the limits that only choose among estimates and offers.

    Those of the workload are lifted, not left out: that there is one may say that the work ends.
    """
    for limit in LIMITS:
        if limit.chooses and limit.stated(query) is not None:
            query = limit.restated(query, None if limit.part == "constraints" else inf)
    return query


def met_by_recommendations(job: Job) -> Meets:
    """Return that each stated limit is met; a recommendation meets all of them."""
    stated = {limit.meets: True for limit in LIMITS if limit.meets and limit.stated(job.query) is not None}
    return Meets(**stated)


def met_by(job: Job, estimates: Estimates, options: Options, priced: bool) -> Meets:
    """Return whether the only option meets each stated limit; ``None`` for costs without a price."""
    found = {limit: limit.met(job, estimates, options) for limit in LIMITS if limit.meets}
    known = {limit: met for limit, met in found.items() if met is not None and (priced or not limit.priced)}
    return Meets(**{limit.meets: bool(met[0]) for limit, met in known.items() if limit.meets})
