"""Jobs that differ in amounts alone are of one kind of work."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.service.fitted import job_of

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.demand.kind_of_work import kind_key, without_amounts
from plimsoll_service.engine.workload import Constraints, CustomModel, Dataset, Discount, Query, Workload

TRAINING = Workload("training", model="resnet50", dataset=Dataset(size_bytes=1e9, samples=1e5), epochs=3)
SERVING = Workload("inference", model="llama-3-8b", requests_per_second=3.0)


def bare(workload: Workload, constraints: Constraints | None = None) -> Job:
    """The job of a workload, without its amounts."""
    return without_amounts(job_of(Query(workload, constraints or Constraints())))


def test_jobs_that_differ_in_amounts_alone_are_one() -> None:
    """Data, epochs, tokens, rate, deadline, budget and price are no part of the kind."""
    more = replace(TRAINING, dataset=Dataset(size_bytes=5e12, samples=7.0), epochs=40.5, deadline_hours=2, budget_usd=9)

    assert bare(TRAINING) == bare(more, Constraints(max_usd_per_hour=3.0))
    assert bare(SERVING) == bare(replace(SERVING, requests_per_second=700.0))


def test_jobs_that_are_rented_otherwise_are_one() -> None:
    """Regions, purchase options and terms of one's own decide what machines cost, not what they do."""
    sale = Constraints(regions=("us-east-1",), purchase=("spot",), discounts=(Discount("aws", 5.0),))

    assert kind_key(job_of(Query(TRAINING))) == kind_key(job_of(Query(TRAINING, sale)))
    assert bare(TRAINING) == bare(TRAINING, sale) != bare(TRAINING, Constraints(clouds=("aws",)))


@pytest.mark.parametrize(
    "other",
    [{"batch_size": 8}, {"precision": "fp32"}, {"model": "resnet18"}, {"experiments": 2}, {"framework": "tensorflow"}],
)
def test_jobs_that_differ_otherwise_are_not(other: dict[str, Any]) -> None:
    """Values that decide the time of a step are part of the kind of work."""
    one, another = (job_of(Query(work)) for work in (TRAINING, replace(TRAINING, **other)))

    assert without_amounts(one) != without_amounts(another)
    assert kind_key(one) != kind_key(another)


def test_whether_requests_come_one_by_one_counts() -> None:
    """A service with a rate runs otherwise than one flat out, whatever the rate; so does one judged by time alone."""
    assert bare(SERVING) != bare(replace(SERVING, requests_per_second=None))
    timed = without_amounts(job_of(Query(SERVING, objective="time")))
    assert timed != bare(SERVING)
    assert without_amounts(job_of(Query(SERVING, objective="cost"))) == bare(SERVING)


def test_amounts_of_requests_are_one_kind_and_services_another() -> None:
    """The amount of requests is no part of the kind of work; that the work ends is a part of it."""
    whisper = Workload("inference", model="whisper-large-v3")
    hours = replace(whisper, hours_of_audio=3.0, deadline_hours=7.0)

    assert bare(hours) == bare(replace(whisper, hours_of_audio=9000.0)) == bare(replace(whisper, requests=5e7))
    assert bare(hours) != bare(whisper)
    assert kind_key(job_of(Query(hours))) != kind_key(job_of(Query(whisper)))


def test_days_with_another_course_are_one() -> None:
    """Each hour is estimated as a rate of its own."""
    one, other = ((20.0,) * 24, (0.0, *(float(hour) for hour in range(23))))

    assert bare(replace(SERVING, requests_per_second=None, requests_per_second_by_hour=one)) == bare(
        replace(SERVING, requests_per_second=None, requests_per_second_by_hour=other)
    )


def test_spare_replicas_decide_the_layout() -> None:
    """The number of devices of a replica decides how many machines spare replicas need."""
    assert bare(replace(SERVING, spare_replicas=2)) != bare(SERVING)


def test_described_models_are_told_apart_by_what_they_come_to() -> None:
    """A model given by numbers or configuration is a kind of its own."""
    small, large = (CustomModel(family="cnn", parameters=size, forward_flops_per_sample=8e9) for size in (1e7, 1e9))
    config = {"model_type": "bert", "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12}
    described = CustomModel(config={**config, "vocab_size": 30522, "intermediate_size": 3072})

    assert len({bare(replace(TRAINING, model=model)) for model in (small, large, described)}) == 3
