"""The highest rate that an answer shows: in order with its ends, and no less than what is delivered."""

from __future__ import annotations

import pytest
from tests.service.engine.catalogs import bundled_market
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.evaluate import evaluate
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import select
from plimsoll_service.engine.quantities import Rate
from plimsoll_service.engine.workload import Hardware, Query, Workload


def rates(load: dict[str, float]) -> tuple[Rate, Rate]:
    """The highest rate and the delivered one of Llama 3.1 70B on eight A100."""
    work, market = Workload("inference", model="llama-3.1-70b", framework="vllm", **load), bundled_market()
    job, own = job_of(Query(work)), own_machines((), market)
    on = Hardware(cloud="aws", instance_type="p4d.24xlarge")
    estimate = evaluate(job, market, on, select(job, market, own)).estimate
    assert estimate is not None
    assert estimate.capacity is not None
    return estimate.capacity, estimate.throughput


@pytest.mark.parametrize(
    "load",
    [
        {"requests_per_second": 1.0},
        {"requests_per_second": 1.0, "tpot_ms": 30.0},
        {"requests_per_second": 30.0, "tpot_ms": 15.0},
        {"requests_per_second": 300.0},
        {"concurrency": 16.0},
        {"concurrency": 100.0, "tpot_ms": 30.0},
    ],
)
def test_the_highest_rate_is_between_its_ends_and_carries_what_is_delivered(load: dict[str, float]) -> None:
    """Also where targets bound it, and where the load is beyond them."""
    highest, delivered = rates(load)

    assert highest.low < highest.value < highest.high
    assert delivered.value <= highest.value
    assert delivered.low <= highest.low


def test_a_load_beyond_the_targets_has_the_rate_of_none() -> None:
    """The replicas reach it whatever the targets, which the load misses."""
    late, free = rates({"concurrency": 100.0, "tpot_ms": 30.0})[0], rates({"concurrency": 100.0})[0]

    assert late.value == pytest.approx(free.value, rel=0.5)
