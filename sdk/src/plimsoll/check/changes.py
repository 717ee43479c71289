"""What differs between the stored answer and that of now: machine, price, cost, time, and the question itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from plimsoll._words import number
from plimsoll.check.stored import Stored
from plimsoll.check.verdict import Change
from plimsoll.models import Answer, HardwareEstimate, Recommendation

_FIGURES = (
    ("cost_usd", "cost", "USD"),
    ("time_hours", "time", "hours"),
    ("usd_per_hour", "cost of an hour", "USD"),
    ("usd_per_million", "cost of a million", "USD"),
)


def changes(answer: Answer, stored: Stored, stored_machine: HardwareEstimate | None) -> Iterator[Change]:
    """Each difference; ``stored_machine`` tells what the stored machine costs now."""
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
        return "unsaid"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
