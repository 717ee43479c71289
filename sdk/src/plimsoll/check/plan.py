"""Plans: questions by name, each with limits for its answer and the stored answer that it is compared with."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

QUESTION = ("workload", "constraints", "objective", "limit", "group")
MEMBERS = (*QUESTION, "snapshot", "baseline", "limits")
# The name of a file's only plan.
ALONE = "plan"
_SEVERAL = "plans"
_OBJECTS = ("workload", "constraints", "limits")
_TEXTS = ("snapshot", "baseline", "objective")


@dataclass(frozen=True)
class Limits:
    """Upper limits: USD of the job, USD an hour, hours, and percent of cost above the stored answer's."""

    max_cost: float | None = None
    max_usd_per_hour: float | None = None
    max_hours: float | None = None
    max_increase: float | None = None

    def stricter(self, other: Limits) -> Limits:
        """Return the lower value of each limit."""
        return Limits(**{name: _lower(getattr(self, name), getattr(other, name)) for name in LIMITS})


LIMITS = tuple(field.name for field in fields(Limits))


def limit_of(name: str, value: Any) -> float:
    """Return a limit as a number; ``max_increase`` may be ``10%`` or 10. Raises ``ValueError`` for anything else."""
    percent = name == "max_increase"
    text = str(value).strip().removesuffix("%") if percent else str(value)
    wanted = "a percentage such as 10%" if percent else "a number"
    try:
        number = math.nan if isinstance(value, bool) else float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or number < 0:
        raise ValueError(f"must be {wanted}, 0 or above, not {value!r}")
    return number


def _lower(one: float | None, other: float | None) -> float | None:
    return min((each for each in (one, other) if each is not None), default=None)


@dataclass(frozen=True)
class Plan:
    """A question and the limits of its answer; ``baseline`` is the file of the stored answer."""

    name: str
    question: Mapping[str, Any]
    limits: Limits = field(default_factory=Limits)
    snapshot: str | None = None
    baseline: str | None = None


class PlanFaults(ValueError):
    """A document that is not a plan; ``faults`` lists everything that is wrong with it."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def plans_of(document: Any) -> tuple[Plan, ...]:
    """Return the plans of a document: one, or several by name under ``plans``; raises ``PlanFaults``."""
    if not isinstance(document, Mapping):
        raise PlanFaults(("/: an object expected",))
    several = document.get(_SEVERAL)
    if several is None:
        found = {ALONE: (document, "")}
        faults: list[str] = []
    elif isinstance(several, Mapping) and several:
        found = {str(name): (plan, f"/{_SEVERAL}/{name}") for name, plan in several.items()}
        faults = [f"/{name}: stands beside {_SEVERAL}" for name in document if name != _SEVERAL]
        # A line break in a name could pass for another line of the report, or for a workflow command.
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
