"""Builds frozen dataclasses from JSON: unknown members are passed over, missing optional ones take their default.

What a field's type does not allow raises ``BadAnswer`` with the place, so that a typed result is what it says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from plimsoll.errors import BadAnswer

T = TypeVar("T")

# Where a dataclass has this field, it holds the whole JSON object: members newer than this package stay reachable.
RAW = "raw"


def decode(cls: type[T], value: Any, at: str = "") -> T:
    """The JSON object ``value`` as a ``cls``, a dataclass; ``at`` is its JSON pointer, for the error's text."""
    built: T = _build(cls, value, at)
    return built


def _build(cls: Any, value: Any, at: str) -> Any:
    if not isinstance(value, Mapping):
        raise _mismatch(at, "an object", value)
    hints = _hints(cls)
    given: dict[str, Any] = {RAW: value} if RAW in hints else {}
    for field in fields(cls):
        if field.name == RAW:
            continue
        optional = field.default is not MISSING or field.default_factory is not MISSING
        if field.name in value and not (optional and value[field.name] is None):
            given[field.name] = _of_type(hints[field.name], value[field.name], f"{at}/{field.name}")
        elif not optional:
            raise BadAnswer(f"{at}/{field.name}: missing")
    return cls(**given)


@cache
def _hints(cls: type[Any]) -> dict[str, Any]:
    return get_type_hints(cls)


def _of_type(hint: Any, value: Any, at: str) -> Any:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _of_union(get_args(hint), value, at)
    if origin is tuple:
        if not isinstance(value, list):
            raise _mismatch(at, "a list", value)
        return tuple(_of_type(get_args(hint)[0], item, f"{at}/{index}") for index, item in enumerate(value))
    if origin is dict:
        if not isinstance(value, Mapping):
            raise _mismatch(at, "an object", value)
        return {key: _of_type(get_args(hint)[1], item, f"{at}/{key}") for key, item in value.items()}
    if is_dataclass(hint):
        return _build(hint, value, at)
    return _scalar(hint, value, at)


def _of_union(members: tuple[Any, ...], value: Any, at: str) -> Any:
    if value is None and NoneType in members:
        return None
    kinds = [member for member in members if member is not NoneType]
    for kind in kinds[:-1]:
        try:
            return _of_type(kind, value, at)
        except BadAnswer:
            continue
    return _of_type(kinds[-1], value, at)


def _scalar(kind: Any, value: Any, at: str) -> Any:
    if kind is Any:
        return value
    if isinstance(value, bool) and kind is not bool:
        raise _mismatch(at, kind.__name__, value)
    if kind is float and isinstance(value, int):
        return float(value)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, kind):
        raise _mismatch(at, kind.__name__, value)
    return value


def _mismatch(at: str, wanted: str, value: Any) -> BadAnswer:
    return BadAnswer(f"{at or '/'}: {wanted} expected, {type(value).__name__} received")
