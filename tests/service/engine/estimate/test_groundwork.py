"""What is worked out before the amount of work counts is made once, from nothing that the amount decides."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from tests.service.fitted import job_of

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import groundwork
from plimsoll_service.engine.estimate.groundwork import Grounds, Groundwork, without_amounts
from plimsoll_service.engine.workload import Constraints, CustomModel, Dataset, Discount, Query, Workload

TRAINING = Workload("training", model="resnet50", dataset=Dataset(size_bytes=1e9, samples=1e5), epochs=3)
SERVING = Workload("inference", model="llama-3-8b", requests_per_second=3.0)


def bare(workload: Workload, constraints: Constraints | None = None) -> Job:
    """The job of a workload, without its amounts."""
    return without_amounts(job_of(Query(workload, constraints or Constraints())))


def test_jobs_that_differ_in_amounts_alone_are_one() -> None:
    """Data, epochs, tokens, rate, deadline, budget and price are no part of the ground."""
    more = replace(TRAINING, dataset=Dataset(size_bytes=5e12, samples=7.0), epochs=40.5, deadline_hours=2, budget_usd=9)

    assert bare(TRAINING) == bare(more, Constraints(max_usd_per_hour=3.0))
    assert bare(SERVING) == bare(replace(SERVING, requests_per_second=700.0))


def test_jobs_that_are_rented_otherwise_are_one() -> None:
    """Regions, purchase options and terms of one's own decide what machines cost, not what they do."""
    sale = Constraints(regions=("us-east-1",), purchase=("spot",), discounts=(Discount("aws", 5.0),))
    grounds = Grounds()

    assert grounds.of(job_of(Query(TRAINING))) is grounds.of(job_of(Query(TRAINING, sale)))
    assert bare(TRAINING) == bare(TRAINING, sale) != bare(TRAINING, Constraints(clouds=("aws",)))


@pytest.mark.parametrize(
    "other",
    [{"batch_size": 8}, {"precision": "fp32"}, {"model": "resnet18"}, {"experiments": 2}, {"framework": "tensorflow"}],
)
def test_jobs_that_differ_otherwise_are_not(other: dict[str, Any]) -> None:
    """What decides the pace of a step is part of the ground."""
    assert bare(TRAINING) != bare(replace(TRAINING, **other))


def test_whether_requests_come_one_by_one_counts() -> None:
    """A service with a rate runs otherwise than one flat out, whatever the rate; so does one judged by time alone."""
    assert bare(SERVING) != bare(replace(SERVING, requests_per_second=None))
    timed = without_amounts(job_of(Query(SERVING, objective="time")))
    assert timed != bare(SERVING)
    assert without_amounts(job_of(Query(SERVING, objective="cost"))) == bare(SERVING)


def test_described_models_are_told_apart_by_what_they_come_to() -> None:
    """A model given by numbers or configuration has a ground of its own, and can be looked up."""
    small, large = (CustomModel(family="cnn", parameters=size, forward_flops_per_sample=8e9) for size in (1e7, 1e9))
    config = {"model_type": "bert", "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12}
    described = CustomModel(config={**config, "vocab_size": 30522, "intermediate_size": 3072})

    assert len({bare(replace(TRAINING, model=model)) for model in (small, large, described)}) == 3


def test_each_thing_is_made_once_from_the_bare_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """By name and key; what was used longest ago is forgotten."""
    monkeypatch.setattr(groundwork, "MOST_MADE", 2)
    ground = Groundwork(job_of(Query(TRAINING)))
    made: list[int] = []

    def make(key: int, job: Job) -> int:
        assert job == bare(TRAINING)
        made.append(key)
        return key

    for key in (1, 1, 2, 1, 3, 2):
        assert ground.of(partial(make, key), "thing", key) == key

    assert made == [1, 2, 3, 2]


def test_only_what_is_kept_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is forgotten takes no memory any more."""
    monkeypatch.setattr(groundwork, "MOST_MADE", 2)
    ground = Groundwork(job_of(Query(TRAINING)))

    for size in (100, 200, 300):
        ground.of(lambda _, size=size: np.zeros(size), "thing", size)

    assert ground.nbytes() == np.zeros(500).nbytes


def test_grounds_are_kept_while_there_is_room() -> None:
    """Jobs of one kind find the same ground, until what was worked out since takes more memory than may be kept."""
    column = np.zeros(1 << 20)
    grounds, job = Grounds(most_bytes=column.nbytes + (1 << 20)), job_of(Query(TRAINING))
    more, batch = (job_of(Query(replace(TRAINING, **other))) for other in ({"epochs": 90}, {"batch_size": 7}))

    first = grounds.of(job)
    first.of(lambda _: column, "large")
    second = grounds.of(job_of(Query(SERVING)))

    assert grounds.of(more) is first

    second.of(lambda _: column.copy(), "another")
    grounds.of(batch)

    assert grounds.of(job) is first, "it was asked for since"
    assert grounds.of(job_of(Query(SERVING))) is not second


def test_what_kinds_have_in_common_is_made_once_a_key() -> None:
    """Whatever kinds of jobs it is made for; by name and key."""
    grounds, made = Grounds(), []

    def make(key: str) -> list[str]:
        made.append(key)
        return [key]

    for key in ("a", "b", "a", "b"):
        assert grounds.common(partial(make, key), "thing", key) == [key]
    assert grounds.common(partial(make, "c"), "other", "a") == ["c"]

    assert made == ["a", "b", "c"]


def test_threads_share_one_ground() -> None:
    """Whoever makes it first, all get equal results."""
    grounds, job = Grounds(), job_of(Query(TRAINING))

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda number: grounds.of(job).of(lambda _: "made", "thing", number % 3), range(300)))

    assert set(found) == {"made"}
    assert grounds.of(job) is grounds.of(job)
