"""The best option, the order among equal options, and the options on the frontier."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.service.engine.catalogs import Box, Sale, ask, bundled_market, made_up
from tests.service.engine.estimate.machines import scored
from tests.service.fitted import job_of

from plimsoll_service.engine.choice import ranking, scores
from plimsoll_service.engine.choice.recommend import ahead, frontier
from plimsoll_service.engine.workload import Constraints, Dataset, Query, Workload

WORK = Workload("training", model="resnet-50", epochs=10)
SERVE = Workload("inference", model="resnet-50", requests_per_second=10)


def ranks(*boxes: Box, workload: Workload = WORK, objective: str = "cost") -> list[str]:
    """Instance types in the order of the answer, single machines only."""
    query = Query(workload, Constraints(max_nodes=1), objective, limit=100, group="none")
    return [one.instance_type for one in ask(query, made_up(*boxes)).recommendations]


CHEAP = Box("cheap", (Sale(0.5),), accelerator="T4")
FAST = Box("fast", (Sale(9.0),), accelerator="H100-SXM", vcpus=64)
WASTEFUL = Box("wasteful", (Sale(12.0),), accelerator="T4")


@pytest.mark.parametrize(
    ("objective", "expected"), [("cost", "cheap"), ("time", "fast"), ("performance_per_cost", "cheap")]
)
def test_objectives_prefer_their_own(objective: str, expected: str) -> None:
    """Cost takes the cheapest job, time the shortest, performance per cost the most throughput a dollar."""
    order = ranks(CHEAP, replace(FAST, sales=(Sale(90.0),)), WASTEFUL, objective=objective)
    assert expected == order[0]
    assert "wasteful" == order[-1] or objective == "time"


def test_balanced_pays_for_time_within_reason() -> None:
    """A machine many times faster for little more is preferred; for very much more it is not."""
    assert "fast" == ranks(CHEAP, replace(FAST, sales=(Sale(1.5),)), objective="balanced")[0]
    assert "cheap" == ranks(CHEAP, replace(FAST, sales=(Sale(400.0),)), objective="balanced")[0]


def test_special_software_costs_in_balanced_only() -> None:
    """AMD counts dearer, chips with compilers of their own more so, and a run spread over machines on top of it."""
    market = made_up(
        Box("a", accelerator="MI300X"), Box("b", accelerator="Trainium1"), Box("c"), Box("d", accelerator=None)
    )
    runs = [(WORK, 1), (WORK, 2), (replace(WORK, experiments=2), 2)]
    one, two, apart = (
        scores.special_software(job_of(Query(work)), scored(work, market.machines, nodes), np.arange(4)).tolist()
        for work, nodes in runs
    )
    assert [scores.REBUILT, scores.RECOMPILED, 1.0, 1.0] == one
    assert [factor * scores.DISTRIBUTED for factor in one] == two
    assert one == apart  # independent runs do not communicate


def test_boosting_takes_one_gpu_where_several_save_minutes() -> None:
    """XGBoost uses several GPUs by a process for each; CatBoost takes them all by itself."""
    market = made_up(Box("four", accelerator="T4", count=4))
    work = Workload("training", model="xgboost", dataset=Dataset(size_bytes=1e9, samples=1e7), features=50)
    factors = [
        scores.special_software(job_of(Query(one)), scored(one, market.machines, 1), np.arange(1)).tolist()
        for one in (work, replace(work, model="catboost"))
    ]
    assert [[scores.DISTRIBUTED], [1.0]] == factors


@pytest.mark.parametrize(("rate", "expected"), [(20, "gpu"), (20_000, "chip")])
def test_recompiling_pays_for_large_services_alone(rate: float, expected: str) -> None:
    """A chip at a quarter of the price is preferred once the service is large enough to share what porting costs."""
    boxes = Box("gpu", (Sale(0.5),), accelerator="T4"), Box("chip", (Sale(0.125),), accelerator="Inferentia2")
    query = Query(replace(SERVE, requests_per_second=rate), Constraints(max_nodes=1000, allow_porting=True), "balanced")

    assert expected == ask(query, made_up(*boxes)).recommendations[0].instance_type


@pytest.mark.parametrize(
    "more",
    [{"vcpus": 16}, {"memory_gib": 122}, {"network_gbps": 25}, {"local_disk_gb": 1}],
)
def test_more_for_the_same_money_stands_first(more: dict[str, float]) -> None:
    """Among equals the larger machine comes first, whatever its name; texts need no vCPU to decode them."""
    plain, texts = Box("a-plain", accelerator="V100-16GB", vcpus=8), replace(SERVE, model="bert-base")
    assert ["z-larger", "a-plain"] == ranks(plain, replace(plain, name="z-larger", **more), workload=texts)


def test_the_last_tie_is_broken_by_cloud_and_name() -> None:
    """Machines that differ in name alone are in the order of cloud and name, wherever they stand in the catalog."""
    twins = [Box("b"), Box("a"), Box("c", (Sale(3.0, "us-central1"),), cloud="gcp")]
    assert ranks(*twins) == ranks(*reversed(twins)) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("workload", "constraints", "expected"),
    [
        (WORK, Constraints(), "balanced"),
        (replace(WORK, deadline_hours=5), Constraints(), "cost"),
        (replace(WORK, budget_usd=5), Constraints(), "cost"),
        (SERVE, Constraints(), "cost"),
        (WORK, Constraints(max_usd_per_hour=5), "cost"),
        (Workload("inference", latency_ms=50), Constraints(), "balanced"),
    ],
)
def test_the_default_objective(workload: Workload, constraints: Constraints, expected: str) -> None:
    """Cost where a deadline, rate or budget is given, else balanced."""
    assert expected == ranking.default_objective(job_of(Query(workload, constraints)))


points = st.lists(st.tuples(st.integers(1, 20), st.integers(1, 20)), min_size=1, max_size=40)


@given(points)
def test_the_frontier_is_what_nobody_beats(drawn: list[tuple[int, int]]) -> None:
    """Each point is beaten by none and every other one is; cheapest first; of equal points one."""
    cost, time = (np.array(column, dtype=np.float64) for column in zip(*drawn, strict=True))
    chosen = frontier(cost, time, np.arange(len(cost), dtype=np.int32))
    front = [(cost[row], time[row]) for row in chosen]
    best = {
        (a, b) for a, b in zip(cost, time, strict=True)
        if not any((c <= a and d <= b) and (c < a or d < b) for c, d in zip(cost, time, strict=True))
    }  # fmt: skip
    assert sorted(best) == front


@given(points)
def test_what_is_left_out_beforehand_is_not_on_the_frontier(drawn: list[tuple[int, int]]) -> None:
    """The frontier of the few rows that are ahead is that of all of them, equal ones and their names included."""
    cost, time = (np.array(column, dtype=np.float64) for column in zip(*drawn, strict=True))
    names = np.arange(len(cost), dtype=np.int32)[::-1]
    few = ahead(cost, time)
    assert frontier(cost, time, names).tolist() == few[frontier(cost[few], time[few], names[few])].tolist()


@pytest.mark.parametrize("cost", [[], [1.0, np.nan, 2.0]], ids=["nothing", "an unknown cost"])
def test_nothing_is_left_out_where_a_figure_is_unknown(cost: list[float]) -> None:
    """Nor where there is nothing at all."""
    assert ahead(np.array(cost), np.arange(len(cost), dtype=np.float64)).tolist() == [*range(len(cost))]


def test_equal_points_of_the_frontier_are_told_apart_by_name() -> None:
    """Of two machines with the same cost and time the first by name stands on the frontier."""
    assert [1] == frontier(np.ones(2), np.ones(2), np.array([5, 2], dtype=np.int32)).tolist()


def test_what_does_not_show_decides_nothing() -> None:
    """The digits of an answer are compared; zero, infinity and NaN stay what they are."""
    values = np.array([1.000049, 1.0001, 123456.0, 0.0, np.inf, np.nan])
    assert np.array_equal([1.0, 1.0001, 123460.0, 0.0, np.inf, np.nan], scores.rounded(values), equal_nan=True)


def test_the_frontier_is_what_nobody_beats_as_it_is_shown() -> None:
    """A point that only looks dearer beyond the shown digits beats the slower one."""
    cost, time = np.array([0.0137901, 0.0137904, 0.02]), np.array([0.738, 0.607, 0.607001])

    assert [1] == frontier(cost, time, np.arange(3, dtype=np.int32)).tolist()


def test_the_best_of_each_extreme_is_on_the_frontier() -> None:
    """The frontier starts at the lowest cost and ends at the shortest time, of the estimates without their ranges."""
    answers = {name: ask(Query(WORK, objective=name, group="none"), bundled_market()) for name in ("cost", "time")}
    front = answers["cost"].frontier
    assert front == answers["time"].frontier
    assert all(
        front[0].estimate.cost_usd.value <= one.estimate.cost_usd.value for one in answers["cost"].recommendations
    )
    assert all(
        front[-1].estimate.time_hours.value <= one.estimate.time_hours.value for one in answers["time"].recommendations
    )


@pytest.mark.parametrize("objective", ["cost", "time", "balanced", "performance_per_cost"])
@pytest.mark.parametrize("workload", [WORK, SERVE])
def test_a_shorter_list_is_the_head_of_a_longer_one(workload: Workload, objective: str) -> None:
    """``limit`` only cuts."""
    asked = (Query(workload, objective=objective, limit=limit) for limit in (3, 40))
    short, long = (ask(query, bundled_market()).recommendations for query in asked)
    assert long[:3] == short


def test_a_larger_machine_that_could_do_with_fewer_is_as_good_in_as_many() -> None:
    """Two machines of 16 GiB hold what takes three of 8 GiB: three of the larger are no worse for it."""
    small = Box("small", (Sale(2.0),), accelerator="T4", vcpus=2, memory_gib=8, network_gbps=5, boot_seconds=0.0)
    work = Workload("training", model="mistral-7b", method="lora", tokens=1e6)
    first = ask(Query(work, objective="cost"), made_up(small, replace(small, name="large", memory_gib=16)))
    assert "large" == first.recommendations[0].instance_type
