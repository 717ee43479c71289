"""What a request spends its time on."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Literal, TypeAlias

from ..tracing import NO_SPAN, Span, span
from .observation import observation

Phase: TypeAlias = Literal["parse", "size", "render", "lookup"]


def phase(name: Phase, *, each: bool = False) -> Timed:
    """Adds the time of a ``with`` block to a phase of the request, and makes a span of it.

    ``each`` says that it is one of many alike in the request, of which spans would tell nothing.
    """
    return Timed(name, NO_SPAN if each else span(name))


class Timed:
    """A ``with`` block whose time counts as a phase, inside a span."""

    __slots__ = ("_began", "_name", "_span")

    def __init__(self, name: Phase, inside: Span) -> None:
        self._name = name
        self._span = inside

    def __enter__(self) -> None:
        self._span.__enter__()
        self._began = time.perf_counter()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        seconds, phases = time.perf_counter() - self._began, observation().phases
        phases[self._name] = phases.get(self._name, 0.0) + seconds
        self._span.__exit__(kind, error, trace)
