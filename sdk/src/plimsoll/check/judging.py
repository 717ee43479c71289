"""Holds an answer against limits and against the answer that was stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from plimsoll._words import nothing, number, span
from plimsoll.check.changes import changes
from plimsoll.check.limits import Limits
from plimsoll.check.stored import Stored
from plimsoll.check.verdict import Failure, Verdict
from plimsoll.figures import Estimate, Range
from plimsoll.models import Answer, HardwareEstimate, Recommendation

End = Literal["high", "value"]

# A recommendation that is missing is named beside the limits.
NO_RECOMMENDATION = "recommendation"


def judge(
    plan: str,
    answer: Answer,
    limits: Limits,
    stored: Stored | None = None,
    stored_machine: HardwareEstimate | None = None,
    end: End = "high",
) -> Verdict:
    """The verdict on an answer; limits are held against ``end`` of each range, the increase against the values.

    ``stored_machine`` is what the stored answer's machine makes of the workload now.
    """
    best = answer.best
    if best is None:
        failures: tuple[Failure, ...] = (Failure(NO_RECOMMENDATION, nothing(answer)),)
    else:
        failures = (*_broken(best, limits, end), *_risen(best, limits, stored))
    return Verdict(
        plan=plan,
        answer=answer,
        failures=failures,
        changes=tuple(changes(answer, stored, stored_machine)) if stored else (),
        stored=stored.best if stored else None,
        stored_version=stored.version if stored else None,
    )


def usd_per_hour(machine: Recommendation) -> Range | None:
    """What the whole recommendation costs for an hour."""
    if machine.estimate.usd_per_hour is not None or machine.price is None:
        return machine.estimate.usd_per_hour
    whole = machine.price.usd_per_hour * machine.node_count
    return Range(whole, whole, whole)


def _broken(best: Recommendation, limits: Limits, end: End) -> Iterator[Failure]:
    held = (
        ("max_cost", limits.max_cost, best.estimate.cost_usd, "costs", "USD"),
        ("max_usd_per_hour", limits.max_usd_per_hour, usd_per_hour(best), "costs", "USD an hour"),
        ("max_hours", limits.max_hours, best.estimate.time_hours, "takes", "hours"),
    )
    for limit, allowed, found, verb, unit in held:
        if allowed is None:
            continue
        if found is None:
            yield Failure(limit, _without(limit, best.estimate), allowed=allowed)
        elif getattr(found, end) > allowed:
            yield Failure(limit, f"{verb} {_above(found, allowed, unit, end)}", getattr(found, end), allowed)


def _above(found: Range, allowed: float, unit: str, end: End) -> str:
    if found.low == found.high:
        return f"{found.value:,.4g} {unit}, more than {allowed:,.6g}"
    where = "at the high end of its range" if end == "high" else "as estimated"
    return f"{span(found)} {unit}, more than {allowed:,.6g} {where}"


def _without(limit: str, estimate: Estimate) -> str:
    if estimate.time_hours is None and limit != "max_usd_per_hour":
        return f"{limit} cannot be held: this work has no end, so limit max_usd_per_hour instead"
    return f"{limit} cannot be held: the answer has no such figure"


def _risen(best: Recommendation, limits: Limits, stored: Stored | None) -> Iterator[Failure]:
    allowed = limits.max_increase
    if allowed is None:
        return
    if stored is None:
        yield Failure("max_increase", "max_increase cannot be held: the plan has no baseline", allowed=allowed)
        return
    pair = _comparable(stored.best, best)
    if pair is None:
        words = "max_increase cannot be held: the stored answer's cost is of another kind"
        yield Failure("max_increase", words, allowed=allowed)
        return
    before, now, unit = pair
    percent = (now / before - 1) * 100
    if percent > allowed:
        words = f"costs {number(now)} {unit} instead of {number(before)}: {percent:+.1f}%, more than {allowed:g}%"
        yield Failure("max_increase", words, percent, allowed)


def _comparable(stored: Recommendation, now: Recommendation) -> tuple[float, float, str] | None:
    """What both cost, before and now, in a unit that both have; a job's whole cost before a rate."""
    for name, unit in (("cost_usd", "USD"), ("usd_per_hour", "USD an hour"), ("usd_per_million", "USD a million")):
        before, after = getattr(stored.estimate, name), getattr(now.estimate, name)
        if before is not None and after is not None and before.value > 0:
            return before.value, after.value, unit
    return None
