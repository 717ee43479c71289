"""The verdict on an answer: the limits that it breaks, and its differences from the stored answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from plimsoll._json import decode
from plimsoll._words import number, span
from plimsoll.check.plan import Limits
from plimsoll.errors import BadAnswer
from plimsoll.figures import Estimate, Range
from plimsoll.models import Answer, HardwareEstimate, Recommendation

End = Literal["high", "value"]

# Stands for a missing recommendation, beside the names of limits.
NO_RECOMMENDATION = "recommendation"
_FIGURES = (
    ("cost_usd", "cost", "USD"),
    ("time_hours", "time", "hours"),
    ("usd_per_hour", "cost of an hour", "USD"),
    ("usd_per_million", "cost of a million", "USD"),
)


@dataclass(frozen=True)
class Failure:
    """A broken limit, or the reason why it cannot be judged; ``found`` and ``allowed`` are in the limit's unit."""

    limit: str
    text: str
    found: float | None = None
    allowed: float | None = None


@dataclass(frozen=True)
class Change:
    """A difference between the stored and the new answer; ``percent`` where both are figures."""

    what: str
    before: str | float | None
    now: str | float | None
    text: str
    percent: float | None = None


@dataclass(frozen=True)
class Verdict:
    """A plan's answer, the limits that it breaks, and its differences from the stored answer."""

    plan: str
    answer: Answer
    failures: tuple[Failure, ...]
    changes: tuple[Change, ...] = ()
    stored: Recommendation | None = None
    stored_version: str | None = None

    @property
    def passed(self) -> bool:
        """Whether no limit is broken."""
        return not self.failures


@dataclass(frozen=True)
class Stored:
    """A stored answer, and its first recommendation."""

    answer: Answer
    best: Recommendation

    @property
    def version(self) -> str:
        """Version of the prices behind the answer."""
        return self.answer.catalog.version

    @property
    def machine(self) -> Any:
        """Its machine in the form that estimates take; ``None`` for an own machine, which is not in the catalog."""
        if self.best.instance_type is None or self.best.cloud == "own":
            return None
        named = {"region": self.best.region, "purchase": self.best.purchase}
        return {
            "cloud": self.best.cloud,
            "instance_type": self.best.instance_type,
            "node_count": self.best.node_count,
            **{name: value for name, value in named.items() if value is not None},
        }


def stored_answer(document: Any) -> Stored:
    """Return the answer of a document; raises ``ValueError`` if it is no answer, or has no recommendation."""
    if not isinstance(document, Mapping):
        raise ValueError("no answer: an object expected")
    try:
        answer = decode(Answer, document)
    except BadAnswer as error:
        raise ValueError(f"no answer: {error}") from error
    if answer.best is None:
        raise ValueError("the stored answer has no recommendation")
    return Stored(answer, answer.best)


def judge(
    plan: str,
    answer: Answer,
    limits: Limits,
    stored: Stored | None = None,
    stored_machine: HardwareEstimate | None = None,
    end: End = "high",
) -> Verdict:
    """Return the verdict on an answer; limits apply to ``end`` of each range, the increase applies to the values.

    ``stored_machine`` is the new estimate on the stored answer's machine.
    """
    best = answer.best
    if best is None:
        failures: tuple[Failure, ...] = (Failure(NO_RECOMMENDATION, str(answer)),)
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
    """Hourly price of the whole recommendation, USD."""
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
        return f"{limit} cannot be checked: this work has no end; limit max_usd_per_hour instead"
    return f"{limit} cannot be checked: the answer has no such figure"


def _risen(best: Recommendation, limits: Limits, stored: Stored | None) -> Iterator[Failure]:
    allowed = limits.max_increase
    if allowed is None:
        return
    if stored is None:
        yield Failure("max_increase", "max_increase cannot be checked: the plan has no baseline", allowed=allowed)
        return
    pair = _comparable(stored.best, best)
    if pair is None:
        words = "max_increase cannot be checked: the stored answer's cost is of another kind"
        yield Failure("max_increase", words, allowed=allowed)
        return
    before, now, unit = pair
    percent = (now / before - 1) * 100
    if percent > allowed:
        words = f"costs {number(now)} {unit} instead of {number(before)}: {percent:+.1f}%, more than {allowed:g}%"
        yield Failure("max_increase", words, percent, allowed)


def _comparable(stored: Recommendation, now: Recommendation) -> tuple[float, float, str] | None:
    """Return the cost before and now, with its unit: the cost of the job, or else a price that both answers have."""
    for name, unit in (("cost_usd", "USD"), ("usd_per_hour", "USD an hour"), ("usd_per_million", "USD a million")):
        before, after = getattr(stored.estimate, name), getattr(now.estimate, name)
        if before is not None and after is not None and before.value > 0:
            return before.value, after.value, unit
    return None


def changes(answer: Answer, stored: Stored, stored_machine: HardwareEstimate | None) -> Iterator[Change]:
    """Yield each difference; ``stored_machine`` has the new price of the stored machine."""
    yield from _words("prices", stored.version, answer.catalog.version)
    yield from _price(stored, stored_machine)
    if answer.best is not None:
        yield from _machine(stored.best, answer.best)
        for name, what, unit in _FIGURES:
            before, now = getattr(stored.best.estimate, name), getattr(answer.best.estimate, name)
            if before is not None and now is not None:
                yield from _figure(what, before.value, now.value, unit)
    yield from _question(stored.answer.workload, answer.workload)


def _machine(stored: Recommendation, best: Recommendation) -> Iterator[Change]:
    for name in ("cloud", "region", "instance_type", "node_count", "purchase"):
        before, now = getattr(stored, name), getattr(best, name)
        yield from _words(name.replace("_", " "), before, now)


def _price(stored: Stored, machine: HardwareEstimate | None) -> Iterator[Change]:
    if machine is None or stored.best.price is None:
        return
    what = f"price of {stored.best.instance_type}"
    before = stored.best.price.usd_per_hour
    if machine.price is None:
        yield Change(what, before, None, f"{what}: {number(before)} USD an hour → no price")
    else:
        yield from _figure(what, before, machine.price.usd_per_hour, "USD an hour")


def _figure(what: str, before: float, now: float, unit: str) -> Iterator[Change]:
    if before == now:
        return
    percent = (now / before - 1) * 100 if before else None
    moved = "" if percent is None else f" ({percent:+.1f}%)"
    yield Change(what, before, now, f"{what}: {before:,.4g} → {now:,.4g} {unit}{moved}", percent)


def _words(what: str, before: Any, now: Any) -> Iterator[Change]:
    if before != now:
        yield Change(what, before, now, f"{what}: {before} → {now}")


def _question(stored: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Change]:
    for name in dict.fromkeys((*stored, *now)):
        before, after = stored.get(name), now.get(name)
        if before != after:
            text = f"workload {name}: {_written(before)} → {_written(after)}"
            yield Change(f"workload.{name}", _written(before), _written(after), text)


def _written(value: Any) -> str:
    if value is None:
        return "not given"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
