"""Sizes and durations: a number in the unit of the field's name, or a string with its own unit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from marshmallow import ValidationError

from ...engine.units import GB, GIB, SECONDS_PER_HOUR, TB
from ...engine.workload import NO_TARGET
from .bounds import MOST_HOURS, MOST_TEXT
from .fields import Number, is_number, number_or_text, shown

_DECIMAL = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_BINARY = {"KI": 2.0**10, "MI": 2.0**20, "GI": 2.0**30, "TI": 2.0**40, "PI": 2.0**50}
BYTES_OF = {f"{prefix}B": factor for prefix, factor in (_DECIMAL | _BINARY).items()}
# In milliseconds, so that "2s" is exactly 2000 ms.
MS_OF = {"ms": 1.0, "s": 1e3, "m": 6e4, "min": 6e4, "h": 3.6e6, "d": 24 * 3.6e6, "w": 168 * 3.6e6}
# The plain English words, singular; a plural has an "s".
_WORDS = {"millisecond": "ms", "second": "s", "minute": "min", "hour": "h", "day": "d", "week": "w"}
SIZE_UNITS = {"bytes": 1.0, "gb": GB, "gib": GIB, "tb": TB}
DURATION_UNITS = {"ms": "ms", "minutes": "min", "hours": "h"}

_NUMBER = r"(?P<number>[0-9]{1,18}(?:\.[0-9]{1,18})?(?:[eE][+-]?[0-9]{1,2})?)"
_SIZE = re.compile(rf"{_NUMBER}\s*(?P<unit>(?:[kKmMgGtTpP][iI]?)?[bB])", re.ASCII)
_DURATION = re.compile(
    rf"{_NUMBER}\s*(?:(?P<unit>ms|s|min|m|h|d|w)|(?P<word>{'|'.join(_WORDS)})s?)", re.ASCII | re.IGNORECASE
)
_PART = r"(?:[0-9]{1,9}(?:\.[0-9]{1,9})?)"
_ISO_DURATION = re.compile(
    rf"P(?=[0-9T])(?:(?P<w>{_PART})W)?(?:(?P<d>{_PART})D)?"
    rf"(?:T(?=[0-9])(?:(?P<h>{_PART})H)?(?:(?P<m>{_PART})M)?(?:(?P<s>{_PART})S)?)?",
    re.ASCII,
)
_SIZE_PATTERN = r"^\s*[0-9]+(\.[0-9]+)?\s*([kKMGTP]i?)?B\s*$"


class Size(Number):
    """An amount of memory or storage, loaded in ``unit``; without ``bare``, only a string with a unit is valid."""

    def __init__(
        self, unit: str, most: float, *, bare: bool = True, least: float | None = None, **options: Any
    ) -> None:
        super().__init__(most, least=least, **options)
        self.unit = unit
        self.bare = bare

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> float:
        if self.bare and is_number(value):
            return float(self.within(value))
        if not isinstance(value, str):
            raise ValidationError(f"must be {self._forms()}, not {shown(value)}")
        match = _SIZE.fullmatch(value.strip()[:MOST_TEXT])
        if not match:
            raise ValidationError(f"{shown(value)} is no size: give {self._forms()}")
        return self.within(float(match["number"]) * BYTES_OF[match["unit"].upper()] / SIZE_UNITS[self.unit])

    def _forms(self) -> str:
        text = "a string with its unit, such as '240GB' or '93 GiB'"
        return f"a number of {self.unit} or {text}" if self.bare else text

    def json_schema(self) -> dict[str, Any]:
        text = {"type": "string", "pattern": _SIZE_PATTERN, "examples": ["240GB", "93 GiB"]}
        return {"anyOf": [super().json_schema(), text]} if self.bare else text


class Duration(Number):
    """A length of time, loaded in ``unit``; strings are ``36h``, ``90 minutes``, ``2d`` or ISO 8601 (``PT36H``)."""

    def __init__(self, unit: str, most: float, **options: Any) -> None:
        super().__init__(most, **options)
        self.unit = unit

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> Any:
        if is_number(value):
            return float(self.within(value))
        duration = _milliseconds(value) if isinstance(value, str) else None
        if duration is None:
            raise ValidationError(
                f"must be a number of {self.unit} or a string such as '90m' or 'PT36H', not {shown(value)}"
            )
        return self.within(duration / MS_OF[DURATION_UNITS[self.unit]])

    def json_schema(self) -> dict[str, Any]:
        return {"anyOf": [super().json_schema(), {"type": "string", "examples": ["90m", "2 hours", "PT36H"]}]}


class Target(Duration):
    """A duration, or the word that removes an assumed one."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **options: Any) -> Any:
        if isinstance(value, str) and value.strip().lower() == NO_TARGET:
            return NO_TARGET
        return super()._deserialize(value, attr, data, **options)

    def json_schema(self) -> dict[str, Any]:
        number, text = super().json_schema()["anyOf"]
        return {"anyOf": [number, {**text, "examples": [*text["examples"], NO_TARGET]}]}


class Deadline(Number):
    """Hours until the deadline, from a duration or from a UTC time in the future."""

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC), **options: Any) -> None:
        super().__init__(MOST_HOURS, **options)
        self._now = now

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> float:
        if not isinstance(value, str):
            raise ValidationError(
                f"must be a string with its unit, such as '48h', 'PT36H' or a UTC time, not {shown(value)}"
            )
        hours = hours_of(value)
        if hours is not None:
            return self.within(hours)
        moment = _moment(value)
        if moment is None:
            forms = "a duration ('48h', '10 days', 'PT36H') nor a time with its zone ('2030-01-31T12:00:00Z')"
            raise ValidationError(f"{shown(value)} is neither {forms}")
        left = (moment - self._now()).total_seconds() / SECONDS_PER_HOUR
        if left <= 0:
            raise ValidationError(f"{shown(value)} has passed")
        return self.within(left)

    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "examples": ["48h", "10 days", "PT36H", "2030-01-31T12:00:00Z"]}

    def from_text(self, text: str) -> object:
        # A number without a unit is refused in a query, too.
        return number_or_text(text)


def hours_of(text: str) -> float | None:
    """The hours of a duration's text, or ``None`` where it is not a duration."""
    duration = _milliseconds(text)
    return None if duration is None else duration / MS_OF["h"]


def _milliseconds(text: str) -> float | None:
    text = text.strip()[:MOST_TEXT]
    plain = _DURATION.fullmatch(text)
    if plain:
        unit = (plain["unit"] or _WORDS[plain["word"].lower()]).lower()
        return float(plain["number"]) * MS_OF[unit]
    iso = _ISO_DURATION.fullmatch(text)
    if not iso:
        return None
    return sum(float(number) * MS_OF[unit] for unit, number in iso.groupdict().items() if number)


def is_moment(deadline: object) -> bool:
    """Whether a sound deadline is a time rather than a duration."""
    return isinstance(deadline, str) and hours_of(deadline) is None


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else None
