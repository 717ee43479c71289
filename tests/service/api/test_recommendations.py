"""`/v1/recommendations` in its three forms."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from tests.service.api.conftest import pointers

ROUTE = "/v1/recommendations"
TRAINING: dict[str, Any] = {"workload": {"task": "training", "model": "resnet50"}}
FLAT = {
    "task": "training",
    "model": "resnet50",
    "dataset_size": "240GB",
    "dataset_format": "lmdb",
    "disk_type": "ssd",
    "deadline": "24h",
    "image_size": "224,192",
    "epochs": "90",
    "clouds": "aws,gcp",
    "retired": "true",
    "max_nodes": "2",
    "objective": "cost",
    "limit": "3",
}
NESTED = {
    "workload": {
        "task": "training",
        "model": "resnet50",
        "dataset": {"size": "240GB", "format": "lmdb"},
        "disk": {"type": "ssd"},
        "deadline": "24h",
        "image_size": [224, 192],
        "epochs": 90,
    },
    "constraints": {"clouds": ["aws", "gcp"], "retired": True, "max_nodes": 2},
    "objective": "cost",
    "limit": 3,
}


def test_a_workload_is_answered_with_recommendations(client: FlaskClient) -> None:
    """The answer is the sizer's, under the contract's names."""
    response = client.post(ROUTE, json=TRAINING)

    first = response.json["recommendations"][0]
    assert response.status_code == 200
    assert (first["instance_type"], first["price"]["usd_per_hour"]) == ("g5.xlarge", 1.006)
    assert first["estimate"]["time_hours"] == {"value": 39.4, "low": 34.4, "high": 45.7}
    assert response.headers["Cache-Control"] == "no-cache"


def test_the_same_question_has_the_same_bytes(client: FlaskClient) -> None:
    """An answer contains nothing that depends on the time of the request."""
    assert client.post(ROUTE, json=TRAINING).data == client.post(ROUTE, json=TRAINING).data


def test_a_query_asks_what_a_body_asks(client: FlaskClient, sizer: Any) -> None:
    """Flat parameters give the same query as a body."""
    client.get(ROUTE, query_string=FLAT)
    client.post(ROUTE, json=NESTED)

    assert sizer.seen[0] == sizer.seen[1]


def test_a_list_may_be_repeated_instead_of_joined(client: FlaskClient, sizer: Any) -> None:
    """`clouds=aws&clouds=gcp` is `clouds=aws,gcp`."""
    client.get(f"{ROUTE}?task=hpc&clouds=aws&clouds=gcp")

    assert sizer.seen[0].constraints.clouds == ("aws", "gcp")


def test_faults_of_a_query_are_named_by_parameter(client: FlaskClient) -> None:
    """Unknown, malformed and meaningless parameters are reported together, under the caller's names."""
    response = client.get(
        f"{ROUTE}?task=training&modl=x&dataset_size=5&regions=a,nowhere&discounts=1&epochs=1&epochs=2&limit=x"
    )

    assert response.status_code == 422
    assert pointers(response) == {"modl", "dataset_size", "regions", "discounts", "epochs", "limit"}
    assert "'model'" in response.json["errors"][0]["detail"]


def test_a_parameter_that_is_given_twice_is_not_also_missing(client: FlaskClient) -> None:
    """A parameter that is given twice is one fault."""
    answer = client.get(f"{ROUTE}?task=training&task=hpc")

    assert [{"pointer": "task", "detail": "is given more than once"}] == answer.json["errors"]


def test_faults_of_shape_and_of_meaning_come_together(client: FlaskClient) -> None:
    """An unknown model and a misspelt field are reported together."""
    body = {
        "workload": {"task": "training", "model": "resnet5", "epoks": 1},
        "constraints": {"regions": [1, "nowhere"]},
    }

    response = client.post(ROUTE, json=body)

    expected = {"/workload/epoks", "/workload/model", "/constraints/regions/0", "/constraints/regions/1"}
    assert response.status_code == 422
    assert pointers(response) == expected


@pytest.mark.parametrize("task", [{}, {"task": "trainin"}])
def test_a_missing_task_hides_no_other_fault(client: FlaskClient, task: dict[str, str]) -> None:
    """Faults that every task would have are listed even if the task is wrong."""
    response = client.post(ROUTE, json={"workload": {**task, "model": "resnet5"}})

    assert pointers(response) == {"/workload/task", "/workload/model"}


def test_a_malformed_model_is_not_also_unknown(client: FlaskClient) -> None:
    """A malformed model is one fault."""
    response = client.post(ROUTE, json={"workload": {"task": "training", "model": {"famly": 1}}})

    assert pointers(response) == {"/workload/model/famly"}


@pytest.mark.parametrize("value", ["nan", "inf", "1e999", "9" * 400, "9" * 150, "1_000", " 5", "true", ""])
def test_a_query_takes_only_plain_numbers(client: FlaskClient, value: str) -> None:
    """Infinity, and numbers that only Python understands, are refused."""
    assert client.get(ROUTE, query_string={"task": "hpc", "epochs": value}).status_code == 422


def test_a_batch_answers_each_item_on_its_own(client: FlaskClient) -> None:
    """A bad item of a batch fails alone, in its place."""
    bad = {"workload": {"task": "training", "model": "resnet5"}}

    response = client.post(f"{ROUTE}/batch", json={"requests": [TRAINING, bad, None, 5, TRAINING]})

    results = response.json["results"]
    assert response.status_code == 200
    assert [result["status"] for result in results] == [200, 422, 422, 422, 200]
    assert results[0]["recommendations"][0]["instance_type"] == "g5.xlarge"
    assert results[1]["errors"][0]["pointer"] == "/workload/model"


def test_a_batch_has_at_most_a_thousand_items(client: FlaskClient) -> None:
    """A larger one is refused as a whole."""
    small = {"workload": {"task": "hpc"}}

    assert client.post(f"{ROUTE}/batch", json={"requests": [small] * 1000}).status_code == 200
    assert pointers(client.post(f"{ROUTE}/batch", json={"requests": [small] * 1001})) == {"/requests"}


def test_a_batch_asks_for_ten_thousand_recommendations_at_most(client: FlaskClient, sizer: Any) -> None:
    """Limits of a batch are added before anything is sized; missing and faulty ones count as 5."""
    small = {"workload": {"task": "hpc"}}
    within = [small | {"limit": 100}] * 99 + [small] * 19 + [small | {"limit": 1e300}]

    assert client.post(f"{ROUTE}/batch", json={"requests": within}).status_code == 200
    asked = len(sizer.seen)
    refused = client.post(f"{ROUTE}/batch", json={"requests": [*within, small | {"limit": 1}]})

    assert (refused.status_code, refused.mimetype) == (413, "application/problem+json")
    assert "this one asks for 10,001" in refused.json["detail"]
    assert len(sizer.seen) == asked


def test_a_failing_item_of_a_batch_fails_alone(
    client: FlaskClient, sizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of the service in one item does not affect the others."""
    recommend = sizer.recommend

    def failing(query: Any, prices: Any) -> Any:
        if query.workload.task == "hpc":
            raise ZeroDivisionError
        return recommend(query, prices)

    monkeypatch.setattr(sizer, "recommend", failing)

    response = client.post(f"{ROUTE}/batch", json={"requests": [{"workload": {"task": "hpc"}}, TRAINING]})

    assert [result["status"] for result in response.json["results"]] == [500, 200]
