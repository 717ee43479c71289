"""Requests are measured, and each has a line in the log."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from plimsoll_service.api import request_middleware
from plimsoll_service.api.guard import install
from plimsoll_service.api.request_middleware import MOST_PATH
from plimsoll_service.app import configure_logging, contract

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SECRET = "resnet-of-a-secret-project"
WORKLOAD = {"workload": {"task": "training", "model": "resnet50"}}
ON = {"accelerator": "V100-16GB"}
RECOMMENDATIONS = "/v1/recommendations"


@pytest.fixture(autouse=True)
def audible() -> Iterator[None]:
    """Log requests, although structlog's configuration is shared."""
    before = structlog.get_config()
    configure_logging("info")
    yield
    structlog.configure(**before)


def value(name: str, **labels: str) -> float:
    """Current value of a metric."""
    return REGISTRY.get_sample_value(name, labels) or 0.0


@contextmanager
def counting(name: str, by: float, **labels: str) -> Iterator[None]:
    """Check that the block adds exactly that much to a metric."""
    before = value(name, **labels)
    yield
    assert value(name, **labels) == before + by


@pytest.mark.parametrize("phase", ["parse", "size", "render"])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        (RECOMMENDATIONS, WORKLOAD),
        ("/v1/estimates", WORKLOAD | {"on": ON}),
        ("/v1/comparisons", WORKLOAD | {"on": [ON, ON]}),
        (f"{RECOMMENDATIONS}/batch", {"requests": [WORKLOAD, WORKLOAD]}),
    ],
)
def test_a_question_has_three_phases(client: FlaskClient, path: str, body: dict[str, object], phase: str) -> None:
    """Each phase is measured once a request, also with many items."""
    with counting("plimsoll_phase_seconds_count", 1, route=path, phase=phase):
        assert client.post(path, json=body).status_code == 200


def test_phases_are_parts_of_the_whole(client: FlaskClient) -> None:
    """The phases together take no longer than the request."""

    def whole() -> float:
        return value("plimsoll_request_seconds_sum", route=RECOMMENDATIONS, method="GET", status="200")

    def parts() -> float:
        return sum(
            value("plimsoll_phase_seconds_sum", route=RECOMMENDATIONS, phase=phase)
            for phase in ("parse", "size", "render")
        )

    whole_before, parts_before = whole(), parts()
    client.get(f"{RECOMMENDATIONS}?task=training")

    assert 0 < parts() - parts_before <= whole() - whole_before


def test_what_is_refused_has_no_later_phase(client: FlaskClient) -> None:
    """An unreadable workload is not sized, but the time of reading it counts."""
    counts = "plimsoll_phase_seconds_count"
    with (
        counting(counts, 1, route="/v1/estimates", phase="parse"),
        counting(counts, 0, route="/v1/estimates", phase="size"),
    ):
        assert client.post("/v1/estimates", json={"workload": {}}).status_code == 422


def test_price_lookups_are_a_phase(client: FlaskClient) -> None:
    """Price lookups are measured as a phase."""
    with counting("plimsoll_phase_seconds_count", 1, route="/v1/prices", phase="lookup"):
        client.get("/v1/prices?cloud=aws&limit=1")


@pytest.mark.parametrize(
    ("path", "kind"), [("/made/up", "not-found"), (f"{RECOMMENDATIONS}?task=nothing", "invalid-field")]
)
def test_refusals_are_counted_by_kind(client: FlaskClient, path: str, kind: str) -> None:
    """Refusals are counted by the kinds of the problem documents."""
    with counting("plimsoll_refusals_total", 1, kind=kind):
        client.get(path)


def test_a_batchs_items_are_counted(client: FlaskClient) -> None:
    """The items of a batch are counted, and the refused items of a batch that was not refused."""
    with (
        counting("plimsoll_batch_workloads_count", 1),
        counting("plimsoll_batch_workloads_sum", 3),
        counting("plimsoll_refusals_total", 2, kind="invalid-field"),
    ):
        client.post(f"{RECOMMENDATIONS}/batch", json={"requests": [WORKLOAD, {}, {"workload": {"task": "?"}}]})


def test_a_method_that_nobody_knows_shares_a_label(client: FlaskClient) -> None:
    """Made-up methods share one label, so that they cannot fill the metrics."""
    client.open("/v1/models", method="BREW")

    text = client.get("/metrics").text

    assert "BREW" not in text


@pytest.mark.parametrize("faulty", [False, True])
def test_requests_in_flight_go_up_and_down(faulty: bool) -> None:
    """One request is in flight while it is answered, and none afterwards, whatever its result."""
    app, seen = Flask(__name__), []
    request_middleware.register(app)

    @app.get("/")
    def view() -> str:
        seen.append(value("plimsoll_requests_in_flight"))
        return str(1 / (not faulty))

    if faulty:
        app.after_request(lambda _: 1 / 0)
    before = value("plimsoll_requests_in_flight")
    app.test_client().get("/")

    assert (seen, value("plimsoll_requests_in_flight")) == ([before + 1], before)


WORKER = """
from plimsoll_service.api.request_middleware import worker_began
from plimsoll_service.metrics import exposition
worker_began()
print(exposition(None).decode())
"""


def test_a_worker_says_that_it_began() -> None:
    """The number of workers and the start time of the newest show if workers die."""
    text = subprocess.run([sys.executable, "-c", WORKER], check=True, capture_output=True, text=True).stdout
    samples = dict(line.split() for line in text.splitlines() if line.startswith("plimsoll_worker"))

    assert float(samples["plimsoll_workers"]) == 1
    assert float(samples["plimsoll_worker_start_time_seconds"]) > 1.7e9


def test_a_line_says_what_became_of_a_request(client: FlaskClient) -> None:
    """A line has route, status, size, and times in total and by phase."""
    with capture_logs() as events:
        response = client.get("/v1/recommendations?task=training", headers={"X-Request-Id": "mine"})
    (line,) = events
    times = line.pop("milliseconds"), line.pop("phase_milliseconds")

    assert line == {
        "event": "request",
        "log_level": "info",
        "request_id": "mine",
        "method": "GET",
        "route": "/v1/recommendations",
        "path": "/v1/recommendations",
        "status": 200,
        "bytes": len(response.data),
        "client": "127.0.0.1",
    }
    assert list(times[1]) == ["parse", "size", "render"]
    assert 0 < sum(times[1].values()) <= times[0] + 0.003  # each is rounded


def test_a_line_holds_nothing_of_the_workload(client: FlaskClient, capsys: pytest.CaptureFixture[str]) -> None:
    """A line has nothing of a query, a body, or a header that is no id."""
    client.get(f"/v1/recommendations?task=training&model={SECRET}", headers={"X-Request-Id": f"{SECRET} "})
    client.post("/v1/estimates", json={"workload": {"task": SECRET}}, headers={"Authorization": f"Bearer {SECRET}"})

    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["request", "request"]
    assert SECRET not in "".join(lines)


def test_a_long_path_is_cut(client: FlaskClient) -> None:
    """A long invented path takes little space in the log."""
    with capture_logs() as events:
        client.get("/" + "x" * 4000)

    assert [len(event["path"]) for event in events] == [MOST_PATH]


def test_the_callers_trace_is_named(client: FlaskClient) -> None:
    """The caller's trace is named, even if the service records none."""
    with capture_logs() as events:
        client.get("/v1/models", headers={"traceparent": f"00-{TRACE}-{PARENT}-01"})

    assert [event["trace_id"] for event in events] == [TRACE]


@pytest.mark.parametrize(
    "given",
    [
        f"ff-{TRACE}-{PARENT}-01",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}",
        f'00-{TRACE}-{PARENT}-01","level":"critical',
    ],
)
def test_what_is_no_trace_is_not_named(client: FlaskClient, given: str) -> None:
    """A malformed trace header counts as absent, as W3C Trace Context says."""
    with capture_logs() as events:
        client.get("/v1/models", headers={"traceparent": given})

    assert ["trace_id" in event for event in events] == [False]


def test_every_line_within_a_request_has_its_id(client: FlaskClient, capsys: pytest.CaptureFixture[str]) -> None:
    """Every log line of a request has the id that the caller got."""
    client.application.add_url_rule("/noted", view_func=lambda: structlog.get_logger().warning("noted") or "")
    client.get("/noted", headers={"X-Request-Id": "mine"})

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["event"], line["request_id"]) for line in lines] == [("noted", "mine"), ("request", "mine")]


def test_a_key_that_is_sent_as_a_request_id_is_none(client: FlaskClient) -> None:
    """A key in place of a request id is neither logged nor sent back."""
    key = "plm_" + "0" * 12 + "_" + "1" * 64
    with capture_logs() as lines:
        answer = client.get("/v1/rules", headers={"X-Request-Id": f"job:{key}"})

    assert key not in answer.headers["X-Request-Id"]
    assert key not in str(lines)


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/recommendations?model=no", "/v1/recommendations?precision=9"])
def test_refusals_are_not_stored(client: FlaskClient, path: str) -> None:
    """Refusals are not stored, because they may no longer be right later."""
    answer = client.get(path)

    assert answer.status_code >= 400
    assert answer.headers["Cache-Control"] == "no-store"


def test_http_1_1_without_a_host_is_refused(client: FlaskClient) -> None:
    """HTTP/1.1 without a host is refused (RFC 9112); HTTP/1.0 needs none."""
    hostless = {"HTTP_HOST": "", "SERVER_PROTOCOL": "HTTP/1.1"}
    answer = client.get("/v1/rules", environ_overrides=hostless)

    assert (answer.status_code, answer.content_type) == (400, "application/problem+json")
    assert client.get("/v1/rules", environ_overrides=hostless | {"SERVER_PROTOCOL": "HTTP/1.0"}).status_code == 200


def test_a_redirect_does_not_repeat_the_host() -> None:
    """A redirect does not repeat the host, because a caller could name any host there."""
    app = contract()
    app.add_url_rule("/old/", view_func=lambda: "", endpoint="old")
    install._add_headers(app, None)
    answer = app.test_client().get("/old?a=1", headers={"Host": "evil.example"})

    assert (answer.status_code, answer.headers["Location"]) == (308, "/old/?a=1")


def test_successes_of_probes_are_not_logged(client: FlaskClient) -> None:
    """Of the requests of probes, those with a caller's id are logged."""
    with capture_logs() as events:
        for _ in range(3):
            client.get("/healthz")
        client.get("/healthz", headers={"X-Request-Id": "mine"})

    assert [event["request_id"] == "mine" for event in events] == [True]


def test_another_configuration_holds_at_once(client: FlaskClient, capsys: pytest.CaptureFixture[str]) -> None:
    """A new log configuration applies at once, whatever the previous one was."""
    client.get("/v1/models")
    configure_logging("critical")
    client.get("/v1/models")
    silent = capsys.readouterr().out.splitlines()
    configure_logging("info")
    client.get("/v1/models")

    assert (1, 1) == (len(silent), len(capsys.readouterr().out.splitlines()))
