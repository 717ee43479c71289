"""Replies as typed values: values that are read, ignored and refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plimsoll import Answer, BadAnswer, _protocol
from plimsoll._json import decode
from plimsoll._reply import Reply

ESTIMATE = {
    "basis": "modelled",
    "bottleneck": "accelerator_compute",
    "throughput": {"value": 812, "low": 700.0, "high": 930.0, "unit": "samples/s"},
    "time_hours": {"value": 39.4, "low": 34.4, "high": 45.7},
    "cost_usd": None,
}
BEST = {
    "rank": 1,
    "cloud": "aws",
    "region": "us-east-1",
    "instance_type": "g5.xlarge",
    "node_count": 1.0,
    "purchase": "on_demand",
    "accelerator": {"name": "A10G", "count": 1, "memory_gib": 24},
    "sizing": {"vcpus": {"required": 4, "provided": 4}, "accelerator_memory_gib": None},
    "estimate": ESTIMATE,
    "price": None,
    "meets": {"deadline": True, "budget": None},
    "reasons": [{"rule": "vcpus-per-accelerator", "text": "four", "source": "S3-03"}],
    "warnings": [],
    "from_a_later_version": 1,
}
ANSWER = {
    "catalog": {"version": "v"},
    "workload": {"task": "training"},
    "recommendations": [BEST],
    "rejected": {"price": 3},
}


def answer_to(document: Any) -> Answer:
    """Answer that ``recommend`` makes from a document."""
    return _protocol.recommend({}).result(Reply(200, json.dumps(document).encode()))


def test_an_answer_is_typed() -> None:
    """Figures, words and nested values have the contract's names."""
    best = answer_to(ANSWER).best

    assert best is not None
    assert (best.instance_type, best.node_count, best.meets.deadline) == ("g5.xlarge", 1, True)
    assert (best.estimate.throughput.value, best.estimate.throughput.unit) == (812.0, "samples/s")
    assert tuple(note.rule for note in best.reasons) == ("vcpus-per-accelerator",)


def test_what_is_not_known_is_none() -> None:
    """A price, cost or sizing that is null or missing is None, never 0."""
    best = answer_to(ANSWER).best

    assert best is not None
    assert best.sizing is not None
    assert (
        best.price,
        best.estimate.cost_usd,
        best.sizing.accelerator_memory_gib,
        best.sizing.disk,
    ) == (None, None, None, None)


def test_members_of_a_later_version_stay_reachable() -> None:
    """Fields that this version does not know are ignored, and remain in ``raw``."""
    assert answer_to(ANSWER).raw["recommendations"][0]["from_a_later_version"] == 1


def test_an_empty_answer_has_no_best() -> None:
    """An answer without candidates has no best, and ``rejected`` gives the reason."""
    answer = answer_to(ANSWER | {"recommendations": []})

    assert (answer.best, answer.rejected) == (None, {"price": 3})


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"recommendations": None}, "/recommendations: a list expected, NoneType received"),
        ({"recommendations": [{}]}, "/recommendations/0/rank: missing"),
        ({"recommendations": [BEST | {"rank": "1"}]}, "/recommendations/0/rank: int expected, str received"),
        ({"recommendations": [BEST | {"node_count": 1.5}]}, "/recommendations/0/node_count: int expected"),
        ({"recommendations": [BEST | {"rank": True}]}, "/recommendations/0/rank: int expected, bool received"),
        ({"recommendations": [BEST | {"sizing": []}]}, "/recommendations/0/sizing: an object expected, list received"),
        ({"rejected": ["price"]}, "/rejected: an object expected, list received"),
        ({"rejected": {"price": "3"}}, "/rejected/price: int expected, str received"),
        ({"catalog": {"version": None}}, "/catalog/version: str expected, NoneType received"),
        ({"recommendations": [BEST | {"price": {"usd_per_hour": 10**400}}]}, "/price/usd_per_hour: a number beyond"),
    ],
)
def test_a_broken_promise_is_named(change: dict[str, Any], where: str) -> None:
    """A missing or mistyped member raises BadAnswer with its place."""
    with pytest.raises(BadAnswer, match=where):
        answer_to(ANSWER | change)


def test_an_answer_that_is_no_object_is_named() -> None:
    """Within a page, the place is that of the item."""
    with pytest.raises(BadAnswer, match=r"^/items/3: an object expected, list received$"):
        decode(Answer, [], "/items/3")
    with pytest.raises(BadAnswer, match=r"^/: an object expected, list received$"):
        decode(Answer, [])
