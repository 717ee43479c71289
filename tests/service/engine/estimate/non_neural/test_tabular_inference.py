"""Inference of tabular learners: the time of a row, and of the call that asks for it."""

from __future__ import annotations

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, ask, made_up
from tests.service.engine.estimate.machines import machine, scored, throughput

from plimsoll_service.engine.estimate.outcome import Outcome
from plimsoll_service.engine.workload import Dataset, Query, Workload

LEARNERS = ("xgboost", "lightgbm", "random-forest", "logistic-regression")
HOST = machine(accelerator=None, count=0, vcpus=8, memory_gib=64)


def answered(model: str, **load: object) -> Outcome:
    """Outcome on one machine without devices."""
    return scored(Workload(task="inference", model=model, **load), HOST).outcome


@pytest.mark.parametrize("model", LEARNERS)
def test_an_answer_takes_its_call(model: str) -> None:
    """One row is answered within milliseconds, but never within the microseconds that its trees alone would take."""
    latency = float(np.asarray(answered(model, requests_per_second=10).latency_ms)[0])
    assert 0.05 < latency < 20


@pytest.mark.parametrize("model", LEARNERS)
def test_rows_that_nobody_waits_for_are_answered_by_the_table(model: str) -> None:
    """Without a load the calls are of many rows each: many times the rows of requests one by one."""
    whole, one_by_one = (answered(model, **load).capacity[0] for load in ({}, {"requests_per_second": 10}))
    assert whole > 3 * one_by_one


def test_a_forest_calls_each_of_its_trees() -> None:
    """Twice the trees take twice the calls, where a boosted ensemble is one call of them all."""
    few, many = (answered("random-forest", trees=trees, concurrency=1).throughput[0] for trees in (100, 200))
    assert few == pytest.approx(2 * many, rel=0.1)
    few, many = (answered("xgboost", trees=trees, concurrency=1).throughput[0] for trees in (100, 200))
    assert few < 1.2 * many


def test_users_at_once_bring_no_more_than_the_cores() -> None:
    """Each user waits for an answer: the rate grows with them up to what all cores answer."""
    rates = [throughput(Workload(task="inference", model="xgboost", concurrency=users), HOST) for users in (1, 2, 400)]
    assert rates[1] == pytest.approx(2 * rates[0])
    assert rates[2] < 400 * rates[0]


@pytest.mark.parametrize("model", LEARNERS)
def test_a_request_keeps_a_core_busy_for_about_a_millisecond(model: str) -> None:
    """Connection, JSON and call: eight vCPUs answer thousands of requests a second, not tens of thousands."""
    cores = HOST.cores[0]
    assert 100 < answered(model, requests_per_second=10).capacity[0] / cores < 1500


def test_rows_of_a_table_wait_for_their_reading() -> None:
    """Few shallow trees take less than reading the rows does; the same rows with wider columns take longer."""
    narrow, wide = (
        answered("xgboost", trees=2, depth=2, dataset=Dataset(samples=1e9, size_bytes=size)).throughput[0]
        for size in (1e11, 1e12)
    )
    assert narrow > 5 * wide


def test_rows_of_a_request_share_its_call() -> None:
    """A hundred rows a request: many times the rows a second of a core, and a longer time to answer each request."""
    one, many = (answered("lightgbm", trees=100, requests_per_second=10, batch_size=rows) for rows in (1, 100))

    assert many.capacity[0] > 10 * one.capacity[0]
    assert float(many.latency_ms[:][0]) > float(one.latency_ms[:][0])


def test_the_reason_says_what_a_request_takes() -> None:
    """Server, call and rows, of a reference core; whoever wonders why trees hardly matter reads it there."""
    box = made_up(Box("box", accelerator=None, count=0, vcpus=8, memory_gib=32))
    one = ask(Query(Workload("inference", model="lightgbm", trees=800, requests_per_second=50)), box).recommendations[0]
    texts = [note.text for note in one.reasons if note.rule == "tabular-passes"]

    assert any(text.startswith("a request takes 0.78 ms of a reference core for HTTP, 0.49 for") for text in texts)
