"""What is measured of requests."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client import REGISTRY

from plimsoll_service.api import observe

WORKLOAD = {"workload": {"task": "training", "model": "resnet50"}}
ON = {"accelerator": "V100-16GB"}
RECOMMENDATIONS = "/v1/recommendations"


def value(name: str, **labels: str) -> float:
    """A metric's value now."""
    return REGISTRY.get_sample_value(name, labels) or 0.0


@contextmanager
def counting(name: str, by: float, **labels: str) -> Iterator[None]:
    """What happens within adds so much to a metric."""
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
    """Each is measured once a request, also where it has many items."""
    with counting("plimsoll_phase_seconds_count", 1, route=path, phase=phase):
        assert client.post(path, json=body).status_code == 200


def test_phases_are_parts_of_the_whole(client: FlaskClient) -> None:
    """Together they take no longer than the request."""

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
    """A workload that cannot be read is not sized, and the time that reading it took counts."""
    counts = "plimsoll_phase_seconds_count"
    with (
        counting(counts, 1, route="/v1/estimates", phase="parse"),
        counting(counts, 0, route="/v1/estimates", phase="size"),
    ):
        assert client.post("/v1/estimates", json={"workload": {}}).status_code == 422


def test_price_lookups_are_a_phase(client: FlaskClient) -> None:
    """Apart from what the rest of the request takes."""
    with counting("plimsoll_phase_seconds_count", 1, route="/v1/prices", phase="lookup"):
        client.get("/v1/prices?cloud=aws&limit=1")


@pytest.mark.parametrize(
    ("path", "kind"), [("/made/up", "not-found"), (f"{RECOMMENDATIONS}?task=nothing", "invalid-field")]
)
def test_refusals_are_counted_by_kind(client: FlaskClient, path: str, kind: str) -> None:
    """The kinds are those of the problem documents."""
    with counting("plimsoll_refusals_total", 1, kind=kind):
        client.get(path)


def test_a_batchs_items_are_counted(client: FlaskClient) -> None:
    """How many there are, and how many of them were refused although the batch was not."""
    with (
        counting("plimsoll_batch_workloads_count", 1),
        counting("plimsoll_batch_workloads_sum", 3),
        counting("plimsoll_refusals_total", 2, kind="invalid-field"),
    ):
        client.post(f"{RECOMMENDATIONS}/batch", json={"requests": [WORKLOAD, {}, {"workload": {"task": "?"}}]})


def test_a_method_that_nobody_knows_shares_a_label(client: FlaskClient) -> None:
    """Made-up methods cannot fill the metrics."""
    client.open("/v1/models", method="BREW")

    text = client.get("/metrics").text

    assert "BREW" not in text


@pytest.mark.parametrize("faulty", [False, True])
def test_requests_in_flight_go_up_and_down(faulty: bool) -> None:
    """One while it is answered, none after, whatever became of it."""
    app, seen = Flask(__name__), []
    observe.register(app)

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
from plimsoll_service.api.observe import worker_began
from plimsoll_service.metrics import exposition
worker_began()
print(exposition(None).decode())
"""


def test_a_worker_says_that_it_began() -> None:
    """How many there are, and when the youngest began, tells of workers that die."""
    text = subprocess.run([sys.executable, "-c", WORKER], check=True, capture_output=True, text=True).stdout
    samples = dict(line.split() for line in text.splitlines() if line.startswith("plimsoll_worker"))

    assert float(samples["plimsoll_workers"]) == 1
    assert float(samples["plimsoll_worker_start_time_seconds"]) > 1.7e9
