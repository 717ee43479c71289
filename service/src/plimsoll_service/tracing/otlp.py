"""Spans through OpenTelemetry's SDK to a collector by OTLP over HTTP; only this module imports the SDK.

The SDK reads its standard variables itself: the service's name, the sampler, headers, certificates, time-outs and the
sizes of batch and queue. It starts its thread anew in each forked process.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from structlog import get_logger

from ..metrics import SPANS

_DISTRIBUTION = "plimsoll-service"
_UNNAMED = "unknown_service"  # prefix of the SDK's name for an unnamed service


def provider(endpoint: str) -> TracerProvider:
    """A source of tracers for one collector; raises the libraries' own errors for faulty variables."""
    found = TracerProvider(resource=_resource(), shutdown_on_exit=False)
    found.add_span_processor(BatchSpanProcessor(_Exporter(OTLPSpanExporter(endpoint))))
    return found


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


def _resource() -> Resource:
    """Resource of the spans: the service's name in the environment, otherwise its own."""
    found = Resource.create({SERVICE_VERSION: version(_DISTRIBUTION)})
    if not str(found.attributes[SERVICE_NAME]).startswith(_UNNAMED):
        return found
    return found.merge(Resource({SERVICE_NAME: _DISTRIBUTION}))
