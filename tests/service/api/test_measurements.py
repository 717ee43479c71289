"""`workload.measurements` over HTTP: their effect on each answer, and every faulty field."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from tests.service.api.conftest import pointers

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

MEASURED: dict[str, Any] = {"on": {"accelerator": "T4", "count": 1}, "throughput": 150.0, "batch_size": 64}
WORKLOAD = {"task": "training", "model": "resnet50", "framework": "pytorch", "precision": "mixed", "batch_size": 64}
L4 = {"accelerator": "L4", "count": 1}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """The whole service, whose estimates the measurements change."""
    return create_app(Settings(log_level="error")).test_client()


def asked(*measurements: Any, **more: Any) -> dict[str, Any]:
    return {"workload": {**WORKLOAD, "measurements": list(measurements)}, **more}


def test_an_estimate_is_anchored(client: FlaskClient) -> None:
    """The answer has the basis, a narrower range, and the measurement beside the estimate without it."""
    plain = client.post("/v1/estimates", json={"workload": WORKLOAD, "on": L4}).json
    found = client.post("/v1/estimates", json=asked(MEASURED, on=L4)).json
    [anchor] = found["anchors"]
    before, after = plain["estimate"]["throughput"], found["estimate"]["throughput"]

    assert found["estimate"]["basis"] == "anchored"
    assert (anchor["on"], anchor["said"], anchor["used"]) == ("T4", 150.0, True)
    assert anchor["estimated_without"] > 150.0
    assert after["value"] < before["value"]
    assert after["high"] / after["low"] < before["high"] / before["low"]
    assert plain["anchors"] == []


def test_every_answer_is_anchored(client: FlaskClient) -> None:
    """Recommendations, comparisons and batches list their measurements."""
    question = asked(MEASURED)
    recommended = client.post("/v1/recommendations", json=question).json
    compared = client.post("/v1/comparisons", json={**question, "on": [L4, {"accelerator": "T4"}]}).json
    batched = client.post("/v1/recommendations/batch", json={"requests": [question, {"workload": WORKLOAD}]}).json

    assert {one["estimate"]["basis"] for one in recommended["recommendations"]} <= {"anchored", "measured"}
    assert ["anchored", "measured"] == [one["estimate"]["basis"] for one in compared["machines"]]
    assert [1, 1, 1, 0] == [len(one["anchors"]) for one in (recommended, compared, *batched["results"])]
    assert recommended["workload"]["measurements"] == [MEASURED]


@pytest.mark.parametrize(
    ("measured", "at"),
    [
        ({"throughput": 150}, "/on"),
        ({"on": {"accelerator": "T4"}}, ""),
        ({"on": {"accelerator": "T5000"}, "throughput": 150}, "/on/accelerator"),
        ({"on": {}, "throughput": 150}, "/on"),
        ({**MEASURED, "throughput": 0}, "/throughput"),
        ({**MEASURED, "throughput": "fast"}, "/throughput"),
        ({**MEASURED, "througput": 1}, "/througput"),
        ({**MEASURED, "ttft_ms": 100}, "/ttft_ms"),
        ({**MEASURED, "input_tokens": 100}, "/input_tokens"),
        ({**MEASURED, "precision": "auto"}, "/precision"),
        ({**MEASURED, "throughput": 1e9}, "/throughput"),
        ({**MEASURED, "accelerator_memory_gib": 17}, "/accelerator_memory_gib"),
    ],
)
def test_each_faulty_field_is_named(client: FlaskClient, measured: dict[str, Any], at: str) -> None:
    """A fault points to the measurement and its field."""
    response = client.post("/v1/recommendations", json=asked(MEASURED, measured))

    assert response.status_code == 422
    assert pointers(response) == {f"/workload/measurements/1{at}"}


SERVED: dict[str, Any] = {
    "on": {"accelerator": "H100", "count": 1},
    "concurrency": 16,
    "throughput": 790,
    "tpot_ms": 20,
}
SERVING = {
    "task": "inference",
    "framework": "vllm",
    "model": "llama-3.1-8b",
    "input_tokens": 1000,
    "output_tokens": 250,
}


@pytest.mark.parametrize(("throughput", "refused"), [(790, False), (2600, True)])
def test_figures_of_one_run_agree(client: FlaskClient, throughput: float, refused: bool) -> None:
    """Sixteen requests at 20 ms a token give at most 800 tokens/s (Little's law)."""
    measured = [{**SERVED, "throughput": throughput}]
    response = client.post(
        "/v1/estimates", json={"workload": {**SERVING, "measurements": measured}, "on": SERVED["on"]}
    )

    assert (response.status_code == 422) == refused
    assert not refused or pointers(response) == {"/workload/measurements/0/throughput"}


def test_a_device_without_bf16_is_farther(client: FlaskClient) -> None:
    """A run on an A100 narrows the time per token on an H100 more than on a V100, which has other kernels."""

    def width(device: str, *measured: Any) -> float:
        workload = {**SERVING, "measurements": list(measured)} if measured else SERVING
        body = {"workload": workload, "on": {"accelerator": device, "count": 1}}
        tpot = client.post("/v1/estimates", json=body).json["estimate"]["serving"]["tpot_ms"]
        return float(tpot["high"] / tpot["low"])

    on_a100 = {**SERVED, "on": {"accelerator": "A100-80GB", "count": 1}, "throughput": 600, "tpot_ms": 24}

    assert width("H100", on_a100) < width("H100")
    assert width("V100-32GB", on_a100) > 1.1 * width("H100", on_a100)


def test_a_field_of_the_workload_is_sent_there(client: FlaskClient) -> None:
    """A measurement is of the workload's own model and software, and the fault says where these are stated."""
    response = client.post("/v1/estimates", json=asked({**MEASURED, "model": "resnet101"}, on=L4))

    assert [(one["pointer"], one["detail"]) for one in response.json["errors"]] == [
        ("/workload/measurements/0/model", "unknown field here: it belongs in 'workload'")
    ]


def test_there_may_be_fifty(client: FlaskClient) -> None:
    """Fifty measurements are accepted, and no more."""
    sound = client.post("/v1/estimates", json=asked(*[MEASURED] * 50, on=L4))
    many = client.post("/v1/estimates", json=asked(*[MEASURED] * 51, on=L4))

    assert (sound.status_code, many.status_code) == (200, 422)
    assert pointers(many) == {"/workload/measurements"}


def test_a_get_refuses_them(client: FlaskClient) -> None:
    """A GET refuses lists of objects, and the fault says to use POST."""
    response = client.get("/v1/recommendations?task=training&measurements=1")

    assert (response.status_code, response.json["errors"][0]["detail"]) == (
        422,
        "objects and lists of objects go by POST",
    )


def test_contradicting_measurements_are_told(client: FlaskClient) -> None:
    """Two distant results for the same machine cause a warning."""
    found = client.post("/v1/estimates", json=asked(MEASURED, {**MEASURED, "throughput": 300}, on=L4)).json

    assert "anchors-disagree" in {warning["rule"] for warning in found["warnings"]}
