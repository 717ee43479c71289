"""Inference as a job: its time, its machines, its data, and the cost of an interruption."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.engine.catalogs import Box, Sale, ask, bundled_market, made_up
from tests.service.fitted import job_of

from plimsoll_service.engine.workload import Constraints, Dataset, Disk, Query, Workload

LLAMA = Workload("inference", model="llama-3-8b", input_tokens=500, output_tokens=200, requests=1e6)
RESNET = Workload("inference", model="resnet-50", requests=1e8)
WHISPER = Workload("inference", model="whisper-large-v3", hours_of_audio=10_000)
H100 = Box("h100", accelerator="H100-SXM", vcpus=26, memory_gib=200, local_disk_gb=6400)


def first(workload: Workload, **asked: object):
    """The first recommendation of the bundled catalog."""
    return ask(Query(workload, objective="cost", **asked), bundled_market()).recommendations[0]


@pytest.mark.parametrize("workload", [LLAMA, RESNET, WHISPER])
def test_the_time_is_the_cold_start_and_the_amount_at_the_rate(workload: Workload) -> None:
    """On each machine; a job has no rate of its own to wait for."""
    answer = ask(Query(workload, objective="cost"), made_up(H100))
    found = answer.recommendations[0].estimate
    units = job_of(Query(workload)).samples
    working = units / found.throughput.value / 3600

    assert found.time_hours is not None
    assert working < found.time_hours.value < working + 0.5


@pytest.mark.parametrize(
    ("amount", "samples"),
    [
        (WHISPER, 1_200_000.0),  # 10,000 h in windows of 30 s
        (Workload("inference", model="wav2vec2-base", hours_of_audio=123), 36_000.0),  # utterances of 12.3 s
        (Workload("inference", model="bert-base", tokens=2.56e9, sequence_length=256), 1e7),
        (LLAMA, 2e8),  # output tokens
        (replace(LLAMA, requests=None, tokens=1e9), 1e9),
        (Workload("inference", model="resnet-50", dataset=Dataset(samples=5e6)), 5e6),
        (Workload("inference", model="xgboost", requests=1e9), 1e9),
    ],
)
def test_every_amount_is_counted_in_what_the_work_is_counted_in(amount: Workload, samples: float) -> None:
    """Hours of audio in the model's samples, tokens in sequences, requests of a language model in output tokens."""
    assert samples == pytest.approx(job_of(Query(amount)).samples)


def test_samples_beside_a_load_describe_what_a_service_reads() -> None:
    """With a rate, samples describe a service, not a job."""
    described = Workload("inference", model="resnet-50", dataset=Dataset(samples=5e6))

    assert not job_of(Query(described)).serves
    assert job_of(Query(replace(described, requests_per_second=5.0))).serves


def test_a_named_data_set_with_a_deadline_is_a_job() -> None:
    """All of it is answered; without a limit its name says what a service reads."""
    named = Workload("inference", model="resnet-50", dataset=Dataset(name="imagenet-1k"))

    assert job_of(Query(named)).serves
    assert job_of(Query(replace(named, deadline_hours=5.0))).samples == 1_281_167
    found = ask(Query(replace(named, deadline_hours=0.001)), bundled_market())
    assert not found.recommendations
    assert {"deadline"} <= {one.constraint for one in found.relax}


def test_data_elsewhere_are_moved() -> None:
    """The place of the data counts in time and cost, as in training."""
    there = replace(WHISPER, dataset=Dataset(region="us-east-1"))
    found = ask(Query(there, Constraints(clouds=("gcp",)), "cost"), bundled_market()).recommendations[0]

    assert found.estimate.staging.usd > 50  # 1.15 TB leave the cloud


def test_two_machines_share_the_requests_evenly() -> None:
    """Their rate is twice that of one; only the cold start is not shared."""
    stored = replace(RESNET, disk=Disk(type="ssd"))
    several = Query(stored, Constraints(max_nodes=2), "time", group="none", limit=10)
    found = {one.node_count: one for one in ask(several, made_up(H100)).recommendations}
    one, two = found[1].estimate, found[2].estimate

    assert two.throughput.value == pytest.approx(2 * one.throughput.value, rel=0.01)
    assert one.time_hours.value / 2 < two.time_hours.value < one.time_hours.value
    assert found[2].sizing.disk.size_gib < 0.6 * found[1].sizing.disk.size_gib


def test_samples_that_are_read_once_need_no_disk_of_their_size() -> None:
    """They come over the network, no faster than it carries them: a stated disk holds all of them."""
    large = replace(RESNET, requests=None, dataset=Dataset(samples=1e6, size_bytes=2e12))
    streamed, stored = (
        ask(Query(one), made_up(H100)).recommendations[0] for one in (large, replace(large, disk=Disk(type="ssd")))
    )

    assert streamed.sizing.disk.size_gib < 100 < 2000 < stored.sizing.disk.size_gib
    assert streamed.estimate.throughput.value * 2e6 <= 10e9 / 8


def test_a_deadline_takes_the_machines_that_it_needs() -> None:
    """Each recommendation is in time at the high end of its range."""
    answer = ask(Query(replace(WHISPER, deadline_hours=24)), bundled_market())

    assert answer.objective == "cost"
    assert answer.recommendations
    for one in answer.recommendations:
        assert one.estimate.time_hours.high <= 24
        assert one.meets.deadline


def test_a_budget_holds_for_the_whole_job() -> None:
    """A budget far below the first choice's cost leaves nothing, and the answer says what a job costs."""
    chosen = first(RESNET).estimate.cost_usd
    answer = ask(Query(replace(RESNET, budget_usd=chosen.value / 10)), bundled_market())

    assert not answer.recommendations
    assert answer.rejected["budget"] > 0
    assert {"budget"} <= {one.constraint for one in answer.relax}


def test_an_interruption_costs_minutes_of_work_and_a_cold_start() -> None:
    """No checkpoint is written, and the weights are fetched anew."""
    sold = replace(H100, sales=(Sale(3.0), Sale(1.0, purchase="spot")))
    query = Query(RESNET, Constraints(purchase=("spot",), max_nodes=1), "cost")
    spot = ask(query, made_up(sold)).recommendations[0].estimate.spot

    assert spot.checkpoint_write_minutes == 0
    assert spot.checkpoint_interval_minutes == pytest.approx(10)
    assert spot.restart_minutes >= spot.start_minutes


def test_a_made_image_reads_no_images() -> None:
    """Images that are generated from prompts need no data set."""
    job = job_of(Query(Workload("inference", model="sdxl", requests=1e6)))

    assert job.feed is None


@pytest.mark.parametrize(
    ("workload", "most_usd"),
    [
        (replace(LLAMA, deadline_hours=72.0), 500),
        (WHISPER, 500),
        (Workload("inference", model="bert-large", requests=5e7, sequence_length=256), 200),
        (RESNET, 200),
    ],
)
def test_batch_work_costs_what_an_engineer_expects(workload: Workload, most_usd: float) -> None:
    """Tens to hundreds of dollars for these amounts, on one or a few devices."""
    found = first(workload)

    assert 1 < found.estimate.cost_usd.value < most_usd
    million = found.estimate.cost_usd.value / job_of(Query(workload)).samples * 1e6
    assert found.estimate.usd_per_million.value == pytest.approx(million, rel=1e-3)
