"""The exam: for each question, the answers that an engineer would accept, and the fact that decides it.

`questions.yaml` holds those of training and explains their words, `serving.yaml` those of inference. A question is an
entry there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.documents.asking import Json, client

FILES = ("questions.yaml", "serving.yaml")
QUESTIONS: list[Json] = [
    one
    for file in FILES
    for one in yaml.load(Path(__file__).with_name(file).read_text(encoding="utf-8"), yaml.CSafeLoader)
]
MANY = 20  # answers, where a question does not say how many
UNSAID = object()

CONDITIONS: dict[str, Callable[[Any, Any], bool]] = {
    "in": lambda found, wanted: found in wanted,
    "not_in": lambda found, wanted: found not in wanted,
    "matches": lambda found, wanted: found is not None and re.fullmatch(wanted, found) is not None,
    "not_matches": lambda found, wanted: found is None or re.fullmatch(wanted, found) is None,
    "at_least": lambda found, wanted: found is not None and found >= wanted,
    "at_most": lambda found, wanted: found is not None and found <= wanted,
    "equals": lambda found, wanted: bool(found == wanted),
    "contains": lambda found, wanted: wanted in found,
    "lacks": lambda found, wanted: wanted not in found,
    "absent": lambda found, wanted: (found is None) == wanted,
}


def derived(one: Json) -> Json:
    """A recommendation with values that an engineer would derive from it."""
    device, sizing, estimate = one["accelerator"] or {}, one["sizing"], one["estimate"]
    devices = device.get("count", 0) * one["node_count"]
    held = max(devices * device.get("memory_gib", 0), one["node_count"] * sizing["memory_gib"]["provided"])
    hours, cost = ((estimate[name] or {}).get("value") for name in ("time_hours", "cost_usd"))
    return one | {
        "devices": devices,
        "device_memory_gib": devices * device.get("memory_gib", 0),
        "held_gib": held,
        "vcpu_share": sizing["vcpus"]["provided"] / sizing["vcpus"]["required"],
        "time_minutes": hours and hours * 60,
        "paid_minutes": cost and cost / one["price"]["usd_per_hour"] * 60,
        "rules": [reason["rule"] for reason in one["reasons"]],
        "noted": [warning["rule"] for warning in one["warnings"]],
        "texts": "; ".join(note["text"] for note in (*one["reasons"], *one["warnings"])),
    }


def at(path: str, place: Any) -> Any:
    """Value at a path of dotted names; null below a null, and a fault for a missing name."""
    for name in path.split("."):
        if place is None:
            return None
        place = place[int(name)] if isinstance(place, list) else place.get(name, UNSAID)
        if place is UNSAID:
            raise AssertionError(f"the answer has no {path}")
    return place


def faults(place: Any, conditions: Mapping[str, Mapping[str, Any]], of: str) -> Iterator[str]:
    """Conditions that do not hold for a place in the answer."""
    for path, wanted in conditions.items():
        found = at(path, place)
        for name, value in wanted.items():
            if not CONDITIONS[name](found, value):
                yield f"{of}: {path} is {found!r}, not {name} {value!r}"


def ask(body: Json) -> tuple[int, Json]:
    """Status and answer of the service."""
    reply = client().post("/v1/recommendations", json={"limit": MANY} | body)
    return reply.status_code, reply.get_json()


def merged(body: Json, change: Json) -> Json:
    """A question with changes in nested fields."""
    return body | {
        name: merged(body.get(name, {}), value) if isinstance(value, dict) else value for name, value in change.items()
    }


def judged(question: Json) -> Iterator[str]:
    """Faults of the answer to a question."""
    accepted = question["accepted"]
    status, answer = ask(question["asked"])
    refused = status == 422 or not answer["recommendations"]
    if status != 200 and not accepted.get("refused"):
        yield f"not understood: {answer['detail']}"
        return
    if refused != accepted.get("refused", False) and not (refused and accepted.get("may_be_empty")):
        yield f"{len(answer.get('recommendations', ()))} recommendations; rejected: {answer.get('rejected')}"
        return
    if status == 200:
        yield from _answered(answer, accepted)
    if "compared" in accepted:
        yield from _compared(question, answer)


def _answered(answer: Json, accepted: Json) -> Iterator[str]:
    shown = [derived(one) for one in answer["recommendations"]]
    for one in shown[:1]:
        yield from faults(one, accepted.get("first", {}), _name(one))
    for one in shown:
        yield from faults(one, accepted.get("every", {}), _name(one))
    yield from faults(answer["workload"], accepted.get("understood", {}), "workload")
    assumed = {one["field"]: one["value"] for one in answer["assumptions"]}
    yield from faults(assumed, accepted.get("assumed", {}), "assumptions")
    yield from faults(answer["rejected"], accepted.get("rejected", {}), "rejected")


def _compared(question: Json, answer: Json) -> Iterator[str]:
    wanted = question["accepted"]["compared"]
    status, other = ask(merged(question["asked"], wanted["change"]))
    if status != 200 or not other["recommendations"]:
        yield f"nothing to compare with: {other}"
        return
    first, second = (derived(one["recommendations"][0]) for one in (answer, other))
    ratio = at(wanted["path"], second) / at(wanted["path"], first)
    if not wanted["at_least"] <= ratio <= wanted["at_most"]:
        yield f"{wanted['path']} becomes {ratio:.3g} times as much ({_name(first)}, {_name(second)})"


def _name(one: Json) -> str:
    device = one["accelerator"] and f"{one['accelerator']['count']:g} x {one['accelerator']['name']}"
    return f"#{one['rank']} {one['node_count']} x {one['cloud']} {one['instance_type']} ({device}, {one['purchase']})"


@pytest.mark.parametrize("question", QUESTIONS, ids=[one["name"] for one in QUESTIONS])
def test_an_engineer_would_act_on_the_answer(question: Json) -> None:
    """An engineer with a budget accepts the answer."""
    expected: list[str] = []
    actual = list(judged(question))
    assert expected == actual, f"{question['fact']} ({question['source']}, {question['date']})"


def test_every_question_has_a_fact_with_source_and_date() -> None:
    """There are at least sixty questions, each with its own name, a fact, a source and a date."""
    fields = {"name", "asked", "accepted", "fact", "source", "date"}
    expected = (True, [], len(QUESTIONS))
    lacking = [one["name"] for one in QUESTIONS if fields - set(one) or not all(one[name] for name in fields)]
    actual = (len(QUESTIONS) >= 60, lacking, len({one["name"] for one in QUESTIONS}))
    assert expected == actual
