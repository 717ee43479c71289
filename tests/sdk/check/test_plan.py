"""Plans and limits in their written form."""

from __future__ import annotations

from typing import Any

import pytest

from plimsoll.check import Limits, Plan, PlanFaults, plans_of
from plimsoll.check.plan import limit_of

WORKLOAD = {"task": "training", "model": "resnet50"}


def test_a_plan_is_a_question_with_limits() -> None:
    """The question stays apart from the limits on its answer."""
    document = {
        "workload": WORKLOAD, "constraints": {"clouds": ["aws"]}, "objective": "cost", "limit": 3,
        "snapshot": "v1", "baseline": "answer.json", "limits": {"max_cost": 500, "max_increase": "10%"},
    }  # fmt: skip

    assert plans_of(document) == (
        Plan(
            name="plan",
            question={"workload": WORKLOAD, "constraints": {"clouds": ["aws"]}, "objective": "cost", "limit": 3},
            limits=Limits(max_cost=500, max_increase=10),
            snapshot="v1",
            baseline="answer.json",
        ),
    )


def test_several_plans_have_names() -> None:
    """Several plans keep their names and the order of the file."""
    plans = plans_of({"plans": {"train": {"workload": WORKLOAD}, "serve": {"workload": {"task": "inference"}}}})

    assert [(plan.name, plan.limits) for plan in plans] == [("train", Limits()), ("serve", Limits())]


def test_every_fault_of_every_plan_is_named() -> None:
    """Every fault is named with its place, and a misspelt name with the right one."""
    with pytest.raises(PlanFaults) as caught:
        plans_of(
            {
                "plans": {
                    "a": {"workloads": {}, "limits": {"max_cots": 1, "max_hours": "soon"}},
                    "b": {"workload": {}, "snapshot": 3, "constraints": None},
                    "c": 5,
                },
                "snapshot": "v1",
            }
        )

    assert caught.value.faults == (
        "/snapshot: stands beside plans",
        "/plans/a/workload: is required",
        "/plans/a/workloads: unknown member; did you mean 'workload'?",
        "/plans/a/limits/max_cots: unknown limit; did you mean 'max_cost'?",
        "/plans/a/limits/max_hours: must be a number, 0 or above, not 'soon'",
        "/plans/b/workload: is empty; its task is enough",
        "/plans/b/snapshot: text expected",
        "/plans/b/constraints: an object expected",
        "/plans/c: an object expected",
    )


def test_a_name_is_printable() -> None:
    """A name must be printable, because a made-up line in a report could look like a verdict."""
    with pytest.raises(PlanFaults, match=r"/plans: the name 'a\\nb: passed' is not printable"):
        plans_of({"plans": {"a\nb: passed": {"workload": {"task": "training"}}}})


@pytest.mark.parametrize("document", [None, [], "plan", {}, {"plans": {}}, {"plans": [1]}])
def test_what_is_no_plan_is_refused(document: Any) -> None:
    """Any other content of a file is refused as a plan."""
    with pytest.raises(PlanFaults):
        plans_of(document)


@pytest.mark.parametrize(("value", "number"), [("10%", 10), ("2.5 %", 2.5), (10, 10), ("0", 0)])
def test_an_increase_is_a_percentage(value: object, number: float) -> None:
    """An increase is a percentage, with or without its sign."""
    assert number == limit_of("max_increase", value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("max_cost", "10%"), ("max_cost", -1), ("max_cost", True), ("max_cost", None), ("max_increase", "nan"),
     ("max_increase", "inf"), ("max_increase", "ten")],
)  # fmt: skip
def test_what_is_no_limit_is_refused(name: str, value: object) -> None:
    """A text that is no limit is refused, with the accepted forms."""
    with pytest.raises(ValueError, match="0 or above"):
        limit_of(name, value)


def test_the_stricter_of_two_limits_holds() -> None:
    """Neither plan nor pipeline can relax the other's limit."""
    plan, pipeline = Limits(max_cost=100, max_hours=5), Limits(max_cost=500, max_hours=2, max_increase=10)

    assert plan.stricter(pipeline) == pipeline.stricter(plan) == Limits(max_cost=100, max_hours=2, max_increase=10)
