"""Targets of speed of a language model: the load that meets them, and machines for users and rates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled_market
from tests.service.engine.choosing import selected
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.named_hardware import named_hardware_of
from plimsoll_service.engine.choice.ranking import default_objective
from plimsoll_service.engine.demand.job import targets_ms
from plimsoll_service.engine.workload import Constraints, Hardware, Query, Workload

CHAT = Workload("inference", model="llama-3-8b", input_tokens=512, output_tokens=256)
LARGE = replace(CHAT, model="llama-3-70b")
AWS = Constraints(clouds=("aws",))


@pytest.mark.parametrize("load", [{"concurrency": 20}, {"requests_per_second": 2.0}, {"batch_size": 8}])
def test_users_read_along(load: dict[str, float]) -> None:
    """With users but no speed target, 100 ms per token is assumed; the word "none" removes the target."""
    job, lifted = (job_of(Query(replace(CHAT, **load, **more))) for more in ({}, {"tpot_ms": "none"}))

    assert {"tpot_ms": 100.0} == targets_ms(job)
    assert "tpot_ms" in [one.field for one in job.assumptions]
    assert {} == targets_ms(lifted)


@pytest.mark.parametrize("said", [{}, {"latency_ms": 500.0}, {"end_to_end_ms": 9000.0}, {"tpot_ms": 30.0}])
def test_a_stated_target_is_the_only_one(said: dict[str, float]) -> None:
    """Nothing is assumed beside a target, nor for the most that a machine can do."""
    load = {"concurrency": 20} if said else {}
    job = job_of(Query(replace(CHAT, **load, **said)))

    assert said == targets_ms(job)


@pytest.mark.parametrize("load", [{"concurrency": 100}, {"requests_per_second": 3.0}])
@pytest.mark.parametrize("target", [{}, {"tpot_ms": 40.0}, {"end_to_end_ms": 15_000.0}, {"latency_ms": 1000.0}])
def test_recommended_machines_meet_every_target_at_the_unfavourable_end(
    load: dict[str, float], target: dict[str, float]
) -> None:
    """The slow end of the range of the 95th percentile meets the target on all that is offered."""
    query = Query(replace(LARGE, **load, **target))
    chosen, targets = selected(query), targets_ms(job_of(query))
    outcome, rows = chosen.estimates.outcome, np.unique(chosen.options.candidate[chosen.feasible])
    assert outcome.serving is not None
    slow = {
        "latency_ms": outcome.latency_high_ms[rows],
        "tpot_ms": outcome.serving.tpot_p95_high_ms[rows],
        "end_to_end_ms": outcome.serving.end_to_end_p95_high_ms[rows],
    }

    assert len(rows)
    for name, most in targets.items():
        assert (slow[name] <= most).all(), name


def test_users_are_priced_by_the_hour() -> None:
    """The machines that hold the users are priced by the hour, and this price decides by default."""
    query = Query(replace(LARGE, concurrency=100), AWS)
    options = selected(query).options

    assert "cost" == default_objective(job_of(query))
    assert np.array_equal(options.cost, options.whole_usd_per_hour, equal_nan=True)


def test_an_idle_server_answers_in_its_own_time() -> None:
    """At next to no load the slowest requests take as long as one alone."""
    rare, alone = (
        selected(Query(replace(CHAT, **load))) for load in ({"requests_per_second": 1e-6}, {"concurrency": 1})
    )
    seldom, lone = (chosen.estimates.outcome.serving for chosen in (rare, alone))
    assert seldom is not None
    assert lone is not None
    one_machine = np.flatnonzero((rare.estimates.nodes == 1) & (alone.estimates.nodes == 1) & rare.possible)
    same = one_machine[seldom.tensor_parallel[one_machine] == lone.tensor_parallel[one_machine]]

    assert len(same)
    assert lone.end_to_end_p95_ms[same] == pytest.approx(seldom.end_to_end_p95_ms[same], rel=1e-2)


def test_margins_are_not_stacked() -> None:
    """Times within a target at their slow end carry the rate; its slow end bounds what is possible at all."""
    query = Query(replace(CHAT, requests_per_second=20.0, input_tokens=3000, latency_ms=500.0))
    chosen = selected(query)
    outcome, rows = chosen.estimates.outcome, np.unique(chosen.options.candidate[chosen.feasible])

    assert len(rows)
    assert (outcome.capacity_low[rows] <= outcome.capacity[rows]).all()
    assert (outcome.capacity_low[rows] == outcome.capacity[rows]).any()


def test_no_capacity_is_negative() -> None:
    """Machines that no load lets answer in time carry nothing of a rate, not less."""
    query = Query(replace(CHAT, requests_per_second=5.0, input_tokens=1500, latency_ms=50.0))
    outcome = selected(query).estimates.outcome

    assert (outcome.capacity >= 0).all()
    assert (outcome.capacity_low[:] >= 0).all()


def test_a_long_prompt_has_a_narrower_range_than_a_short_one() -> None:
    """The server's milliseconds before a prompt are uncertain, its products are not."""
    highs = []
    for tokens in (16, 8000):
        chosen = selected(Query(replace(CHAT, concurrency=1, input_tokens=tokens), AWS))
        rows = np.flatnonzero(chosen.possible)
        highs.append(
            np.median(chosen.estimates.outcome.latency_high_ms[rows] / chosen.estimates.outcome.latency_ms[rows])
        )

    assert highs[1] < highs[0]


def test_users_without_a_target_get_a_token_a_second() -> None:
    """No bound at all would offer machines whose answers take hours."""
    query = Query(replace(LARGE, concurrency=4, tpot_ms="none"))
    chosen = selected(query)
    rows = np.unique(chosen.options.candidate[chosen.feasible])
    assert chosen.estimates.outcome.serving is not None

    assert len(rows)
    assert (chosen.estimates.outcome.serving.tpot_p95_high_ms[rows] <= 1000.0).all()
    assert {} == targets_ms(job_of(query))


def test_of_layouts_that_all_are_late_the_least_late_is_estimated() -> None:
    """A prompt of 100,000 tokens takes four devices a quarter of the time of one: no other layout is nearer to 5 s."""
    late = job_of(Query(replace(LARGE, input_tokens=100_000, concurrency=1, latency_ms=5000.0, framework="vllm")))

    def milliseconds(**degree: int) -> float:
        on = Hardware(accelerator="B300", count=4, **degree)
        return float(named_hardware_of(late, bundled_market(), on).estimates.outcome.latency_ms[0])

    assert milliseconds() == min(milliseconds(tensor_parallel=degree) for degree in (1, 2, 4))
    assert milliseconds() > 5000.0
