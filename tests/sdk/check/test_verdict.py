"""Limits that an answer breaks, and changes since the stored one."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import httpx
import pytest

from plimsoll import Answer, Client
from plimsoll._json import decode
from plimsoll.check import Limits, judge, report, stored_answer
from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

TRAINING = {"task": "training", "model": "resnet50", "epochs": 90}
SERVING = {"task": "inference", "model": "llama-3-8b", "input_tokens": 100, "output_tokens": 30}


@pytest.fixture(scope="module")
def client() -> Client:
    """A client whose network is the application itself."""
    return Client("http://service", transport=httpx.WSGITransport(app=create_app(Settings(log_level="critical"))))


@pytest.fixture(scope="module")
def answer(client: Client) -> Answer:
    """Answer of the service about a job."""
    return client.recommend(TRAINING, constraints={"clouds": ["aws"]})


def changed(answer: Answer, **members: Any) -> dict[str, Any]:
    """The answer's JSON with other members of its first recommendation, figures of the estimate by their value."""
    document: dict[str, Any] = deepcopy(dict(answer.raw))
    best = document["recommendations"][0]
    for name, value in members.items():
        if name in best["estimate"]:
            best["estimate"][name]["value"] = value
        else:
            best[name] = value
    return document


def limits_broken(answer: Answer, limits: Limits, **rest: Any) -> list[str]:
    """The names of the limits that the answer breaks."""
    return [failure.limit for failure in judge("plan", answer, limits, **rest).failures]


def test_limits_are_held_at_the_high_end(answer: Answer) -> None:
    """Limits apply to the high end, as for deadlines and budgets, or on request to the estimate."""
    assert answer.best is not None
    cost, hours = answer.best.estimate.cost_usd, answer.best.estimate.time_hours
    assert cost is not None
    assert hours is not None
    between = Limits(max_cost=(cost.value + cost.high) / 2, max_hours=(hours.value + hours.high) / 2)

    assert limits_broken(answer, between) == ["max_cost", "max_hours"]
    assert limits_broken(answer, between, end="value") == []
    assert limits_broken(answer, Limits(max_cost=cost.high, max_hours=hours.high)) == []


def test_an_hour_is_one_of_all_machines(client: Client) -> None:
    """The hourly price is that of all machines: two cost twice as much as one."""
    machine = {"instance_types": ["p4d.24xlarge"], "clouds": ["aws"]}
    answer = client.recommend(TRAINING, constraints=machine, limit=10, group="none")
    pair = next(each for each in answer.raw["recommendations"] if each["node_count"] == 2)
    two = decode(Answer, {**answer.raw, "recommendations": [pair]})
    price = pair["price"]["usd_per_hour"]

    assert limits_broken(two, Limits(max_usd_per_hour=1.9 * price)) == ["max_usd_per_hour"]
    assert limits_broken(two, Limits(max_usd_per_hour=2 * price)) == []


def test_what_cannot_be_held_fails(client: Client, answer: Answer) -> None:
    """A limit that does not apply to the work, or lacks a stored answer, does not pass silently."""
    serving = client.recommend(SERVING, requests_per_second=5)

    verdict = judge("serve", serving, Limits(max_cost=1e9, max_hours=1e9, max_usd_per_hour=1e9))

    assert [failure.limit for failure in verdict.failures] == ["max_cost", "max_hours"]
    assert "max_usd_per_hour" in verdict.failures[0].text
    assert limits_broken(answer, Limits(max_increase=10)) == ["max_increase"]
    assert limits_broken(serving, Limits(max_increase=10), stored=stored_answer(answer.raw)) == ["max_increase"]


def test_no_recommendation_fails_without_a_limit(client: Client) -> None:
    """Without a recommendation, the plan fails and names the limits to relax."""
    nothing = client.recommend(TRAINING, constraints={"max_usd_per_hour": 0.001})

    verdict = judge("plan", nothing, Limits())

    assert not verdict.passed
    assert "relax max_usd_per_hour" in verdict.failures[0].text


@pytest.mark.parametrize(("allowed", "passed"), [(24, False), (26, True)])
def test_an_increase_is_held_against_the_stored_answer(answer: Answer, allowed: float, passed: bool) -> None:
    """An increase compares estimates: a quarter more is more than 24%."""
    assert answer.best is not None
    assert answer.best.estimate.cost_usd is not None
    stored = stored_answer(changed(answer, cost_usd=answer.best.estimate.cost_usd.value / 1.25))

    assert judge("plan", answer, Limits(max_increase=allowed), stored).passed is passed


def test_serving_is_compared_by_the_hour(client: Client) -> None:
    """Serving is compared by the hour, because it has no end and no total cost."""
    serving = client.recommend(SERVING, requests_per_second=5)
    assert serving.best is not None
    assert serving.best.estimate.usd_per_hour is not None
    stored = stored_answer(changed(serving, usd_per_hour=serving.best.estimate.usd_per_hour.value / 2))

    (failure,) = judge("serve", serving, Limits(max_increase=50), stored).failures

    assert (failure.limit, failure.found) == ("max_increase", pytest.approx(100))


def test_an_unchanged_answer_has_no_changes(client: Client, answer: Answer) -> None:
    """An unchanged answer has no changes and no increase."""
    stored = stored_answer(answer.raw)
    machine = client.estimate(TRAINING, stored.machine or {})

    verdict = judge("plan", answer, Limits(max_increase=0), stored, machine)

    assert (verdict.passed, verdict.changes) == (True, ())


def test_changes_say_what_moved_and_by_how_much(client: Client, answer: Answer) -> None:
    """Changes name the prices and their versions, the machine, cost and time, and the question itself."""
    document = changed(answer, instance_type="p3.16xlarge", price={"usd_per_hour": 12.24}, cost_usd=50, time_hours=4)
    document["catalog"] = {"version": "2026-01-01-0"}
    document["workload"]["epochs"] = 80
    stored = stored_answer(document)
    machine = client.estimate(TRAINING, stored.machine or {})

    found = {change.what: change for change in judge("plan", answer, Limits(), stored, machine).changes}

    assert list(found) == ["prices", "price of p3.16xlarge", "instance type", "cost", "time", "workload.epochs"]
    assert (found["prices"].before, found["prices"].now) == ("2026-01-01-0", answer.catalog.version)
    assert machine.price is not None
    assert found["price of p3.16xlarge"].percent == pytest.approx((machine.price.usd_per_hour / 12.24 - 1) * 100)
    assert found["workload.epochs"].text == "workload epochs: 80 → 90.0"


def test_a_machine_of_ones_own_has_no_price_to_look_up(answer: Answer) -> None:
    """An own machine has no price in a catalog."""
    assert stored_answer(changed(answer, cloud="own")).machine is None


@pytest.mark.parametrize(
    "document", [None, [], {}, {"catalog": {"version": "v"}, "workload": {}, "recommendations": []}]
)
def test_what_is_no_answer_is_refused(document: Any) -> None:
    """An answer without a recommendation is refused, because nothing can be compared with it."""
    with pytest.raises(ValueError, match="answer"):
        stored_answer(document)


def test_annotations_are_safe_whatever_they_say(answer: Answer) -> None:
    """Line ends and separators are escaped, so that no text can begin another command."""
    verdict = judge("a,b:c\n::error::d", answer, Limits(max_cost=0))

    lines = list(report.github_commands([verdict], "plans/a,b.yaml"))

    assert [line.partition(" ")[0] for line in lines] == ["::error", "::notice"]
    assert lines[0].startswith("::error file=plans/a%2Cb.yaml,title=a%2Cb%3Ac%0A%3A%3Aerror%3A%3Ad%3A max_cost::costs ")
    assert not any("\n" in line for line in lines)
