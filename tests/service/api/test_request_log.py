"""The log's line of a request."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import structlog
from flask.testing import FlaskClient
from structlog.testing import capture_logs

from plimsoll_service.api.observe import MOST_PATH, Sampling
from plimsoll_service.app import configure_logging

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SECRET = "resnet-of-a-secret-project"


@pytest.fixture(autouse=True)
def audible() -> Iterator[None]:
    """Requests are logged; structlog's configuration is the process's."""
    before = structlog.get_config()
    configure_logging("info")
    yield
    structlog.configure(**before)


def test_a_line_says_what_became_of_a_request(client: FlaskClient) -> None:
    """Route, status, size and times, by phase as well."""
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
    }
    assert list(times[1]) == ["parse", "size", "render"]
    assert 0 < sum(times[1].values()) <= times[0] + 0.003  # each is rounded


def test_a_line_holds_nothing_of_the_workload(client: FlaskClient, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither of a query nor of a body, nor of a header that is nobody's id."""
    client.get(f"/v1/recommendations?task=training&model={SECRET}", headers={"X-Request-Id": f"{SECRET} "})
    client.post("/v1/estimates", json={"workload": {"task": SECRET}}, headers={"Authorization": f"Bearer {SECRET}"})

    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["request", "request"]
    assert SECRET not in "".join(lines)


def test_a_long_path_is_cut(client: FlaskClient) -> None:
    """Whatever is made up takes little of the log."""
    with capture_logs() as events:
        client.get("/" + "x" * 4000)

    assert [len(event["path"]) for event in events] == [MOST_PATH]


def test_the_callers_trace_is_named(client: FlaskClient) -> None:
    """Also where the service itself records none."""
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
    """As W3C Trace Context has it: a header that is not understood is as good as none."""
    with capture_logs() as events:
        client.get("/v1/models", headers={"traceparent": given})

    assert ["trace_id" in event for event in events] == [False]


def test_every_line_within_a_request_has_its_id(client: FlaskClient, capsys: pytest.CaptureFixture[str]) -> None:
    """What goes wrong on the way is found by the id that the caller was given."""
    client.application.add_url_rule("/noted", view_func=lambda: structlog.get_logger().warning("noted") or "")
    client.get("/noted", headers={"X-Request-Id": "mine"})

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["event"], line["request_id"]) for line in lines] == [("noted", "mine"), ("request", "mine")]


def test_probes_are_logged_now_and_then(client: FlaskClient) -> None:
    """Kubernetes asks every few seconds; a caller that names its request is always answered in the log, too."""
    with capture_logs() as events:
        for _ in range(3):
            client.get("/healthz")
        client.get("/healthz", headers={"X-Request-Id": "mine"})

    assert [event["request_id"] == "mine" for event in events] in ([False, True], [True])


def test_sampling_says_what_it_kept_back() -> None:
    """One of each route in a while, with the number of those since the last."""
    now = [0.0]
    sampling = Sampling(60.0, clock=lambda: now[0])
    admitted = [sampling.admits("/healthz") for _ in range(3)]
    other = sampling.admits("/readyz")
    now[0] = 60.0

    assert ([0, None, None], 0) == (admitted, other)
    assert sampling.admits("/healthz") == 2


def test_another_configuration_holds_at_once(client: FlaskClient, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever was configured when the last request was logged."""
    client.get("/v1/models")
    configure_logging("critical")
    client.get("/v1/models")
    silent = capsys.readouterr().out.splitlines()
    configure_logging("info")
    client.get("/v1/models")

    assert (1, 1) == (len(silent), len(capsys.readouterr().out.splitlines()))
