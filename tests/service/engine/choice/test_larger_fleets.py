"""Services that cost less on more machines than are recommended where no number is stated."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.engine.catalogs import NAN, Box, Sale, ask, made_up

from plimsoll_service.engine.workload import Constraints, Query, Workload

SPEAK = Query(
    Workload("inference", framework="pytorch", model="xtts-v2", precision="fp16", requests_per_second=5,
             latency_ms=6000),
    objective="cost",
)  # fmt: skip
SINGLE = Box("single", (Sale(0.53),), accelerator="T4", vcpus=4, memory_gib=16)
FOUR = Box("four", (Sale(3.9),), accelerator="T4", count=4, vcpus=48, memory_gib=192)


def limited(limit: int) -> Query:
    """The question with a stated number of machines."""
    return replace(SPEAK, constraints=Constraints(max_nodes=limit))


def test_a_larger_fleet_that_costs_less_is_named() -> None:
    """Nobody stated a limit of 16 machines, so it must not hide that the same devices cost half as much."""
    answer, wide = ask(SPEAK, made_up(SINGLE, FOUR)), ask(limited(64), made_up(SINGLE, FOUR))
    [note] = [one.text for one in answer.recommendations[0].reasons if one.rule == "larger-fleet"]
    best = wide.recommendations[0]

    assert ("four", "single") == (answer.recommendations[0].instance_type, best.instance_type)
    assert best.node_count > 16
    assert f"{best.node_count} × T4" in note
    assert [16] == [one.value for one in answer.assumptions if one.field == "constraints.max_nodes"]


def test_a_stated_number_of_machines_is_no_assumption() -> None:
    """Nor is a larger fleet named that costs hardly less, or nothing at all where the limit is met."""
    hardly = replace(FOUR, sales=(Sale(4 * 0.53 * 0.9),))
    for answer in (ask(limited(16), made_up(SINGLE, FOUR)), ask(SPEAK, made_up(SINGLE, hardly))):
        assert all(one.rule != "larger-fleet" for one in answer.recommendations[0].reasons)
        assert all(one.field != "constraints.max_nodes" for one in answer.assumptions)


def test_without_any_choice_the_number_that_would_do_is_named() -> None:
    """As for stated limits: so many machines of the only type, which is a limit that nobody stated."""
    answer = ask(SPEAK, made_up(SINGLE))
    [found] = [one for one in answer.relax if one.constraint == "max_nodes"]

    assert not answer.recommendations
    assert [16] == [one.value for one in answer.assumptions if one.field == "constraints.max_nodes"]
    assert found.to == ask(limited(64), made_up(SINGLE)).recommendations[0].node_count


@pytest.mark.parametrize(("gbps", "told"), [(NAN, True), (100.0, False)])
def test_without_any_choice_networks_of_unknown_speed_are_named(gbps: float, told: bool) -> None:
    """Several of these machines would be in time, if anyone knew their network."""
    work = Workload("training", model="resnet-50", epochs=90, deadline_hours=1.0)
    answer = ask(Query(work), made_up(replace(FOUR, accelerator="V100-16GB", network_gbps=gbps)))
    said = [one.why for one in answer.assumptions if one.field == "network_gbps"]

    assert not answer.recommendations
    assert ("network" in answer.rejected) == told
    assert told == any(
        "of machines with a network of unknown speed left out; if you know the speed" in one for one in said
    )
