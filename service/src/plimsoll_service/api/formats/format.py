"""What a format is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ...engine.hardware import Catalog
from .consumer import Consumer

Value = TypeVar("Value", contravariant=True)


@dataclass(frozen=True)
class Format(Generic[Value]):
    """A way to write a value; ``consumer`` is who launches from it, where that is not just anybody."""

    name: str
    media_type: str
    render: Callable[[Value, Catalog], bytes | str]
    consumer: Consumer | None = None
