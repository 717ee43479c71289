"""Faults with JSON pointers, from marshmallow's nested messages and from the sizer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..engine.faults import Fault

OF_THE_WHOLE = "_schema"  # marshmallow's key for messages about an object itself


def pointer(parent: str, name: object) -> str:
    """The JSON pointer (RFC 6901) of a member of ``parent``."""
    escaped = str(name).replace("~", "~0").replace("/", "~1")
    return f"{parent}/{escaped}"


def flattened(messages: Any, parent: str = "") -> Iterator[Fault]:
    """Every message with the pointer of what it is about."""
    if isinstance(messages, dict):
        for name, below in messages.items():
            yield from flattened(below, parent if name == OF_THE_WHOLE else pointer(parent, name))
    elif isinstance(messages, list):
        for message in messages:
            yield from flattened(message, parent)
    else:
        yield Fault(parent, str(messages))


def merged(first: Iterable[Fault], further: Iterable[Fault]) -> tuple[Fault, ...]:
    """All of ``first``, and those of ``further`` that are about something else."""
    known = tuple(first)
    new = tuple(fault for fault in further if not any(_related(fault.pointer, other.pointer) for other in known))
    return known + new


def _related(one: str, other: str) -> bool:
    """Whether one pointer is, or lies within, the other: what is malformed is not also judged by its meaning."""
    return one == other or one.startswith(f"{other}/") or other.startswith(f"{one}/")
