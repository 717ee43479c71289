"""Dataclasses as plain JSON and query parameters, and JSON as frozen dataclasses.

Reading ignores unknown members and gives missing optional ones their default. A value that does not match its field's
type raises ``BadAnswer`` with the place. The reader of each type is made once and cached.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, SupportsFloat, SupportsIndex, TypeVar, Union, get_args, get_origin, get_type_hints

from plimsoll.errors import BadAnswer

T = TypeVar("T")
Read = Callable[[Any], Any]
Json = Mapping[str, Any]

# A dataclass field that holds the whole JSON object, with members newer than this package.
RAW = "raw"


class _Departure(Exception):
    """A value that does not match its type; each level adds its part of the place."""

    def __init__(self, text: str, place: str = "") -> None:
        super().__init__(text)
        self.text, self.place = text, place

    def within(self, member: str | int) -> _Departure:
        """Add the member of the enclosing value to the place."""
        self.place = f"/{member}{self.place}"
        return self


def decode(cls: type[T], value: Any, at: str = "") -> T:
    """Return the JSON object ``value`` as the dataclass ``cls``; ``at`` is its JSON pointer, for error texts."""
    hint: Any = cls
    try:
        built: T = _reader(hint)(value)
    except _Departure as departure:
        raise BadAnswer(f"{at}{departure.place or '/' * (not at)}: {departure.text}") from None
    return built


@cache
def _reader(hint: Any) -> Read:
    """Return the reader of a type's values."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _union(get_args(hint))
    if origin is tuple:
        return _list(_reader(get_args(hint)[0]))
    if origin is dict:
        return _mapping(_reader(get_args(hint)[1]))
    if is_dataclass(hint):
        return _object(hint)
    return _scalar(hint)


def _object(cls: Any) -> Read:
    hints = get_type_hints(cls)
    members = [
        (field.name, _is_optional(field), _reader(hints[field.name])) for field in fields(cls) if field.name != RAW
    ]

    def read(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise _mismatch("an object", value)
        given: dict[str, Any] = {RAW: value} if RAW in hints else {}
        for name, optional, read_member in members:
            if optional and value.get(name) is None:
                continue
            if name not in value:
                raise _Departure("missing", f"/{name}")
            try:
                given[name] = read_member(value[name])
            except _Departure as departure:
                raise departure.within(name) from None
        return cls(**given)

    return read


def _is_optional(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _list(read_item: Read) -> Read:
    def read(value: Any) -> Any:
        if not isinstance(value, list):
            raise _mismatch("a list", value)
        return tuple(_each(read_item, enumerate(value)).values())

    return read


def _mapping(read_item: Read) -> Read:
    def read(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise _mismatch("an object", value)
        return _each(read_item, value.items())

    return read


def _each(read_item: Read, items: Any) -> dict[Any, Any]:
    found = {}
    for name, item in items:
        try:
            found[name] = read_item(item)
        except _Departure as departure:
            raise departure.within(name) from None
    return found


def _union(members: tuple[Any, ...]) -> Read:
    *others, last = [_reader(member) for member in members if member is not NoneType]
    nullable = NoneType in members

    def read(value: Any) -> Any:
        if value is None and nullable:
            return None
        for read_other in others:
            try:
                return read_other(value)
            except _Departure:
                continue
        return last(value)

    return read


def _scalar(kind: Any) -> Read:
    def read(value: Any) -> Any:
        if kind is Any or (isinstance(value, kind) and (kind is bool or not isinstance(value, bool))):
            return value
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            return _float(value)
        if kind is int and isinstance(value, float) and value.is_integer():
            return int(value)
        raise _mismatch(kind.__name__, value)

    return read


def _float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        raise _Departure("a number beyond the range of a float") from None


def _mismatch(wanted: str, value: Any) -> _Departure:
    return _Departure(f"{wanted} expected, {type(value).__name__} received")


def encode(value: Any) -> Any:
    """Return plain JSON of dataclasses (without fields that are ``None``), mappings, sequences, durations and times.

    Numbers and arrays of NumPy and the like become plain ones. Raises ``ValueError`` with the place of a number that
    JSON lacks.
    """
    try:
        return _plain(value)
    except _Departure as departure:
        raise ValueError(f"{departure.place.lstrip('/')}: {departure.text}") from None


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return _finite(value)
    if is_dataclass(value) and not isinstance(value, type):
        return without_none(_each(_plain, ((field.name, getattr(value, field.name)) for field in fields(value))))
    if isinstance(value, Mapping):
        return _each(_plain, value.items())
    if isinstance(value, list | tuple | Set):
        return list(_each(_plain, enumerate(value)).values())
    if isinstance(value, datetime):
        return _utc(value)
    if isinstance(value, timedelta):
        return f"{value.total_seconds():.6f}".rstrip("0").rstrip(".") + "s"
    return _plain_number(value)


def _plain_number(value: Any) -> Any:
    """Return a number or an array of another package as a plain one; other values are left to JSON, which refuses."""
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, SupportsIndex):
        return value.__index__()
    return _finite(float(value)) if isinstance(value, SupportsFloat) else value


def _finite(value: float) -> float:
    if not isfinite(value):
        raise _Departure(f"{value} is not a finite number; leave out what is unknown")
    return value


def without_none(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members that are not ``None``."""
    return {key: value for key, value in document.items() if value is not None}


def parameters(filters: Mapping[str, Any]) -> dict[str, str]:
    """Return query parameters: lists joined by commas, booleans as ``true`` and ``false``, without ``None``."""
    return {name: _parameter(encode(value)) for name, value in filters.items() if value is not None}


def _parameter(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(_parameter(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _utc(time: datetime) -> str:
    if time.tzinfo is None:
        raise ValueError(f"{time} has no time zone: give one, such as datetime.now(UTC) + timedelta(hours=24)")
    return time.astimezone(UTC).isoformat().replace("+00:00", "Z")
