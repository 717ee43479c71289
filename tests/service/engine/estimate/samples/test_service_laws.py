"""Laws of services that are counted in samples: load, device and tuning change the time to answer in one direction."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import pytest
from tests.service.engine.estimate.machines import machine, scored

from plimsoll_service.engine.estimate.outcome import Outcome
from plimsoll_service.engine.workload import Workload

RATES = (0.01, 0.1, 1.0, 5.0, 20.0)
MODELS = ("whisper-small", "whisper-large-v3", "nllb-200-3.3b", "opus-mt", "t5-base", "bert-base", "yolov8n")
# Each is at least as good as the one before in arithmetic, bandwidth and memory (NVIDIA's datasheets).
RISING = (("T4", "L4", "L40S"), ("V100-16GB", "A100-40GB", "A100-80GB", "H100-SXM", "H200", "B200"))
NOISE = 1.03  # the table of the queue is read between its points
HOST = {"vcpus": 32, "memory_gib": 256}


def run(model: str, accelerator: str, rate: float, tuning: str = "stock") -> Outcome:
    """One device under a rate of requests."""
    workload = Workload("inference", model=model, requests_per_second=rate, tuning=tuning)
    return scored(workload, machine(accelerator=accelerator, **HOST)).outcome


def late_ms(outcome: Outcome) -> tuple[float, float]:
    """The time to answer and its unfavourable end."""
    return float(outcome.latency_ms[0]), float(outcome.latency_high_ms[:][0])


@pytest.mark.parametrize("model", MODELS)
def test_more_load_is_never_answered_sooner(model: str) -> None:
    """On the same device the 95th percentile grows with the rate."""
    times = [late_ms(run(model, "A100-80GB", rate))[0] for rate in RATES]
    assert [] == [pair for pair in pairwise(times) if pair[1] * NOISE < pair[0]]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("rate", [0.01, 1.0])
def test_a_faster_device_never_answers_later(model: str, rate: float) -> None:
    """Launches wait for the host, whatever the device; all else is no slower on the better device."""
    for rising in RISING:
        times = [late_ms(run(model, device, rate))[0] for device in rising]
        assert [] == [pair for pair in pairwise(times) if pair[1] > NOISE * pair[0]]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("rate", [0.1, 20.0])
def test_tuned_software_never_answers_later_than_stock(model: str, rate: float) -> None:
    """It can still run as the stock software that it was made of, at the unfavourable end too."""
    stock, tuned = (late_ms(run(model, "L40S", rate, tuning)) for tuning in ("stock", "tuned"))
    assert tuned[0] <= NOISE * stock[0]
    assert tuned[1] <= NOISE * stock[1]


def test_the_machines_of_a_target_are_as_few_with_tuned_software() -> None:
    """Sentences translated within a second take no more machines tuned than stock."""
    asked = Workload("inference", model="nllb-200-3.3b", requests_per_second=20.0, latency_ms=1000.0)
    stock, tuned = (
        scored(replace(asked, tuning=tuning), machine(accelerator="H100-SXM", **HOST), sized=True)
        for tuning in ("stock", "tuned")
    )
    assert float(tuned.nodes[0]) <= float(stock.nodes[0]) < 32
    assert float(tuned.outcome.latency_high_ms[:][0]) <= 1000.0


@pytest.mark.parametrize("model", MODELS)
def test_an_idle_service_takes_requests_one_by_one(model: str) -> None:
    """Where hardly any two requests meet, an answer takes as long as one alone, in a batch of one."""
    outcome = run(model, "L4", 1e-4)
    assert 1 == float(outcome.batch_used[0])
    assert float(outcome.latency_ms[0]) == pytest.approx(float(outcome.lone_latency_ms[:][0]), rel=0.01)


@pytest.mark.parametrize("model", ["mask-rcnn", "faster-rcnn", "resnet50", "bert-large", "ssd300", "tacotron2", "gnmt"])
@pytest.mark.parametrize("framework", ["pytorch", "tensorflow"])
def test_stock_software_is_never_faster_than_tuned(model: str, framework: str) -> None:
    """Where tuned software was measured, and stock software was not, that measurement bounds both."""
    asked = Workload("inference", model=model, framework=framework)
    cases = product(("T4", "A10", "V100-32GB", "A100-80GB", "H100-SXM"), ("mixed", "fp32"), (1, 8, 64, None))
    faster = []
    for device, precision, batch in cases:
        on, named = machine(accelerator=device, **HOST), replace(asked, precision=precision, batch_size=batch)
        stock, tuned = (scored(replace(named, tuning=one), on).outcome.throughput[0] for one in ("stock", "tuned"))
        faster += [(device, precision, batch)] * bool(stock > tuned * (1 + 1e-9))

    assert [] == faster
