"""Spans of what the service does: recorded where a collector is configured, else at the cost of one comparison."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Literal, Protocol, TypeAlias, TypeVar
from urllib.parse import urlsplit

from structlog import get_logger

Attributes: TypeAlias = Mapping[str, str | int | float | bool]
Kind: TypeAlias = Literal["client", "internal", "server"]
# The longest that the end of a process waits for a collector; gunicorn grants its workers 30 s in all.
FLUSH_SECONDS = 3.0
DEFAULT_ENDPOINT = "http://localhost:4318"  # of a collector on the same machine, says the specification
PATH = "/v1/traces"  # is appended to the endpoint of all signals, not to the one of traces alone
PROTOCOL = "http/protobuf"
_EXPORTER = "otlp"

S = TypeVar("S", bound="Span")


class Span(Protocol):
    """Something that takes time, as long as its ``with`` block runs; an error is noted by its type alone."""

    def note(self, key: str, value: str | int | float | bool) -> None:
        """Add an attribute; names are those of OpenTelemetry's semantic conventions where they have one."""
        ...

    def fail(self, kind: str) -> None:
        """Mark what the span stands for as failed."""
        ...

    def ids(self) -> tuple[str, str] | None:
        """The ids of its trace and of itself in hexadecimal digits; ``None`` where nothing is recorded."""
        ...

    def __enter__(self: S) -> S: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Tracer(Protocol):
    """Recorder of spans."""

    def span(self, name: str, kind: Kind, attributes: Attributes) -> Span | None:
        """A part of what is under way; ``None`` where nothing is recorded."""
        ...

    def root(self, name: str, kind: Kind, attributes: Attributes, headers: Mapping[str, str]) -> Span:
        """The beginning of a trace, or of this service's part in the one that ``headers`` name."""
        ...

    def stop(self, seconds: float) -> None:
        """Send what is recorded, for so long at the most."""
        ...


class _NoSpan:
    """Stands for every span that is not recorded."""

    def note(self, key: str, value: str | int | float | bool) -> None:
        """Nothing."""

    def fail(self, kind: str) -> None:
        """Nothing."""

    def ids(self) -> None:
        """Nothing."""
        return

    def __enter__(self) -> _NoSpan:
        return self

    def __exit__(self, *_: object) -> None:
        return


NO_SPAN = _NoSpan()
_tracer: Tracer | None = None


def configure(endpoint: str | None) -> None:
    """Record spans in this process and send them to a collector at ``endpoint``, or record none where that is None.

    Nothing is opened or started before the first span: what forks after this call loses nothing.
    """
    global _tracer
    stop()
    if endpoint is None:
        return
    try:
        from .otlp import OtlpTracer  # here alone: a service that records nothing spends neither time nor memory on it
    except ImportError as error:
        get_logger(__name__).warning("traces_unavailable", missing=error.name)
        return
    _tracer = OtlpTracer(endpoint)


def active() -> bool:
    """Whether spans are recorded."""
    return _tracer is not None


def span(name: str, kind: Kind = "internal", attributes: Attributes | None = None) -> Span:
    """A part of the request or command that is under way; nothing outside of one."""
    return NO_SPAN if _tracer is None else _tracer.span(name, kind, attributes or {}) or NO_SPAN


def root(
    name: str, kind: Kind = "internal", attributes: Attributes | None = None, headers: Mapping[str, str] | None = None
) -> Span:
    """A whole request or command; of the caller's trace where ``headers`` name one."""
    return NO_SPAN if _tracer is None else _tracer.root(name, kind, attributes or {}, headers or {})


def stop(seconds: float = FLUSH_SECONDS) -> None:
    """Send what is recorded and record no more; at the end of a process."""
    global _tracer
    tracer, _tracer = _tracer, None
    if tracer is not None:
        tracer.stop(seconds)


def endpoint_of(stated: Mapping[str, str]) -> str | None:
    """The collector's address for traces, ``None`` where none is configured; raises ``ValueError``, which quotes none.

    Unlike in the specification nothing is sent where neither an endpoint nor ``OTEL_TRACES_EXPORTER`` is stated.
    """
    exporter = stated.get("OTEL_TRACES_EXPORTER")
    if stated.get("OTEL_SDK_DISABLED", "").lower() == "true" or exporter == "none":
        return None
    if exporter not in (None, _EXPORTER):
        raise ValueError(f"OTEL_TRACES_EXPORTER must be {_EXPORTER} or none, not {exporter!r}")
    common, own = stated.get("OTEL_EXPORTER_OTLP_ENDPOINT"), stated.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    if own is None and common is None and exporter is None:
        return None
    protocol = stated.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or stated.get("OTEL_EXPORTER_OTLP_PROTOCOL")
    if protocol not in (None, PROTOCOL):
        raise ValueError(f"OTEL_EXPORTER_OTLP_PROTOCOL must be {PROTOCOL}, not {protocol!r}")
    endpoint = own or (common or DEFAULT_ENDPOINT).rstrip("/") + PATH
    if not _is_web(endpoint):
        # It may hold a password, and is not quoted.
        raise ValueError("OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://collector:4318")
    return endpoint


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
