"""A machine of which an estimate says that it meets every limit is offered, in that number or fewer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.service.engine.catalogs import ask, bundled_market
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.evaluate import evaluate
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import select
from plimsoll_service.engine.workload import Constraints, Hardware, Query, Workload

MACHINES = ("g4dn.xlarge", "g5.12xlarge", "g6e.xlarge", "p4d.24xlarge", "p5.48xlarge", "c7i.8xlarge")
COUNTS = (1, 2, 3, 6, 11)
BASE = Workload("inference", model="resnet50")
QUESTIONS = (
    replace(BASE, requests_per_second=2000.0, latency_ms=60.0),
    replace(BASE, requests_per_second=2000.0),
    replace(BASE, concurrency=300, end_to_end_ms=150.0),
    replace(BASE, model="sdxl", requests_per_second=1.0, latency_ms=10_000.0),
    replace(BASE, model="sdxl", concurrency=6, latency_ms=20_000.0, end_to_end_ms=30_000.0),
    replace(BASE, model="bert-base", requests_per_second=800.0, end_to_end_ms=40.0),
    replace(BASE, model="yolov5s", requests_per_second=120.0, latency_ms=90.0),
    replace(BASE, model="xgboost", requests_per_second=4e4, latency_ms=12.0),
    replace(BASE, model="qwen2.5-7b", requests_per_second=3.0, latency_ms=1500.0, tpot_ms=60.0),
)


def passing(workload: Workload, name: str) -> Iterator[tuple[int, float]]:
    """Numbers of the machine that meet every limit, with their price an hour."""
    market = bundled_market()
    query = Query(workload, Constraints(instance_types=(name,), clouds=("aws",)), "cost")
    job = job_of(query)
    chosen = select(job, market, own_machines((), market))
    for count in COUNTS:
        one = evaluate(job, market, Hardware(cloud="aws", instance_type=name, node_count=count), chosen)
        if one.fits and one.price is not None and False not in vars(one.meets).values():
            yield count, one.price.usd_per_hour * count


@pytest.mark.parametrize(
    "workload", QUESTIONS, ids=lambda one: f"{one.model}-{one.requests_per_second or one.concurrency}"
)
def test_what_an_estimate_says_passes_is_offered(workload: Workload) -> None:
    """In no more machines, at no higher price."""
    found = 0
    for name in MACHINES:
        constraints = Constraints(instance_types=(name,), clouds=("aws",), purchase=("on_demand",))
        offered = ask(Query(workload, constraints, "cost", 100, "none"), bundled_market()).recommendations
        for count, usd_per_hour in passing(workload, name):
            found += 1
            assert offered
            assert min(one.node_count for one in offered) <= count
            assert min(one.price.usd_per_hour * one.node_count for one in offered) <= usd_per_hour * 1.0001

    assert found > 0


def test_spare_replicas_count_where_the_layout_is_chosen() -> None:
    """Two spare replicas of a device each take one machine of two devices; of two devices each they take two."""
    users = Workload(
        "inference", model="llama-3.1-8b", framework="vllm", input_tokens=500, output_tokens=1000, concurrency=270,
        kv_cache_precision="fp8", prefix_cache_hit_rate=0.06, end_to_end_ms=22_310.0, spare_replicas=2,
    )  # fmt: skip
    market, one_type = bundled_market(), Constraints(instance_types=("g7e.12xlarge",), clouds=("aws",))
    job = job_of(Query(users, one_type))
    chosen = select(job, market, own_machines((), market))
    offered = ask(Query(users, one_type, "cost"), market).recommendations[0].node_count

    for degree in (1, 2):
        fewer = Hardware("aws", "g7e.12xlarge", node_count=offered - 1, tensor_parallel=degree)
        assert False in vars(evaluate(job, market, fewer, chosen).meets).values()


def test_users_are_priced_by_the_hour() -> None:
    """The machines that answer them in time cost the same however many requests they send; more users cost no less."""
    prices = []
    for users in (10, 100, 1000):
        answer = ask(Query(replace(BASE, concurrency=users, latency_ms=100.0)), bundled_market())
        first = answer.recommendations[0]
        assert answer.objective == "cost"
        assert first.estimate.usd_per_hour is not None
        assert first.estimate.latency_ms is not None
        assert first.estimate.latency_ms.high <= 100.0
        prices.append(first.estimate.usd_per_hour.value)
    assert prices == sorted(prices)


def test_users_without_a_time_weigh_it_against_the_price() -> None:
    """The cheapest machine of all would answer them in turn, for minutes."""
    answer = ask(Query(replace(BASE, concurrency=100)), bundled_market())
    first = answer.recommendations[0].estimate
    assert answer.objective == "balanced"
    assert first.latency_ms is not None
    assert first.latency_ms.value < 1000


def test_a_few_devices_make_images_within_seconds() -> None:
    """SDXL at one image a second within 10 s takes several cheap machines, not one of the dearest."""
    first = ask(Query(QUESTIONS[3]), bundled_market()).recommendations[0]
    assert first.estimate.usd_per_hour is not None
    assert first.estimate.usd_per_hour.value < 20
