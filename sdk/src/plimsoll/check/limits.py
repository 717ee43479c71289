"""What a plan may cost and take."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Limits:
    """The most that is allowed: USD of the job, USD an hour, hours, and percent of cost above the stored answer's."""

    max_cost: float | None = None
    max_usd_per_hour: float | None = None
    max_hours: float | None = None
    max_increase: float | None = None

    def stricter(self, other: Limits) -> Limits:
        """Of each limit the lower one."""
        return Limits(**{name: _lower(getattr(self, name), getattr(other, name)) for name in LIMITS})


LIMITS = tuple(field.name for field in fields(Limits))


def limit_of(name: str, value: Any) -> float:
    """A limit as a number, that of ``max_increase`` as ``10%`` or 10; raises ``ValueError`` with what it takes."""
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
