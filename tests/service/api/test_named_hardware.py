"""`/v1/estimates` and `/v1/comparisons`: questions about given machines."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from tests.service.api.conftest import pointers

WORKLOAD = {"task": "training", "model": "resnet50"}
T4 = {"label": "T4", "accelerator": "T4", "usd_per_hour": 0.5}


def test_an_estimate_answers_for_the_given_machine(client: FlaskClient) -> None:
    """Fit, sizing, estimate and price are in the answer."""
    response = client.post("/v1/estimates", json={"workload": WORKLOAD, "on": T4})

    assert response.status_code == 200
    assert response.json["fits"] is True
    assert response.json["estimate"]["basis"] == "measured"


def test_a_comparison_has_one_row_a_machine(client: FlaskClient) -> None:
    """Rows are in the requested order, under their labels."""
    machines = [T4, {**T4, "label": "other"}]

    response = client.post("/v1/comparisons", json={"workload": WORKLOAD, "on": machines})

    assert [row["label"] for row in response.json["machines"]] == ["T4", "other"]


@pytest.mark.parametrize("more", [{}, {"epoks": 1}])
def test_a_fault_of_the_machine_points_into_the_body(client: FlaskClient, more: dict[str, int]) -> None:
    """A fault of an estimate points to its machine, and one of a comparison to the place in the list."""
    unknown = {"accelerator": "X"}
    workload = {**WORKLOAD, **more}

    estimate = client.post("/v1/estimates", json={"workload": workload, "on": unknown})
    comparison = client.post("/v1/comparisons", json={"workload": workload, "on": [T4, unknown]})

    assert "/on/accelerator" in pointers(estimate)
    assert "/on/1/accelerator" in pointers(comparison)


@pytest.mark.parametrize("machines", [[], [T4], [T4] * 21, T4, None])
def test_a_comparison_takes_two_to_twenty_machines(client: FlaskClient, machines: Any) -> None:
    """A single machine cannot be compared."""
    response = client.post("/v1/comparisons", json={"workload": WORKLOAD, "on": machines})

    assert pointers(response) == {"/on"}


def test_an_estimate_needs_a_machine(client: FlaskClient) -> None:
    """`on` is required."""
    assert pointers(client.post("/v1/estimates", json={"workload": WORKLOAD})) == {"/on"}
