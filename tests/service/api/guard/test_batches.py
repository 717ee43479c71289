"""A batch that is too large for one request ends in time, with an answer for each workload."""

from __future__ import annotations

from typing import Any

from tests.service.api.guard.conftest import Guarded

from plimsoll_service.api import recommendations

ITEM = {"workload": {"task": "training"}}


def test_what_is_not_begun_in_time_is_left_to_be_asked_again(guarded: Guarded, monkeypatch: Any) -> None:
    """Each workload that was not started in time has its own problem; finished ones keep their answer."""
    clock = iter(range(100))
    monkeypatch.setattr(recommendations.time, "monotonic", lambda: float(next(clock)))
    answer = guarded(batch_seconds=3).test_client().post("/v1/recommendations/batch", json={"requests": [ITEM] * 4})

    assert answer.status_code == 200
    assert [result["status"] for result in answer.json["results"]] == [200, 200, 503, 503]
    assert "more than 3 s" in answer.json["results"][3]["detail"]
