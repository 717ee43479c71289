"""Plain fields, strict about JSON's types, each with its JSON Schema."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import Any

import orjson
from marshmallow import ValidationError, fields, validate

from ...engine.names import unknown
from .bounds import MOST_DIMENSIONS as MOST_SIDES
from .bounds import MOST_NAMES, MOST_PIXELS, MOST_TEXT

REQUIRED: dict[str, Any] = {"required": "is required", "null": "is required"}


def is_number(value: object) -> bool:
    """Whether this is a finite JSON number, and not a boolean."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer of hundreds of digits
        return False


def shown(value: object) -> str:
    """The value for a message: short, and as JSON writes it."""
    text = orjson.dumps(value).decode() if isinstance(value, (bool, dict, list)) or value is None else repr(value)
    return text if len(text) <= MOST_TEXT // 2 else f"{text[: MOST_TEXT // 2]}…"


class StrictField(fields.Field[Any], ABC):
    """A field with a JSON Schema."""

    def __init__(self, **options: Any) -> None:
        super().__init__(error_messages=REQUIRED, **options)

    @abstractmethod
    def json_schema(self) -> dict[str, Any]:
        """The JSON Schema of the field."""

    def from_text(self, text: str) -> object:
        """The JSON value of a query parameter's text."""
        return text


class Text(StrictField):
    """A name: a non-empty string without control characters."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError(f"must be a string, not {shown(value)}")
        if not value.strip() or len(value) > MOST_TEXT or not value.isprintable():
            raise ValidationError(f"must be 1 to {MOST_TEXT} printable characters")
        return value.strip()

    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "minLength": 1, "maxLength": MOST_TEXT}


class KnownName(Text):
    """A name whose usual spellings are in the contract, for editors and type checkers; others may be known too."""

    def __init__(self, names: Collection[str], **options: Any) -> None:
        super().__init__(**options)
        self.names = tuple(names)

    def json_schema(self) -> dict[str, Any]:
        return {**super().json_schema(), "x-extensible-enum": list(self.names)}


class Version(Text):
    """The version of a price snapshot, as answers name it."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **options: Any) -> str:
        # No version has a space, but a bare plus sign of a URL arrives as one.
        return super()._deserialize(value, attr, data, **options).replace(" ", "+")


class Choice(StrictField):
    """One of a few words; a fault suggests the right spelling, or what to state ``instead`` of a missing one."""

    def __init__(self, words: Collection[str], *, instead: Mapping[str, str] | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.words = tuple(words)
        self.instead = instead or {}

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError(f"must be one of {', '.join(self.words)}, not {shown(value)}")
        if value not in self.words:
            instead = f"; {self.instead[value.lower()]}" if value.lower() in self.instead else ""
            fault = unknown("value", value[:MOST_TEXT], self.words)
            raise ValidationError(f"{fault} (one of {', '.join(self.words)}){instead}")
        return value

    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}


class Number(StrictField):
    """A finite number above 0, or from ``least`` on, up to ``most``."""

    def __init__(self, most: float, *, least: float | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.most = most
        self.least = least

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> float:
        if not is_number(value):
            raise ValidationError(f"must be a number, not {shown(value)}")
        return float(self.within(value))

    def within(self, value: float) -> float:
        """The value, if it is within the bounds."""
        low = value > 0 if self.least is None else value >= self.least
        if not low or value > self.most:
            floor = "above 0" if self.least is None else f"at least {self.least:g}"
            raise ValidationError(f"must be {floor} and at most {self.most:g}, not {value:g}")
        return value

    def json_schema(self) -> dict[str, Any]:
        floor = {"exclusiveMinimum": 0} if self.least is None else {"minimum": self.least}
        return {"type": "number", **floor, "maximum": self.most}

    def from_text(self, text: str) -> object:
        return number_or_text(text)


class Whole(Number):
    """A whole number from ``least`` (by default 1) to ``most``; 2.0 is whole, since JSON has no integers."""

    def __init__(self, most: int, *, least: int = 1, **options: Any) -> None:
        super().__init__(most, least=least, **options)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> int:
        if not is_number(value) or value != int(value):
            raise ValidationError(f"must be a whole number, not {shown(value)}")
        return int(self.within(value))

    def json_schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


class Flag(StrictField):
    """A boolean; no other value stands for one."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> bool:
        if not isinstance(value, bool):
            raise ValidationError(f"must be true or false, not {shown(value)}")
        return value

    def json_schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def from_text(self, text: str) -> object:
        return {"true": True, "false": False}.get(text, text)


class Sides(StrictField):
    """Pixels per side, or a list of sides (height, width; depth first for volumes)."""

    side = Whole(MOST_PIXELS)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> tuple[Any, ...]:
        sides = value if isinstance(value, list) else [value]
        if not 1 <= len(sides) <= MOST_SIDES:
            raise ValidationError(f"must be a number of pixels, or a list of 1 to {MOST_SIDES} of them")
        return tuple(self.side.deserialize(side) for side in sides)

    def json_schema(self) -> dict[str, Any]:
        side = self.side.json_schema()
        return {"anyOf": [side, {"type": "array", "items": side, "minItems": 1, "maxItems": MOST_SIDES}]}

    def from_text(self, text: str) -> object:
        sides = [number_or_text(part) for part in text.split(",")]
        return sides[0] if len(sides) == 1 else sides


class Several(fields.List[Any]):
    """A list of ``least`` to ``most`` entries; in a query, comma-separated."""

    default_error_messages = {"invalid": "must be a list"}  # noqa: RUF012 - marshmallow's own way to declare messages

    def __init__(self, item: fields.Field[Any], *, least: int = 0, most: int = MOST_NAMES, **options: Any) -> None:
        many = f"{least} to {most}" if least < most else f"{most}"
        counted = validate.Length(min=least, max=most, error=f"must have {many} entries")
        super().__init__(item, validate=counted, error_messages=REQUIRED, **options)
        self.counted = counted

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **options: Any) -> list[Any]:
        # Before the entries: a fault for each of a million entries would be as large as the request.
        if isinstance(value, list):
            self.counted(value)
        return super()._deserialize(value, attr, data, **options)

    def from_text(self, text: str) -> object:
        """The entries of a query parameter's text."""
        inner = self.inner
        return [inner.from_text(part.strip()) for part in text.split(",")] if isinstance(inner, StrictField) else text


def number_or_text(text: str) -> object:
    """The number in a query parameter's text, else the text, which the field then refuses."""
    # Python also reads "1_000" and "  1 " as numbers, which nobody means in a URL.
    if "_" in text or text != text.strip() or len(text) > MOST_TEXT:
        return text
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
