"""Spans through OpenTelemetry's SDK to a collector by OTLP over HTTP. Only this module imports OpenTelemetry.

The SDK reads its standard variables itself: the service's name, the sampler, headers, certificates, time-outs and the
sizes of batch and queue.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from threading import Lock, Thread
from types import TracebackType
from typing import Any

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import (
    NoOpTracer,
    SpanKind,
    Status,
    StatusCode,
    format_span_id,
    format_trace_id,
    get_current_span,
)
from opentelemetry.trace import Span as Recorded
from opentelemetry.trace import Tracer as Recorder
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from structlog import get_logger

from ..metrics import SPANS

Attributes = Mapping[str, str | int | float | bool]

_DISTRIBUTION = "plimsoll-service"
_UNNAMED = "unknown_service"  # prefix of the SDK's name for an unnamed service
_KINDS = {"client": SpanKind.CLIENT, "internal": SpanKind.INTERNAL, "server": SpanKind.SERVER}
_CALLERS = TraceContextTextMapPropagator()


class OtlpTracer:
    """Records spans for one collector, with an exporting thread in each process."""

    def __init__(self, endpoint: str) -> None:
        self._endpoint = endpoint
        self._lock = Lock()
        self._process: int | None = None
        self._provider: TracerProvider | None = None
        self._recorder: Recorder | None = None
        # ``_Exporter`` reports failures once, in the service's own log.
        library = logging.getLogger("opentelemetry")
        library.addHandler(logging.NullHandler())
        library.propagate = False

    def span(self, name: str, kind: str, attributes: Attributes) -> _Span | None:
        """Return a child of the current span; ``None`` where nothing is recorded."""
        if not get_current_span().is_recording():
            return None
        return _Span(self._begun(), name, kind, attributes, None)

    def root(self, name: str, kind: str, attributes: Attributes, headers: Mapping[str, str]) -> _Span:
        """Return the root of a trace, or of this service's part in the caller's trace."""
        context = _CALLERS.extract(headers, Context())
        return _Span(self._begun(), name, kind, attributes, context)

    def stop(self, seconds: float) -> None:
        """Send the recorded spans; give up on the collector after ``seconds``."""
        if self._provider is None or self._process != os.getpid():
            return
        sending = Thread(target=self._provider.shutdown, daemon=True, name="traces-flush")
        sending.start()
        sending.join(seconds)

    def _begun(self) -> Recorder:
        """Return the recorder of this process; the SDK's thread does not survive a fork."""
        if self._recorder is None or self._process != os.getpid():
            with self._lock:
                if self._recorder is None or self._process != os.getpid():
                    self._recorder = self._made()
                    self._process = os.getpid()
        return self._recorder

    def _made(self) -> Recorder:
        """Make a recorder and its exporting thread; it records nothing where a variable of the SDK is faulty."""
        try:
            provider = TracerProvider(resource=_resource(), shutdown_on_exit=False)
            provider.add_span_processor(BatchSpanProcessor(_Exporter(OTLPSpanExporter(self._endpoint))))
        except Exception as error:  # the libraries' own checks differ from one variable to the next
            get_logger(__name__).error("traces_unusable", error=f"{type(error).__name__}: {error}")
            return NoOpTracer()
        self._provider = provider
        return provider.get_tracer(__package__, version(_DISTRIBUTION))


class _Span:
    """A span that is current during its block."""

    __slots__ = ("_attributes", "_client", "_context", "_kind", "_name", "_recorder", "_scope", "_span")

    def __init__(
        self, recorder: Recorder, name: str, kind: str, attributes: Attributes, context: Context | None
    ) -> None:
        self._recorder, self._name, self._kind = recorder, name, kind
        self._attributes, self._context = attributes, context
        self._client = kind == "client"

    def __enter__(self) -> _Span:
        self._scope: Any = self._recorder.start_as_current_span(
            self._name,
            context=self._context,
            kind=_KINDS[self._kind],
            attributes=self._attributes,
            # An error's text may contain the workload or a secret.
            record_exception=False,
            set_status_on_exception=False,
        )
        self._span: Recorded = self._scope.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._span.set_attribute("error.type", kind.__qualname__)
            if self._client:  # within the service an error may be a refusal, which is no failure
                self._span.set_status(Status(StatusCode.ERROR))
        self._scope.__exit__(None, None, None)

    def note(self, key: str, value: str | int | float | bool) -> None:
        """Add an attribute."""
        self._span.set_attribute(key, value)

    def fail(self, kind: str) -> None:
        """Mark the operation as failed."""
        self._span.set_attribute("error.type", kind)
        self._span.set_status(Status(StatusCode.ERROR))

    def ids(self) -> tuple[str, str] | None:
        """Ids of the trace and the span."""
        found = self._span.get_span_context()
        return format_trace_id(found.trace_id), format_span_id(found.span_id)


class _Exporter(SpanExporter):
    """Counts the spans that reach the collector, and logs when it stops or begins to answer."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter
        self._answers = True

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send a batch; never raises."""
        try:
            result = self._exporter.export(spans)
        except Exception:
            result = SpanExportResult.FAILURE
        sent = result is SpanExportResult.SUCCESS
        SPANS.labels("exported" if sent else "failed").inc(len(spans))
        if sent is not self._answers:
            self._answers = sent
            log = get_logger(__name__)
            if sent:
                log.info("traces_exported_again")
            else:
                log.warning("traces_not_exported", advice="spans are dropped until the collector takes them")
        return result

    def shutdown(self) -> None:
        """Stop sending."""
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Flush the wrapped exporter."""
        return self._exporter.force_flush(timeout_millis)


def _resource() -> Resource:
    """Resource of the spans: the service's name in the environment, otherwise its own."""
    found = Resource.create({SERVICE_VERSION: version(_DISTRIBUTION), "process.pid": os.getpid()})
    if not str(found.attributes[SERVICE_NAME]).startswith(_UNNAMED):
        return found
    return found.merge(Resource({SERVICE_NAME: _DISTRIBUTION}))
