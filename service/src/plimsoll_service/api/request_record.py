"""The request that is being answered: its ids, labels, times and phases."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias
from uuid import uuid4

from opentelemetry.trace import INVALID_SPAN, Span, format_span_id, format_trace_id

from ..tracing import NO_SPAN, Scope, span
from .guard.keys import SHAPE

Phase: TypeAlias = Literal["parse", "size", "render", "lookup"]
NO_ROUTE = "none"  # one label for all unknown paths, so that they cannot fill the metrics
_METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
# WSGI's names of the headers; W3C Trace Context has the second.
_GIVEN_ID, _GIVEN_TRACE = "HTTP_X_REQUEST_ID", "HTTP_TRACEPARENT"
# Ids of callers go into the log: only harmless characters are accepted, and no API key.
_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}", re.ASCII)
# Version, trace, parent, flags and additions of later versions; version ff and ids of zeros are invalid.
_TRACE = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?", re.ASCII)


@dataclass(slots=True)
class Observation:
    """A request's ids, labels and times; ``phases`` are the seconds spent on each so far."""

    request_id: str
    id_given: bool  # by the caller
    trace_id: str | None  # of the caller's trace
    method: str
    began: float
    route: str = NO_ROUTE
    path: str = ""
    key: str | None = None  # the id of the caller's API key, or that which a refused one states
    client: str | None = None  # the caller's address, as the trusted proxies report it
    status: int = 0
    bytes: int | None = None
    span: Span = INVALID_SPAN
    scope: Scope = NO_SPAN  # in which the span is the current one
    phases: dict[str, float] = field(default_factory=dict)

    def ids(self) -> dict[str, str]:
        """The ids by their names in the log."""
        own = self.span.get_span_context()
        if own.is_valid:
            trace_id, span_id = format_trace_id(own.trace_id), format_span_id(own.span_id)
            return {"request_id": self.request_id, "trace_id": trace_id, "span_id": span_id}
        if self.trace_id is not None:
            return {"request_id": self.request_id, "trace_id": self.trace_id}
        return {"request_id": self.request_id}


CURRENT: ContextVar[Observation | None] = ContextVar("plimsoll_observation", default=None)


def begun(environ: Mapping[str, Any]) -> Observation:
    """The observation of a request that begins now, from its WSGI environment."""
    given, method = environ.get(_GIVEN_ID, ""), environ["REQUEST_METHOD"]
    fit = _ID.fullmatch(given) is not None and not SHAPE.search(given)
    traced = _TRACE.fullmatch(environ.get(_GIVEN_TRACE, ""))
    return Observation(
        request_id=given if fit else uuid4().hex,
        id_given=fit,
        trace_id=None if traced is None else traced[1],
        method=method if method in _METHODS else NO_ROUTE,
        began=time.perf_counter(),
    )


def observation() -> Observation:
    """The observation of the current request; raises ``LookupError`` outside of one."""
    found = CURRENT.get()
    if found is None:
        raise LookupError("no request is being answered")
    return found


def add_ids(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Processor of structlog that adds the ids of the current request to each line."""
    found = CURRENT.get()
    if found is not None and "request_id" not in event:
        event.update(found.ids())
    return event


@contextmanager
def phase(name: Phase, *, each: bool = False) -> Iterator[None]:
    """Add the time of the block to a phase of the request, and make a span.

    ``each``: one of many similar blocks in the request, which make no spans.
    """
    with NO_SPAN if each else span(name):
        began = time.perf_counter()
        try:
            yield
        finally:
            phases = observation().phases
            phases[name] = phases.get(name, 0.0) + time.perf_counter() - began
