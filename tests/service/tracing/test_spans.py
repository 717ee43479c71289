"""Spans as a collector receives them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from prometheus_client import REGISTRY
from structlog.testing import capture_logs
from tests.service.tracing.collector import Collector, attributes, collecting

from plimsoll_service import tracing
from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
WORKLOAD = {"workload": {"task": "training", "model": "resnet50"}}
SECRET = "resnet-of-a-secret-project"


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """A collector to which spans are sent at once."""
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    with collecting() as found:
        yield found
        tracing.stop()


@pytest.fixture
def client(collector: Collector) -> FlaskClient:
    """The whole service, which sends its traces to the collector."""
    return create_app(Settings(traces_endpoint=f"{collector.url}/v1/traces")).test_client()


def test_a_request_is_a_span_with_its_phases_below(client: FlaskClient, collector: Collector) -> None:
    """A request is a span with its phases, named and described by OpenTelemetry's conventions."""
    client.post("/v1/recommendations", json=WORKLOAD, headers={"X-Request-Id": "mine"})
    collector.wait_for(lambda: collector.named("POST /v1/recommendations"))

    (request,) = collector.named("POST /v1/recommendations")
    expected = {
        "http.request.method": "POST",
        "http.route": "/v1/recommendations",
        "url.path": "/v1/recommendations",
        "url.scheme": "http",
        "http.response.status_code": 200,
        "plimsoll.request_id": "mine",
    }
    assert attributes(request) == expected
    assert request.kind == Span.SPAN_KIND_SERVER
    assert request.status.code == Status.STATUS_CODE_UNSET
    assert ["parse", "size", "render"] == [
        span.name for span in sorted(collector.spans, key=lambda span: span.start_time_unix_nano) if span.parent_span_id
    ]
    assert {span.parent_span_id for span in collector.spans} == {b"", request.span_id}


def test_it_belongs_to_the_callers_trace(client: FlaskClient, collector: Collector) -> None:
    """The span belongs to the caller's trace, as W3C Trace Context says."""
    client.post("/v1/recommendations", json=WORKLOAD, headers={"traceparent": f"00-{TRACE}-{PARENT}-01"})
    collector.wait_for(lambda: collector.named("POST /v1/recommendations"))

    (request,) = collector.named("POST /v1/recommendations")
    assert {span.trace_id.hex() for span in collector.spans} == {TRACE}
    assert request.parent_span_id.hex() == PARENT


def test_the_log_names_the_span(client: FlaskClient, collector: Collector) -> None:
    """A log line names its trace and span."""
    with capture_logs() as events:
        client.get("/v1/models")
    collector.wait_for(lambda: collector.named("GET /v1/models"))

    (span,) = collector.named("GET /v1/models")
    assert (events[0]["trace_id"], events[0]["span_id"]) == (span.trace_id.hex(), span.span_id.hex())


def test_the_service_names_itself(client: FlaskClient, collector: Collector) -> None:
    """The service has its own name, unless the environment has another one."""
    client.get("/v1/models")
    collector.wait_for(lambda: collector.resources)

    assert collector.resources[0]["service.name"] == "plimsoll-service"


def test_nothing_of_the_workload_is_sent(client: FlaskClient, collector: Collector) -> None:
    """Spans contain nothing of a body or a query, for answered and for refused requests."""
    client.post("/v1/recommendations", json={"workload": {"task": "training", "model": SECRET}})
    client.get(f"/v1/recommendations?task=training&model={SECRET}")
    client.post("/v1/estimates", json={"workload": {"task": SECRET}})
    collector.wait_for(lambda: collector.named("POST /v1/estimates"))

    refused = [span for span in collector.spans if attributes(span).get("error.type")]
    assert {"size", "parse"} <= {span.name for span in refused}
    assert SECRET not in str(collector.spans)


def test_a_refusal_is_no_failure_and_a_fault_is(collector: Collector) -> None:
    """A 4xx is no failure of the service, and a 5xx is one (OpenTelemetry)."""
    app = create_app(Settings(log_level="critical", traces_endpoint=f"{collector.url}/v1/traces"))
    app.add_url_rule("/broken", view_func=lambda: 1 / 0)
    app.test_client().get("/made/up")
    app.test_client().get("/broken")
    collector.wait_for(lambda: collector.named("GET /broken"))

    assert [Status.STATUS_CODE_UNSET] == [span.status.code for span in collector.named("GET")]
    assert [Status.STATUS_CODE_ERROR] == [span.status.code for span in collector.named("GET /broken")]


def test_probes_are_no_traces(client: FlaskClient, collector: Collector) -> None:
    """Probes have no traces, because they would hide the others."""
    for path in ("/healthz", "/readyz", "/metrics", "/v1/models"):
        client.get(path)
    collector.wait_for(lambda: collector.named("GET /v1/models"))

    assert {span.name for span in collector.spans} == {"GET /v1/models"}


def test_a_batch_has_one_span_for_all_its_items(client: FlaskClient, collector: Collector) -> None:
    """A batch of a thousand items has one span for all of them."""
    client.post("/v1/recommendations/batch", json={"requests": [WORKLOAD] * 3})
    collector.wait_for(lambda: collector.named("POST /v1/recommendations/batch"))

    assert sorted(span.name for span in collector.spans) == ["POST /v1/recommendations/batch", "parse", "render"]


def test_a_price_lookup_is_a_span_and_redis_in_the_background_is_none(collector: Collector, redis_url: str) -> None:
    """A price lookup is a span below its phase; watching for snapshots is none."""
    settings = Settings(
        log_level="critical", traces_endpoint=f"{collector.url}/v1/traces", redis_url=redis_url, redis_namespace="t"
    )
    create_app(settings).test_client().get("/v1/prices?cloud=aws&limit=1")
    collector.wait_for(lambda: collector.named("GET /v1/prices"))

    by_id = {span.span_id: span for span in collector.spans}
    (lookup,) = collector.named("price lookup")
    assert by_id[lookup.parent_span_id].name == "lookup"
    assert [span.name for span in collector.spans if span.name.startswith("redis")] == []


def test_a_collector_that_never_answers_holds_up_no_request(client: FlaskClient, collector: Collector) -> None:
    """With a silent collector, spans beyond the queue are dropped, and the process ends within seconds."""
    collector.silent.set()
    answers = {client.get("/v1/models?limit=1").status_code for _ in range(50)}
    began = time.monotonic()
    tracing.stop(seconds=0.5)

    assert answers == {200}
    assert time.monotonic() - began < 5.0


def test_a_variable_that_the_sdk_cannot_use_stops_traces_alone(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a faulty variable, requests are answered, and the log says that there are no traces."""
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "100000")  # more than the queue holds
    client = create_app(Settings(log_level="error")).test_client()
    with capture_logs() as events:
        tracing.configure(f"{collector.url}/v1/traces")
        answers = {client.get("/v1/models?limit=1").status_code for _ in range(3)}

    assert answers == {200}
    assert [event["event"] for event in events].count("traces_unusable") == 1


def test_without_a_collector_nothing_that_traces_is_loaded() -> None:
    """Without a collector, neither SDK nor exporter is loaded."""
    program = (
        "import sys; from plimsoll_service.app import create_app; from plimsoll_service.settings import Settings\n"
        "create_app(Settings(log_level='critical')).test_client().get('/v1/models')\n"
        "TRACING = ('opentelemetry.exporter', 'opentelemetry.sdk.trace', 'google.protobuf', 'requests')\n"
        "print([name for name in sys.modules if name.startswith(TRACING)])"
    )

    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert said.strip() == "[]"


def _spans(outcome: str) -> float:
    return REGISTRY.get_sample_value("plimsoll_spans_total", {"outcome": outcome}) or 0.0
