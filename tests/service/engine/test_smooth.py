"""Estimates are smooth: a quarter more work never makes a jump of speed over 2×, unless memory forces another plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isfinite

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled, bundled_market
from tests.service.engine.choosing import keys, selected
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.named_hardware import named_hardware_of, parts_of
from plimsoll_service.engine.workload import Constraints, CustomModel, Hardware, Query, Workload

JUMP = 2.0
STEP = 1.25  # neighbours differ by a quarter at most
NEARLY_FULL = 0.6  # of the usable memory: a plan that takes as much can be forced into another by a quarter more
DEVICES = ("V100-16GB", "A100-80GB", "H100-SXM", "RTX-4090", "T4", "Trainium1")
# Ample processors and memory.
MACHINES = (
    *(Hardware(accelerator=device, count=count, vcpus=96, memory_gib=1024) for device in DEVICES for count in (1, 8)),
    Hardware(cpu="AMD EPYC 7763", vcpus=64, memory_gib=512),
)


@dataclass(frozen=True, eq=False)
class Point:
    """One answer for one machine in a series."""

    at: float
    speed: float  # NaN where the work does not fit
    fullness: float
    plan: Callable[[], tuple[object, ...]]  # what the answer says of how the work lies on the devices


def sizes(first: float, last: float) -> list[int]:
    """Whole numbers from first to last, each at most a quarter more than the one before (1, 2, 3, 4 aside)."""
    found, value = [], float(first)
    while value <= last:
        found.append(round(value))
        value = max(value + 1, value * STEP)
    return found


def points(at: float, workload: Workload) -> dict[int, Point]:
    """One answer for each of the machines that run such work."""
    query = Query(workload, Constraints(clouds=("own",), own_machines=MACHINES))
    chosen = selected(query)
    outcome, first = chosen.estimates.outcome, len(bundled().instance_types)
    speed = np.where(outcome.obstacle == 0, outcome.capacity, np.nan)
    fullness = outcome.device.required / outcome.device.usable
    found = {}
    for row, (machine, _, _) in enumerate(keys(query, chosen, np.arange(len(chosen.options)))):
        on = MACHINES[machine - first]
        found[machine - first] = Point(at, speed[row], fullness[row], lambda on=on: plan(workload, on))
    return found


def plan(workload: Workload, on: Hardware) -> tuple[object, ...]:
    """Batch, parts of the device's memory, how a replica is split and how many requests it holds, as answered."""
    job = job_of(Query(workload))
    named = named_hardware_of(job, bundled_market(), on)
    sizing, estimate = parts_of(job, bundled_market(), named, fits=True)
    memory = sizing.accelerator_memory_gib
    parts = sorted(memory.breakdown) if memory is not None else []
    serving = estimate.serving if estimate is not None else None
    used = sizing.batch_size and sizing.batch_size.used
    return (used, parts, serving and (serving.tensor_parallel, serving.max_concurrency))


def jumps(walk: Iterable[tuple[float, Workload]]) -> list[str]:
    """Jumps between neighbours in a series, on any of the machines."""
    every = [points(at, workload) for at, workload in walk]
    ran = sorted(set().union(*every))
    assert ran
    return [
        f"{MACHINES[place].count} × {MACHINES[place].accelerator}: {jump}"
        for place in ran
        for jump in jumps_between([one[place] for one in every if place in one])
    ]


def jumps_between(points: list[Point]) -> list[str]:
    """Jumps between neighbours that both fit, and that memory does not explain."""
    found = []
    for before, one in pairwise(points):
        if isfinite(before.speed) and isfinite(one.speed):
            ratio = round(one.speed / before.speed, 9)  # a step that takes equally long doubles the speed exactly
            if not 1 / JUMP <= ratio <= JUMP and not forced(before, one):
                found.append(f"{before.at:g} → {one.at:g}: {before.speed:.4g} → {one.speed:.4g}")
    return found


def forced(before: Point, one: Point) -> bool:
    """Whether nearly full memory led to another plan."""
    return max(one.fullness, before.fullness) > NEARLY_FULL and one.plan() != before.plan()


def test_a_jump_counts_unless_full_memory_changed_the_plan() -> None:
    """The measure itself: threefold speed is a jump; with nearly full memory and another batch it is explained."""
    calm, full = Point(1, 100.0, 0.3, lambda: (1,)), Point(1, 100.0, 0.9, lambda: (1,))

    assert ["1 → 2: 100 → 300"] == jumps_between([calm, Point(2, 300.0, 0.3, lambda: (2,))])
    assert ["1 → 2: 100 → 300"] == jumps_between([full, Point(2, 300.0, 0.9, lambda: (1,))])
    assert [] == jumps_between([full, Point(2, 300.0, 0.9, lambda: (2,))])


@pytest.mark.parametrize("task", ["training", "inference"])
@pytest.mark.parametrize("model", ["resnet50", "vgg16", "efficientnet-b0", "bert-large", "ssd300", "gnmt", "ncf"])
def test_neighbouring_batches(task: str, model: str) -> None:
    """Batches from one sample to the largest that fits have no jump."""
    assert [] == jumps((size, Workload(task, model=model, batch_size=size)) for size in sizes(1, 600))


@pytest.mark.parametrize("task", ["training", "inference"])
def test_neighbouring_sequences_of_an_encoder(task: str) -> None:
    """BERT from 16 tokens to 512 has no jump."""
    assert [] == jumps(
        (size, Workload(task, model="bert-large", batch_size=8, sequence_length=size)) for size in sizes(16, 512)
    )


@pytest.mark.parametrize("model", ["llama-3.1-8b", "mixtral-8x7b"])
def test_neighbouring_sequences_and_batches_of_language_models_in_training(model: str) -> None:
    """LoRA from 128 tokens to 8,192, and from one sequence to 16, has no jump."""
    base = Workload("training", model=model, method="lora", tokens=1e9, sequence_length=512)
    assert [] == jumps((size, replace(base, sequence_length=size)) for size in sizes(128, 8192))
    assert [] == jumps((size, replace(base, batch_size=size)) for size in sizes(1, 16))


@pytest.mark.parametrize("model", ["llama-3.1-8b", "mixtral-8x7b"])
def test_neighbouring_prompts_answers_and_loads_in_serving(model: str) -> None:
    """Prompts to 16,384 tokens, answers to 4,096 and 1 to 500 concurrent requests have no jump."""
    base = Workload("inference", model=model, input_tokens=512, output_tokens=256)
    for at_once in (None, 16):
        loaded = replace(base, concurrency=at_once)
        assert [] == jumps((size, replace(loaded, input_tokens=size)) for size in sizes(32, 16384))
        assert [] == jumps((size, replace(loaded, output_tokens=size)) for size in sizes(8, 4096))
    assert [] == jumps((size, replace(base, concurrency=size)) for size in sizes(1, 500))


@pytest.mark.parametrize("task", ["training", "inference"])
def test_neighbouring_sizes_of_a_language_model(task: str) -> None:
    """A Llama from 40 million to 50 billion parameters has no jump."""
    tokens = 1e9 if task == "training" else None
    assert [] == jumps(
        (step, Workload(task, model=llama(64 * step, 10 + step), tokens=tokens)) for step in range(6, 110, 2)
    )


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


@pytest.mark.parametrize("task", ["training", "inference"])
def test_neighbouring_sizes_of_an_image_network(task: str) -> None:
    """Networks from 1 to 300 GFLOP an image have no jump."""

    def network(quarters: int) -> CustomModel:
        return CustomModel(family="cnn", parameters=0.75e6 * quarters, forward_flops_per_sample=0.25e9 * quarters)

    assert [] == jumps((size / 4, Workload(task, model=network(size))) for size in sizes(4, 1200))
