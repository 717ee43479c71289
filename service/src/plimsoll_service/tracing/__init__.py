"""Tracing: spans are recorded where a collector is configured, and otherwise cost one comparison."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, TypeVar
from urllib.parse import urlsplit

from structlog import get_logger

if TYPE_CHECKING:
    from .otlp import OtlpTracer

Attributes: TypeAlias = Mapping[str, str | int | float | bool]
Kind: TypeAlias = Literal["client", "internal", "server"]
# Longest wait for a collector at the end of a process; gunicorn's workers have 30 s in all.
FLUSH_SECONDS = 3.0
DEFAULT_ENDPOINT = "http://localhost:4318"  # the specification's default: a collector on the same machine
PATH = "/v1/traces"  # is appended to the endpoint of all signals, not to the one of traces alone
PROTOCOL = "http/protobuf"
_EXPORTER = "otlp"

S = TypeVar("S", bound="Span")


class Span(Protocol):
    """An operation that lasts as long as its ``with`` block; of an error only the type is recorded."""

    def note(self, key: str, value: str | int | float | bool) -> None:
        """Add an attribute; names are those of OpenTelemetry's semantic conventions where they have one."""
        ...

    def fail(self, kind: str) -> None:
        """Mark the operation as failed."""
        ...

    def ids(self) -> tuple[str, str] | None:
        """Ids of the trace and the span in hexadecimal digits; ``None`` where nothing is recorded."""
        ...

    def __enter__(self: S) -> S: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class _NoSpan:
    """A span that is not recorded."""

    def note(self, key: str, value: str | int | float | bool) -> None:
        """Do nothing."""

    def fail(self, kind: str) -> None:
        """Do nothing."""

    def ids(self) -> None:
        """Do nothing."""
        return

    def __enter__(self) -> _NoSpan:
        return self

    def __exit__(self, *_: object) -> None:
        return


NO_SPAN = _NoSpan()
_tracer: OtlpTracer | None = None


def configure(endpoint: str | None) -> None:
    """Record spans in this process and send them to a collector at ``endpoint``; record none where that is ``None``.

    Nothing is opened or started before the first span, so that the process can fork after this call.
    """
    global _tracer
    stop()
    if endpoint is None:
        return
    try:
        from .otlp import OtlpTracer  # here: a service that records nothing spends neither time nor memory on it
    except ImportError as error:
        get_logger(__name__).warning("traces_unavailable", missing=error.name)
        return
    _tracer = OtlpTracer(endpoint)


def active() -> bool:
    """Whether spans are recorded."""
    return _tracer is not None


def span(name: str, kind: Kind = "internal", attributes: Attributes | None = None) -> Span:
    """Return a child of the current request's or command's span; not recorded outside of one."""
    return NO_SPAN if _tracer is None else _tracer.span(name, kind, attributes or {}) or NO_SPAN


def root(
    name: str, kind: Kind = "internal", attributes: Attributes | None = None, headers: Mapping[str, str] | None = None
) -> Span:
    """Return the span of a request or command, in the caller's trace where ``headers`` have one."""
    return NO_SPAN if _tracer is None else _tracer.root(name, kind, attributes or {}, headers or {})


def stop(seconds: float = FLUSH_SECONDS) -> None:
    """Send the recorded spans and stop recording, at the end of a process."""
    global _tracer
    tracer, _tracer = _tracer, None
    if tracer is not None:
        tracer.stop(seconds)


def endpoint_of(stated: Mapping[str, str]) -> str | None:
    """Address of the collector for traces, or ``None``; raises ``ValueError`` without the address.

    Unlike in the specification, nothing is sent where neither an endpoint nor ``OTEL_TRACES_EXPORTER`` is set.
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
        # It may contain a password.
        raise ValueError("OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://collector:4318")
    return endpoint


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
