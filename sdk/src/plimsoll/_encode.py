"""Turns what a caller gives into plain JSON values and query parameters."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from typing import Any


def encode(value: Any) -> Any:
    """Plain JSON of dataclasses (fields that are ``None`` left out), mappings, sequences, durations and times."""
    if is_dataclass(value) and not isinstance(value, type):
        return without_none({field.name: encode(getattr(value, field.name)) for field in fields(value)})
    if isinstance(value, Mapping):
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, list | tuple | Set):
        return [encode(item) for item in value]
    if isinstance(value, datetime):
        return _utc(value)
    if isinstance(value, timedelta):
        return f"{value.total_seconds():.6f}".rstrip("0").rstrip(".") + "s"
    return value


def without_none(document: Mapping[str, Any]) -> dict[str, Any]:
    """The members that were said."""
    return {key: value for key, value in document.items() if value is not None}


def parameters(filters: Mapping[str, Any]) -> dict[str, str]:
    """Query parameters: lists joined by commas, truth as ``true`` and ``false``, ``None`` left out."""
    return {name: _parameter(encode(value)) for name, value in filters.items() if value is not None}


def _parameter(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(_parameter(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _utc(time: datetime) -> str:
    if time.tzinfo is None:
        raise ValueError(f"{time} has no time zone: give one, such as datetime.now(UTC) + timedelta(hours=24)")
    return time.astimezone(UTC).isoformat().replace("+00:00", "Z")
