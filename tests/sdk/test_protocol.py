"""Calls and replies without a connection."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from plimsoll import (
    Answer,
    BadAnswer,
    Constraints,
    CustomModel,
    Dataset,
    Discount,
    Hardware,
    Query,
    ValidationError,
    Workload,
    _protocol,
)
from plimsoll._reply import Reply
from plimsoll.resources import InstanceType, Rule

ESTIMATE = {
    "basis": "modelled",
    "bottleneck": "launch_latency",
    "throughput": {"value": 8, "low": 7, "high": 9, "unit": "samples/s"},
}
ANSWER = {"catalog": {"version": "v"}, "workload": {"task": "training"}, "recommendations": []}


def reply(document: Any, status: int = 200) -> Reply:
    """A reply with a JSON body."""
    return Reply(status, json.dumps(document).encode())


def test_fields_go_over_the_workload() -> None:
    """Fields by name override those of the workload for one question."""
    base = Workload("training", model="resnet50", batch_size=32)

    body = _protocol.question(base, None, None, fields={"batch_size": 64})

    assert body == {"workload": {"task": "training", "model": "resnet50", "batch_size": 64}}


def test_numbers_of_numpy_are_plain_ones() -> None:
    """Numbers of NumPy, decimals and fractions need no conversion."""
    numbers = {"batch_size": np.int64(64), "epochs": np.float32(1.5), "budget_usd": Decimal("12.5")}
    hours = np.linspace(0, 2.3, 24)

    body = _protocol.question({"task": "inference", "requests_per_second_by_hour": hours}, None, None, fields=numbers)

    assert json.loads(json.dumps(body["workload"])) == {
        "task": "inference",
        "requests_per_second_by_hour": hours.tolist(),
        "batch_size": 64,
        "epochs": 1.5,
        "budget_usd": 12.5,
    }


@pytest.mark.parametrize("value", [float("nan"), np.float64("nan"), np.float32("inf"), Decimal("NaN")])
def test_a_number_that_is_none_is_named(value: Any) -> None:
    """A number that is not finite is named with its field and row, before anything is sent."""
    with pytest.raises(ValueError, match=r"^workload/dataset/samples: (nan|inf) is not a finite number"):
        _protocol.question({"task": "training", "dataset": {"samples": value}}, None, None)
    with pytest.raises(ValueError, match=r"^constraints/min_vcpus: (nan|inf) is not a finite number"):
        _protocol.question({"task": "training"}, {"min_vcpus": value}, None)
    with pytest.raises(ValueError, match=r"^queries/7/workload/epochs: (nan|inf) is not a finite number"):
        _protocol.recommend_batch([Query({"task": "training"}), Query({"task": "training", "epochs": value})], first=6)


def test_an_answer_has_the_id_of_its_request() -> None:
    """An answer has the id of its request, which does not count when answers are compared."""
    answers = Reply(200, json.dumps(ANSWER).encode(), "r1"), Reply(200, json.dumps(ANSWER).encode(), "r2")

    first, second = (_protocol.recommend({}).result(each) for each in answers)
    batch = _protocol.recommend_batch([{"workload": {"task": "training"}}])
    result = json.dumps({"results": [{"status": 200, **ANSWER}]}).encode()

    assert ("r1", "r2") == (first.request_id, second.request_id)
    assert first == second
    assert "request_id" not in first.raw
    assert [each.request_id for each in batch.result(Reply(200, result, "r3"))] == ["r3"]


def test_no_workload_at_all_is_a_callers_mistake() -> None:
    """A question without a workload is not sent."""
    with pytest.raises(TypeError, match="give a workload"):
        _protocol.question(None, None, None)


def test_typed_input_and_plain_dicts_say_the_same() -> None:
    """Dataclasses are sent without unset fields, like the equivalent dict."""
    typed = Workload(
        "training",
        model=CustomModel(family="cnn", parameters=25e6),
        dataset=Dataset(size="240GB"),
        image_size=(224, 224),
    )
    plain = {
        "task": "training",
        "model": {"family": "cnn", "parameters": 25e6},
        "dataset": {"size": "240GB"},
        "image_size": [224, 224],
    }

    assert _protocol.question(plain, None, None) == _protocol.question(typed, None, None)


def test_constraints_nest() -> None:
    """Discounts and own machines are sent as lists of objects."""
    constraints = Constraints(
        clouds=["aws"],
        discounts=[Discount("aws", 30)],
        own_machines=[Hardware(label="box", accelerator="V100-16GB", count=1), {"label": "plain"}],
    )

    sent = _protocol.question({"task": "training"}, constraints, "cost")["constraints"]

    machines = [{"label": "box", "accelerator": "V100-16GB", "count": 1}, {"label": "plain"}]
    assert {"clouds": ["aws"], "discounts": [{"cloud": "aws", "percent": 30}], "own_machines": machines} == sent


@pytest.mark.parametrize(
    ("deadline", "sent"),
    [
        ("48h", "48h"),
        (timedelta(hours=36), "129600s"),
        (timedelta(seconds=0.5), "0.5s"),
        (datetime(2030, 1, 31, 14, 0, tzinfo=timezone(timedelta(hours=2))), "2030-01-31T12:00:00Z"),
        (datetime(2030, 1, 31, 12, 0, tzinfo=UTC), "2030-01-31T12:00:00Z"),
    ],
)
def test_deadlines_are_sent_as_durations_or_utc(deadline: Any, sent: str) -> None:
    """Python's times become the contract's."""
    assert sent == _protocol.question(Workload("training", deadline=deadline), None, None)["workload"]["deadline"]


def test_a_time_without_zone_is_refused() -> None:
    """A time without zone is refused, because nobody can know which clock it means."""
    with pytest.raises(ValueError, match="no time zone"):
        _protocol.question(Workload("training", deadline=datetime(2030, 1, 31)), None, None)


def test_a_batch_keeps_order_and_lets_one_fail_alone() -> None:
    """Results have the questions' order, and a refusal is an error that is not raised."""
    refused = {"status": 422, "title": "Invalid", "errors": [{"pointer": "/workload/task", "detail": "is required"}]}
    call = _protocol.recommend_batch([Query(Workload("training"), limit=1), {"workload": {}}])

    first, second = call.result(reply({"results": [ANSWER | {"status": 200}, refused]}))

    assert call.json == {"requests": [{"workload": {"task": "training"}, "limit": 1}, {"workload": {}}]}
    assert isinstance(first, Answer)
    assert isinstance(second, ValidationError)
    assert second.errors[0].pointer == "/workload/task"


@pytest.mark.parametrize("results", [None, [], [{}], [{"status": "200"}]])
def test_a_batch_answer_must_match_its_questions(results: Any) -> None:
    """Too few results, or one without status, is a bad answer."""
    with pytest.raises(BadAnswer, match="/results"):
        _protocol.recommend_batch([{"workload": {}}]).result(reply({"results": results}))


def test_an_estimate_asks_about_hardware() -> None:
    """The hardware is sent beside the workload, and the shortfall is typed."""
    short = [
        {"resource": "precision", "required": "fp8", "available": "fp16"},
        {"resource": "memory_gib", "required": 9, "available": 8},
    ]
    call = _protocol.estimate({"workload": {"task": "hpc"}}, Hardware(accelerator="V100-16GB", count=1))

    result = call.result(reply({"fits": False, "estimate": None, "short": short}))

    assert call.json == {"workload": {"task": "hpc"}, "on": {"accelerator": "V100-16GB", "count": 1}}
    assert (result.short[0].required, result.short[1].required) == ("fp8", 9.0)
    assert (result.fits, result.estimate) == (False, None)


def test_a_comparison_keeps_rows_that_do_not_fit() -> None:
    """A machine that does not fit has None for its ratios."""
    rows = [
        {
            "label": "G2",
            "fits": True,
            "relative_performance": 1,
            "relative_cost": 1,
            "performance_per_cost": 1,
            "estimate": ESTIMATE,
        },
        {"label": "small", "fits": False, "relative_performance": None},
    ]
    call = _protocol.compare({"workload": {"task": "hpc"}}, ({"label": "G2"}, Hardware(label="small")))

    machines = call.result(reply({"machines": rows})).machines

    assert call.json["on"] == [{"label": "G2"}, {"label": "small"}]
    assert [machine.relative_performance for machine in machines] == [1.0, None]


def test_filters_become_query_parameters() -> None:
    """Lists are joined, booleans are written as in JSON, and None is left out."""
    filters = {"cloud": ["aws", "gcp"], "retired": False, "min_vcpus": 8, "family": None}

    call = _protocol.collection("instance-types", InstanceType, filters)

    assert call.params == {"limit": "1000", "cloud": "aws,gcp", "retired": "false", "min_vcpus": "8"}


def test_every_question_may_name_its_snapshot() -> None:
    """A version goes into the address, beside the format; without one, nothing does."""
    version = "2026-11-21-0badcafe+stale1"
    body = {"workload": {"task": "hpc"}}

    def calls(snapshot: str | None) -> list[dict[str, str]]:
        asked = (
            _protocol.recommend(body, snapshot),
            _protocol.recommend_as(body, "env", snapshot),
            _protocol.recommend_batch([body], snapshot),
            _protocol.estimate(body, {"cpu": "Skylake"}, snapshot),
            _protocol.compare(body, [{"cpu": "Skylake"}], snapshot),
            _protocol.instance_type("aws", "p3.2xlarge", snapshot),
        )
        return [dict(call.params) for call in asked]

    formatted = [{}, {"format": "env"}, {}, {}, {}, {}]
    assert calls(version) == [{**params, "snapshot": version} for params in formatted]
    assert calls(None) == formatted


def test_changes_lead_from_one_version_to_another() -> None:
    """The two versions and the filters become parameters, and an unsold price is None."""
    removed = {"cloud": "aws", "region": "us-east-1", "instance_type": "p3.2xlarge", "purchase": "spot"}
    removed |= {"change": "removed", "from_usd_per_hour": 1, "to_usd_per_hour": None, "percent": None}
    call = _protocol.price_changes("v1", "v2", {"min_percent": 5, "change": ["added", "removed"]})

    (item,) = call.result(reply({"items": [removed], "total": 1, "next": None})).items

    assert call.path == "/v1/prices/changes"
    assert call.params == {
        "limit": "1000", "from": "v1", "to": "v2", "min_percent": "5", "change": "added,removed",
    }  # fmt: skip
    assert (item.change, item.from_usd_per_hour, item.to_usd_per_hour, item.percent) == ("removed", 1.0, None, None)
    assert "to" not in _protocol.price_changes("v1", None, {}).params


def test_a_next_page_never_leaves_the_service() -> None:
    """Only path and query of a ``next`` with a host are followed."""
    page = _protocol.collection("rules", Rule, {}).result(
        reply({"items": [], "next": "http://elsewhere/v1/rules?cursor=x"})
    )

    assert page.next is not None
    assert page.next.path == "/v1/rules?cursor=x"


def test_a_page_that_follows_itself_is_a_bad_answer() -> None:
    """An iterator never follows a page to itself."""
    again = {"items": [], "next": "/v1/rules?cursor=x"}
    second = _protocol.collection("rules", Rule, {}).result(reply(again)).next

    assert second is not None
    with pytest.raises(BadAnswer, match="its own page"):
        second.result(reply(again))


def test_names_in_a_path_are_quoted() -> None:
    """A name with a slash stays one segment."""
    assert _protocol.instance_type("own", "a/b c?").path == "/v1/instance-types/own/a%2Fb%20c%3F"
    assert _protocol.rule("vcpus-per-accelerator").path == "/v1/rules/vcpus-per-accelerator"


def test_readiness_tells_the_catalog() -> None:
    """A ready service states the size of its catalog."""
    catalog = {"version": "v", "prices_as_of": "2024-01-01", "instance_types": 5000, "offers": 105000}

    loaded = _protocol.ready().result(reply({"status": "ready", "catalog": catalog})).catalog

    assert loaded is not None
    assert (loaded.version, loaded.offers) == ("v", 105000)
