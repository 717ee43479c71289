"""What is answered ahead of Flask is what Flask would have answered: status, headers and bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from prometheus_client import REGISTRY

from plimsoll_service.api.ahead import WAITS_FOR_NOBODY
from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

ROUTE, JSON = "/v1/recommendations", "application/json"
WORKLOAD = {"task": "training", "model": "resnet50", "dataset": {"name": "imagenet-1k"}, "epochs": 7}
SOUND: tuple[dict[str, Any], ...] = (
    {"json": {"workload": WORKLOAD}},
    {"json": {"workload": {**WORKLOAD, "model": "ResNet-50", "deadline": "48h"}, "objective": "time", "limit": 3}},
    {"json": {"workload": {"task": "hpc", "flops": 1e18}, "constraints": {"clouds": ["aws"], "regions": None}}},
    {"json": {"workload": {"task": "inference", "model": "llama-3-8b", "requests_per_second": 5}}},
    {"json": {"workload": {**WORKLOAD, "budget_usd": 1e-9}}},  # for which nothing is left
    {"json": {"workload": WORKLOAD}, "headers": {"Accept": "*/*"}},
    {"data": json.dumps({"workload": WORKLOAD}), "content_type": "Application/JSON; charset=utf-8"},
)
FOR_FLASK: tuple[dict[str, Any], ...] = (
    {"json": {"workload": {**WORKLOAD, "epochs": -1}}},
    {"json": {"workload": {**WORKLOAD, "model": "resnet5"}}},
    {"json": {"workload": {**WORKLOAD, "sequence_length": 5}}},
    {"json": {"workload": WORKLOAD, "limits": 3}},
    {"json": {"workload": WORKLOAD, "constraints": {"clouds": ["nowhere"]}}},
    {"json": {}},
    {"json": []},
    {"data": b"{", "content_type": JSON},
    {"data": b"", "content_type": JSON},
    {"data": b"\xff", "content_type": JSON},
    {"data": b"[" * 50 + b"]" * 50, "content_type": JSON},
    {"data": b'{"workload": {"task": "hpc"}}', "content_type": "text/plain"},
    {"data": b'{"workload": {"task": "hpc"}}'},
    {"json": {"workload": WORKLOAD}, "headers": {"Accept": "image/png"}},
    {"json": {"workload": WORKLOAD}, "headers": {"Accept": "application/problem+json;q=0"}},
    {"json": {"workload": WORKLOAD}, "query_string": {"format": "csv"}},
    {"json": {"workload": WORKLOAD}, "query_string": {"format": "none"}},
    {"json": {"workload": WORKLOAD}, "query_string": {"snapshot": "none"}},
    {"json": {"workload": {"task": "hpc"}, "x": "x" * 20_000}},
)


def service(**settings: Any) -> Flask:
    """The whole service; it counts what Flask got to see, and has given one answer."""
    app = create_app(Settings(log_level="critical", **settings))
    app.config["SEEN"] = []
    app.before_request(lambda: app.config["SEEN"].append(request.path))
    app.test_client().post(ROUTE, json={"workload": {"task": "hpc", "flops": 3e18}})
    app.config["SEEN"].clear()
    return app


@pytest.fixture(scope="module")
def ahead() -> FlaskClient:
    """A service that answers ahead of Flask."""
    return service().test_client()


@pytest.fixture(scope="module")
def behind() -> FlaskClient:
    """A service that has no memory, so that Flask answers all."""
    app = service(answer_cache_bytes=0)
    assert WAITS_FOR_NOBODY not in app.extensions
    return app.test_client()


def told(client: FlaskClient, asked: dict[str, Any]) -> tuple[int, list[tuple[str, str]], bytes]:
    """Status, headers in their order without the request's own id, and body."""
    response = client.post(ROUTE, **asked)
    return response.status_code, [each for each in response.headers if each[0] != "X-Request-Id"], response.data


@pytest.mark.parametrize("asked", SOUND, ids=range(len(SOUND)))
def test_a_sound_question_is_answered_as_by_flask(
    ahead: FlaskClient, behind: FlaskClient, asked: dict[str, Any]
) -> None:
    """The first time and again, and to who has the answer already; Flask sees none of it."""
    ahead.application.config["SEEN"].clear()
    by_flask = told(behind, asked)
    validator = dict(by_flask[1])["ETag"]
    known = {**asked, "headers": {**asked.get("headers", {}), "If-None-Match": validator}}

    assert [told(ahead, asked) for _ in range(2)] == [by_flask] * 2
    assert told(ahead, known) == told(behind, known)
    assert by_flask[0] == 200
    assert ahead.application.config["SEEN"] == []


@pytest.mark.parametrize("asked", FOR_FLASK, ids=range(len(FOR_FLASK)))
def test_whatever_else_is_asked_is_left_to_flask(
    ahead: FlaskClient, behind: FlaskClient, asked: dict[str, Any]
) -> None:
    """Faults, other formats, other prices and long bodies, each time they come."""
    assert [told(ahead, asked) for _ in range(2)] == [told(behind, asked)] * 2


def test_a_new_question_of_who_has_its_answer_is_answered_so() -> None:
    """304 at the first asking of this service, when another one gave the answer."""
    asked = {"workload": {**WORKLOAD, "epochs": 31}}
    first, second = service().test_client(), service().test_client()
    validator = first.post(ROUTE, json=asked).headers["ETag"]

    assert second.post(ROUTE, json=asked, headers={"If-None-Match": validator}).status_code == 304
    assert second.application.config["SEEN"] == []


def test_no_larger_body_is_read_than_the_settings_allow() -> None:
    """What Flask would refuse as too large it refuses."""
    client = service(max_body_bytes=200).test_client()

    assert client.post(ROUTE, json={"workload": {"task": "hpc"}}).status_code == 200
    assert client.post(ROUTE, json={"workload": {"task": "hpc"}, "x": "x" * 200}).status_code == 413


def test_a_body_that_ends_early_is_flasks() -> None:
    """Of a length that was promised only a part came, sound by itself."""
    client, text = service().test_client(), b'{"workload": {"task": "hpc"}}'
    promised = {"CONTENT_LENGTH": str(len(text) + 5)}

    assert client.post(ROUTE, data=text, content_type=JSON, environ_overrides=promised).status_code == 400


def test_a_fault_of_the_service_is_told_by_flask() -> None:
    """500 with a problem document."""
    app = service()
    app.extensions["plimsoll"].sizer.__dict__["_markets"] = None

    answer = app.test_client().post(ROUTE, json={"workload": WORKLOAD})

    assert (answer.status_code, answer.mimetype) == (500, "application/problem+json")


def test_a_new_question_is_observed_once(ahead: FlaskClient) -> None:
    """One request, one look into the cache, each phase once."""
    at = {"route": ROUTE, "method": "POST", "status": "200"}
    figures = (
        ("plimsoll_request_seconds_count", at),
        ("plimsoll_answer_cache_lookups_total", {"outcome": "miss"}),
        *(("plimsoll_phase_seconds_count", {"route": ROUTE, "phase": part}) for part in ("parse", "size", "render")),
    )
    before = [REGISTRY.get_sample_value(*each) or 0.0 for each in figures]

    ahead.post(ROUTE, json={"workload": {**WORKLOAD, "epochs": 11}})

    assert [REGISTRY.get_sample_value(*each) for each in figures] == [figure + 1 for figure in before]


def test_a_refused_question_is_observed_once(ahead: FlaskClient) -> None:
    """Though it is read twice, once ahead of Flask."""
    at = {"route": ROUTE, "method": "POST", "status": "422"}
    figures = (
        ("plimsoll_request_seconds_count", at),
        ("plimsoll_phase_seconds_count", {"route": ROUTE, "phase": "parse"}),
        ("plimsoll_refusals_total", {"kind": "invalid-field"}),
    )
    before = [REGISTRY.get_sample_value(*each) or 0.0 for each in figures]

    ahead.post(ROUTE, json={"workload": {**WORKLOAD, "epochs": -11}})

    assert [REGISTRY.get_sample_value(*each) for each in figures] == [figure + 1 for figure in before]
