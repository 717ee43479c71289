"""Plans: questions by name, each with what its answer may cost and the stored answer that it is held against."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from plimsoll.check.limits import LIMITS, Limits, limit_of

QUESTION = ("workload", "constraints", "objective", "limit")
MEMBERS = (*QUESTION, "snapshot", "baseline", "limits")
# The name of a plan that stands in a file alone.
ALONE = "plan"
_SEVERAL = "plans"
_OBJECTS = ("workload", "constraints", "limits")
_TEXTS = ("snapshot", "baseline", "objective")


@dataclass(frozen=True)
class Plan:
    """A question, and what is asked of its answer; ``baseline`` is the file of the stored answer."""

    name: str
    question: Mapping[str, Any]
    limits: Limits = field(default_factory=Limits)
    snapshot: str | None = None
    baseline: str | None = None


class PlanFaults(ValueError):
    """A document is no plan; ``faults`` names everything that is wrong with it."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def plans_of(document: Any) -> tuple[Plan, ...]:
    """The plans of a document: one, or several by name under ``plans``; raises ``PlanFaults``."""
    if not isinstance(document, Mapping):
        raise PlanFaults(("/: an object expected",))
    several = document.get(_SEVERAL)
    if several is None:
        found = {ALONE: (document, "")}
        faults: list[str] = []
    elif isinstance(several, Mapping) and several:
        found = {str(name): (plan, f"/{_SEVERAL}/{name}") for name, plan in several.items()}
        faults = [f"/{name}: stands beside {_SEVERAL}" for name in document if name != _SEVERAL]
        # A line break in a name could pass for a line of the report, or for a command to what reads it.
        faults += [f"/{_SEVERAL}: the name {name!r} is not printable" for name in found if not name.isprintable()]
    else:
        raise PlanFaults((f"/{_SEVERAL}: an object expected, of plans by name",))
    for plan, at in found.values():
        faults += _faults(plan, at)
    if faults:
        raise PlanFaults(tuple(faults))
    return tuple(_plan(name, plan) for name, (plan, _) in found.items())


def _plan(name: str, document: Mapping[str, Any]) -> Plan:
    said = {limit: limit_of(limit, value) for limit, value in (document.get("limits") or {}).items()}
    return Plan(
        name=name,
        question={member: document[member] for member in QUESTION if member in document},
        limits=Limits(**said),
        snapshot=document.get("snapshot"),
        baseline=document.get("baseline"),
    )


def _faults(document: Any, at: str) -> Iterator[str]:
    if not isinstance(document, Mapping):
        yield f"{at}: an object expected"
        return
    if "workload" not in document:
        yield f"{at}/workload: is required"
    for name, value in document.items():
        if name not in MEMBERS:
            yield f"{at}/{name}: unknown member{_guess(name, MEMBERS)}"
        elif name in _OBJECTS and not isinstance(value, Mapping):
            yield f"{at}/{name}: an object expected"
        elif name == "workload" and not value:
            yield f"{at}/{name}: is empty; its task is enough"
        elif name in _TEXTS and not isinstance(value, str):
            yield f"{at}/{name}: text expected"
        elif name == "limits":
            yield from _limit_faults(value, f"{at}/{name}")


def _limit_faults(limits: Mapping[str, Any], at: str) -> Iterator[str]:
    for name, value in limits.items():
        if name not in LIMITS:
            yield f"{at}/{name}: unknown limit{_guess(name, LIMITS)}"
            continue
        try:
            limit_of(name, value)
        except ValueError as error:
            yield f"{at}/{name}: {error}"


def _guess(name: object, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(str(name), known, n=1)
    return f"; did you mean '{close[0]}'?" if close else f" (one of {', '.join(known)})"
