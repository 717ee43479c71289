"""Tracing with OpenTelemetry: spans are recorded where a collector is configured, of requests and commands alone."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Thread
from typing import TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import urlsplit

from opentelemetry.context import Context
from opentelemetry.trace import INVALID_SPAN, Span, SpanKind, Status, StatusCode, get_current_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from structlog import get_logger

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

Attributes: TypeAlias = Mapping[str, str | int | float | bool]
Kind: TypeAlias = Literal["client", "internal", "server"]
Scope: TypeAlias = AbstractContextManager[Span]
# Longest wait for a collector at the end of a process; gunicorn's workers have 30 s in all.
FLUSH_SECONDS = 3.0
DEFAULT_ENDPOINT = "http://localhost:4318"  # the specification's default: a collector on the same machine
PATH = "/v1/traces"  # is appended to the endpoint of all signals, not to the one of traces alone
PROTOCOL = "http/protobuf"
_EXPORTER = "otlp"
_CALLERS = TraceContextTextMapPropagator()

NO_SPAN: Scope = nullcontext(INVALID_SPAN)  # takes attributes, and is not recorded
_provider: TracerProvider | None = None


def configure(endpoint: str | None) -> None:
    """Record spans and send them to a collector at ``endpoint``, also in forks; record none where that is ``None``."""
    global _provider
    stop()
    if endpoint is None:
        return
    library = logging.getLogger("opentelemetry")  # failures are logged once, in the service's own log
    library.addHandler(logging.NullHandler())
    library.propagate = False
    try:
        from .otlp import provider  # here: a service that records nothing spends neither time nor memory on it

        _provider = provider(endpoint)
    except Exception as error:  # a missing package, or the libraries' own checks of their variables
        get_logger(__name__).error("traces_unusable", error=f"{type(error).__name__}: {error}")


def active() -> bool:
    """Whether spans are recorded."""
    return _provider is not None


def span(name: str, kind: Kind = "internal", attributes: Attributes | None = None) -> Scope:
    """Return a child of the current request's or command's span; not recorded outside of one."""
    if _provider is None or not get_current_span().is_recording():
        return NO_SPAN
    return _recorded(_provider, name, kind, attributes, None)


def root(
    name: str, kind: Kind = "internal", attributes: Attributes | None = None, headers: Mapping[str, str] | None = None
) -> Scope:
    """Return the span of a request or command, in the caller's trace where ``headers`` have one."""
    if _provider is None:
        return NO_SPAN
    return _recorded(_provider, name, kind, attributes, _CALLERS.extract(headers or {}, Context()))


@contextmanager
def _recorded(
    provider: TracerProvider, name: str, kind: Kind, attributes: Attributes | None, context: Context | None
) -> Iterator[Span]:
    """A span that is current during its block; of an error only the type is recorded, since its text may be secret."""
    recording = provider.get_tracer(__name__).start_as_current_span(
        name, context, SpanKind[kind.upper()], attributes, record_exception=False, set_status_on_exception=False
    )
    with recording as found:
        try:
            yield found
        except BaseException as error:
            found.set_attribute("error.type", type(error).__qualname__)
            if kind == "client":  # within the service an error may be a refusal, which is no failure
                found.set_status(Status(StatusCode.ERROR))
            raise


def fail(found: Span, kind: str) -> None:
    """Mark the operation of a span as failed."""
    found.set_attribute("error.type", kind)
    found.set_status(Status(StatusCode.ERROR))


def stop(seconds: float = FLUSH_SECONDS) -> None:
    """Send the recorded spans and stop recording, at the end of a process; give up after ``seconds``."""
    global _provider
    provider, _provider = _provider, None
    if provider is not None:
        sending = Thread(target=provider.shutdown, daemon=True, name="traces-flush")
        sending.start()
        sending.join(seconds)


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
