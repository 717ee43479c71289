"""What a format is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ...engine.hardware import Catalog

Value = TypeVar("Value", contravariant=True)


@dataclass(frozen=True)
class Format(Generic[Value]):
    """A way to write a value; ``cloud`` is the only one that it can speak of, where there is one."""

    name: str
    media_type: str
    render: Callable[[Value, Catalog], bytes | str]
    cloud: str | None = None
