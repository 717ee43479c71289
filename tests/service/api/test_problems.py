"""Every error is a problem document."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.exceptions import ServiceUnavailable

ROUTE = "/v1/recommendations"
JSON = "application/json"
WORDS = st.sampled_from(
    ["workload", "constraints", "task", "training", "dataset", "size", "on", "model", "config", "clouds"]
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(), inner, max_size=4),
    max_leaves=20,
)


def nested(depth: int) -> bytes:
    """An object of that depth."""
    return b'{"workload":' * depth + b"1" + b"}" * depth


@pytest.mark.parametrize("body", [b"", b"{", b"NaN", b'{"a": Infinity}', b"\xff", b'"\\ud800"', b"[1]", b"3", b"null"])
def test_what_is_no_json_object_is_malformed(client: FlaskClient, body: bytes) -> None:
    """A body that is no JSON object gives 400 and the expected form."""
    response = client.post(ROUTE, data=body, content_type=JSON)

    assert (response.status_code, response.mimetype) == (400, "application/problem+json")


@pytest.mark.parametrize("depth", [40, 900, 5_000])
def test_deep_nesting_is_malformed(client: FlaskClient, depth: int) -> None:
    """Deep nesting gives 400 and never brings the service down."""
    assert client.post(ROUTE, data=nested(depth), content_type=JSON).status_code == 400


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", None])
def test_another_media_type_is_unsupported(client: FlaskClient, content_type: str | None) -> None:
    """Another media type, or none, gives 415."""
    assert client.post(ROUTE, data=b"{}", content_type=content_type).status_code == 415


def test_a_body_over_the_limit_is_too_large(client: FlaskClient) -> None:
    """A body above the limit gives 413 unparsed; it is read to its end, so that the connection can stay open."""
    body = BytesIO(b" " * 100_001)
    response = client.post(ROUTE, input_stream=body, content_length=100_001, content_type=JSON)
    assert (response.status_code, "100,000 bytes" in response.json["detail"]) == (413, True)
    assert body.read() == b""


def test_a_problem_says_what_where_and_what_to_do(client: FlaskClient) -> None:
    """A problem has all members of RFC 9457 and the errors of this service."""
    response = client.post(ROUTE, json={"workload": {"task": "trainin"}})

    detail = "unknown value 'trainin'; did you mean 'training'? (one of training, inference, preprocessing, hpc)"
    assert response.json == {
        "type": "/problems/invalid-field",
        "title": "The request has invalid fields",
        "status": 422,
        "detail": f"1 fault: /workload/task: {detail}",
        "instance": ROUTE,
        "errors": [{"pointer": "/workload/task", "detail": detail}],
    }


def test_a_type_leads_to_its_page(client: FlaskClient) -> None:
    """The address of a problem's type leads to its page."""
    link = client.get("/nowhere").json["type"]

    assert (client.get(link).status_code, client.get("/problems/none").status_code) == (200, 404)


def test_a_method_that_is_not_taken_names_those_that_are(client: FlaskClient) -> None:
    """405 has the allowed methods in Allow."""
    response = client.delete(ROUTE)

    assert response.status_code == 405
    assert {"GET", "POST"} <= set(response.headers["Allow"].split(", "))


@pytest.mark.parametrize(
    ("path", "suggested"),
    [
        ("/v1/instance-types/aws/p3.2xlarg", "'p3.2xlarge'"),
        ("/v1/instance-types/asw/p3.2xlarge", "'aws'"),
        ("/v1/rules/", "/docs"),
        ("/nothing", "/docs"),
    ],
)
def test_what_is_not_there_is_not_found(client: FlaskClient, path: str, suggested: str) -> None:
    """404 has suggestions."""
    response = client.get(path)

    assert response.status_code == 404
    assert suggested in response.json["detail"]


def test_a_query_parameter_beside_a_body_is_refused(client: FlaskClient) -> None:
    """A misspelt `format` beside a body is refused, and does not silently give JSON."""
    response = client.post(f"{ROUTE}?formt=env", json={"workload": {"task": "hpc"}})

    assert response.status_code == 422
    assert "'format'" in response.json["errors"][0]["detail"]


def test_who_must_wait_is_told_how_long(app: Flask, sizer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem document keeps Retry-After."""

    def unavailable(*_: Any) -> None:
        raise ServiceUnavailable(retry_after=3)

    monkeypatch.setattr(sizer, "recommend", unavailable)

    response = app.test_client().get(f"{ROUTE}?task=hpc")

    assert (response.status_code, response.headers["Retry-After"]) == (503, "3")


def test_a_defect_is_a_problem_without_its_inside(app: Flask, sizer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """500 says that the service is at fault, and nothing of its code."""

    def defect(*_: Any) -> None:
        raise RuntimeError("inside")

    monkeypatch.setattr(sizer, "recommend", defect)

    response = app.test_client().get(f"{ROUTE}?task=hpc")

    assert (response.status_code, response.mimetype) == (500, "application/problem+json")
    assert "inside" not in response.text


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(document=VALUES, route=st.sampled_from([ROUTE, f"{ROUTE}/batch", "/v1/estimates", "/v1/comparisons"]))
def test_no_document_is_a_defect(client: FlaskClient, document: Any, route: str) -> None:
    """Any JSON is answered or refused."""
    assert client.post(route, data=orjson.dumps(document), content_type=JSON).status_code in (200, 400, 413, 422)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(workload=VALUES, constraints=VALUES, on=VALUES)
def test_no_part_of_a_question_is_a_defect(client: FlaskClient, workload: Any, constraints: Any, on: Any) -> None:
    """Any value in any place is answered or refused."""
    body = {"workload": workload, "constraints": constraints, "on": [on, on]}

    assert client.post("/v1/comparisons", json=body).status_code in (200, 400, 413, 422)


@pytest.mark.parametrize(("called", "name"), {"users": "concurrency", "rps": "requests_per_second"}.items())
def test_a_field_by_the_name_that_people_use_is_told_its_own(client: FlaskClient, called: str, name: str) -> None:
    """A common name for a field gets the right one, even if the names are not similar."""
    reply = client.post(
        "/v1/recommendations", json={"workload": {"task": "inference", "model": "llama-3-8b", called: 9}}
    )
    expected = [{"pointer": f"/workload/{called}", "detail": f"unknown field; did you mean {name!r}?"}]
    assert expected == reply.get_json()["errors"]
