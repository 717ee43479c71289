"""Estimates are smooth: a quarter more work never makes a jump of speed over 2×, unless memory forces another plan."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite

import pytest
from tests.service.engine.catalogs import bundled_market
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.named_hardware import Given, given_of, parts_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.workload import CustomModel, Hardware, Query, Workload

JUMP = 2.0
STEP = 1.25  # neighbours differ by a quarter at most
NEARLY_FULL = 0.6  # of the usable memory: a plan that takes as much can be forced into another by a quarter more
DEVICES = ("V100-16GB", "A100-80GB", "H100-SXM", "RTX-4090", "T4", "Trainium1", None)


@dataclass(frozen=True, eq=False)
class Point:
    """One answer on the way."""

    at: float
    speed: float
    fullness: float
    plan: tuple[object, ...]  # what the answer says of how the work lies on the devices


def sizes(first: float, last: float) -> list[int]:
    """Whole numbers from first to last, each at most a quarter more than the one before (1, 2, 3, 4 aside)."""
    found, value = [], float(first)
    while value <= last:
        found.append(round(value))
        value = max(value + 1, value * STEP)
    return found


def machine(device: str | None, count: int) -> Hardware:
    """Ample processors and memory."""
    if device is None:
        return Hardware(cpu="AMD EPYC 7763", vcpus=64, memory_gib=512)
    return Hardware(accelerator=device, count=count, vcpus=96, memory_gib=1024)


def point(at: float, workload: Workload, on: Hardware) -> Point:
    """The speed there; NaN where it does not fit."""
    job = job_of(Query(workload))
    given: Given = given_of(job, bundled_market(), on)
    outcome = given.estimates.outcome
    fits = outcome.obstacle[0] == 0
    return Point(
        at=at,
        speed=float(outcome.capacity[0]) if fits else float("nan"),
        fullness=float(outcome.device.required[0] / outcome.device.usable[0]),
        plan=plan(job, given) if fits else (),
    )


def plan(job: Job, given: Given) -> tuple[object, ...]:
    """Batch, parts of the device's memory, how a replica is split and how many requests it holds, as answered."""
    sizing, estimate = parts_of(job, bundled_market(), given, fits=True)
    memory = sizing.accelerator_memory_gib
    parts = sorted(memory.breakdown) if memory is not None else []
    serving = estimate.serving if estimate is not None else None
    used = sizing.batch_size and sizing.batch_size.used
    return (used, parts, serving and (serving.tensor_parallel, serving.max_concurrency))


def jumps(points: Iterable[Point]) -> list[str]:
    """Jumps between neighbours that both fit, and that memory does not explain."""
    found = []
    before: Point | None = None
    for one in points:
        if before is not None and isfinite(before.speed) and isfinite(one.speed):
            ratio = one.speed / before.speed
            forced = max(one.fullness, before.fullness) > NEARLY_FULL and one.plan != before.plan
            if not 1 / JUMP <= ratio <= JUMP and not forced:
                found.append(f"{before.at:g} → {one.at:g}: {before.speed:.4g} → {one.speed:.4g}")
        before = one
    return found


def test_a_jump_counts_unless_full_memory_changed_the_plan() -> None:
    """The measure itself: threefold speed is a jump; with nearly full memory and another batch it is explained."""
    calm, full = Point(1, 100.0, 0.3, (1,)), Point(1, 100.0, 0.9, (1,))

    assert ["1 → 2: 100 → 300"] == jumps([calm, Point(2, 300.0, 0.3, (2,))])
    assert ["1 → 2: 100 → 300"] == jumps([full, Point(2, 300.0, 0.9, (1,))])
    assert [] == jumps([full, Point(2, 300.0, 0.9, (2,))])


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("task", ["training", "inference"])
@pytest.mark.parametrize("model", ["resnet50", "vgg16", "efficientnet-b0", "bert-large", "ssd300", "gnmt", "ncf"])
def test_neighbouring_batches(device: str | None, task: str, model: str) -> None:
    """Models counted in samples, from one sample to as many as fit."""
    on = machine(device, 1)
    walk = (point(size, Workload(task, model=model, batch_size=size), on) for size in sizes(1, 600))

    assert [] == jumps(walk)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("task", ["training", "inference"])
def test_neighbouring_sequences_of_an_encoder(device: str | None, task: str) -> None:
    """BERT from 16 tokens to 512."""
    on = machine(device, 1)
    walk = (
        point(size, Workload(task, model="bert-large", batch_size=8, sequence_length=size), on)
        for size in sizes(16, 512)
    )

    assert [] == jumps(walk)


@pytest.mark.parametrize("count", [1, 8])
@pytest.mark.parametrize("device", [device for device in DEVICES if device])
@pytest.mark.parametrize("model", ["llama-3.1-8b", "mixtral-8x7b"])
def test_neighbouring_sequences_and_batches_of_language_models_in_training(device: str, count: int, model: str) -> None:
    """LoRA from 128 tokens to 8,192, and from one sequence to 16."""
    on = machine(device, count)
    lengths = (
        point(size, Workload("training", model=model, method="lora", tokens=1e9, sequence_length=size), on)
        for size in sizes(128, 8192)
    )
    batches = (
        point(
            size, Workload("training", model=model, method="lora", tokens=1e9, sequence_length=512, batch_size=size), on
        )
        for size in sizes(1, 16)
    )

    assert [] == jumps(lengths)
    assert [] == jumps(batches)


@pytest.mark.parametrize("count", [1, 8])
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("model", ["llama-3.1-8b", "mixtral-8x7b"])
def test_neighbouring_prompts_answers_and_loads_in_serving(device: str | None, count: int, model: str) -> None:
    """Flat out, and 16 requests at once; prompts to 16,384 tokens, answers to 4,096, 1 to 500 requests at once."""
    on = machine(device, count)
    for at_once in (None, 16):
        prompts = (
            point(
                size, Workload("inference", model=model, input_tokens=size, output_tokens=256, concurrency=at_once), on
            )
            for size in sizes(32, 16384)
        )
        answers = (
            point(
                size, Workload("inference", model=model, input_tokens=512, output_tokens=size, concurrency=at_once), on
            )
            for size in sizes(8, 4096)
        )
        assert [] == jumps(prompts)
        assert [] == jumps(answers)
    loads = (
        point(size, Workload("inference", model=model, input_tokens=512, output_tokens=256, concurrency=size), on)
        for size in sizes(1, 500)
    )
    assert [] == jumps(loads)


@pytest.mark.parametrize("count", [1, 8])
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("task", ["training", "inference"])
def test_neighbouring_sizes_of_a_language_model(device: str | None, count: int, task: str) -> None:
    """A Llama that grows in width and depth, from 40 million parameters to 50 billion."""
    on = machine(device, count)
    tokens = 1e9 if task == "training" else None
    walk = (
        point(step, Workload(task, model=llama(64 * step, 10 + step), tokens=tokens), on) for step in range(6, 110, 2)
    )

    assert [] == jumps(walk)


def llama(width: int, layers: int) -> CustomModel:
    """A configuration of that width and depth."""
    heads = width // 64
    return CustomModel(
        config={
            "model_type": "llama", "hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": heads,
            "num_key_value_heads": heads, "intermediate_size": 3 * width, "vocab_size": 32000,
            "max_position_embeddings": 4096,
        }
    )  # fmt: skip


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("task", ["training", "inference"])
def test_neighbouring_sizes_of_an_image_network(device: str | None, task: str) -> None:
    """From 1 to 300 GFLOP an image."""
    on = machine(device, 1)

    def network(billions: int) -> CustomModel:
        return CustomModel(family="cnn", parameters=3e6 * billions, forward_flops_per_sample=1e9 * billions)

    walk = (point(size, Workload(task, model=network(size)), on) for size in sizes(1, 300))

    assert [] == jumps(walk)
