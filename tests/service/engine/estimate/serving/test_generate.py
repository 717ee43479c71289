"""Transformers' stock ``generate``: a cache that is copied as it grows, and written out for each head of queries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, ask, made_up
from tests.service.engine.estimate.machines import machine
from tests.service.engine.estimate.serving.test_estimate import ONE, model_of, run

from plimsoll_service.engine.estimate.serving.memory import device_room
from plimsoll_service.engine.estimate.serving.replica import Replica, decode_seconds, decode_step, replica
from plimsoll_service.engine.workload import Query, Workload

STOCK = Workload(
    "inference", model="mistral-7b", framework="transformers", tuning="stock", precision="bf16", input_tokens=600,
    output_tokens=200,
)  # fmt: skip
GROUPS = 4  # heads of queries that share one of keys, in Mistral 7B


def cache_seconds(workload: Workload, requests: float, accelerator: str = "H100-SXM") -> float:
    """Seconds of a step for the cache."""
    model, on = model_of(workload), replica_on(workload, accelerator)
    return float(decode_step(model, on, np.full(1, requests)).cache[0])


def replica_on(workload: Workload, accelerator: str) -> Replica:
    """One device as a replica."""
    return replica(model_of(workload), machine(**{**ONE, "accelerator": accelerator}), np.ones(1))


def test_a_batch_is_read_copied_and_written_out() -> None:
    """The cache passes 2 times as it grows, 1 + 4 times as it is written out, and 4 times in attention, once tuned."""
    tuned = replace(STOCK, tuning="tuned")
    kv = model_of(STOCK).fit.device.kv

    assert (2 + 1 + GROUPS) * kv + GROUPS == pytest.approx(cache_seconds(STOCK, 64) / cache_seconds(tuned, 64))
    assert 2 * kv + 1 == pytest.approx(cache_seconds(STOCK, 1) / cache_seconds(tuned, 1))


def test_heads_of_their_own_are_not_written_out() -> None:
    """Llama 2 7B has as many heads of keys as of queries."""
    stock, tuned = (replace(STOCK, model="llama-2-7b", tuning=tuning) for tuning in ("stock", "tuned"))

    assert 2 * model_of(stock).fit.device.kv + 1 == pytest.approx(cache_seconds(stock, 64) / cache_seconds(tuned, 64))


@pytest.mark.parametrize("accelerator", ["TPU-v5e", "Gaudi2"])
def test_chips_with_a_compiler_have_a_cache_of_fixed_size(accelerator: str) -> None:
    tuned = replace(STOCK, tuning="tuned")

    assert cache_seconds(STOCK, 64, accelerator) == cache_seconds(tuned, 64, accelerator)


@pytest.mark.parametrize("accelerator", ["L40S", "A100-80GB", "H100-SXM"])
def test_an_engine_is_at_least_half_as_fast_again(accelerator: str) -> None:
    """With a 7B model and batches that fill the device."""
    batch, box = replace(STOCK, requests=50_000), machine(**{**ONE, "accelerator": accelerator})
    stock, engine = (
        run(replace(batch, framework=framework), box).throughput[0] for framework in ("transformers", "vllm")
    )

    assert engine > 1.5 * stock


def test_the_memory_holds_a_layer_of_the_copies() -> None:
    """Of long answers to short prompts; prompts of hundreds of tokens take more when they are read."""
    long = replace(STOCK, input_tokens=10, output_tokens=3000)
    model, on = model_of(long), replica_on(long, "H100-SXM")
    layer = model.kv_bytes * 3010 / 32 * (1 + GROUPS) / 2**30
    room = device_room(model, on.machines, on.n, on.held, on.wide)

    assert layer == pytest.approx(room.prompt[0])
    assert device_room(model_of(STOCK), on.machines, on.n, on.held, on.wide).prompt[0] > layer / 3010 * 800


def test_uneven_lengths_are_warned_about() -> None:
    """An engine replaces each request as it ends."""
    box = made_up(Box("l40s", accelerator="L40S", vcpus=16, memory_gib=128))
    stock, engine = (
        [note.rule for note in ask(Query(replace(STOCK, requests=50_000, framework=framework)), box)
         .recommendations[0].warnings]
        for framework in ("transformers", "vllm")
    )  # fmt: skip

    assert "static-batches" in stock
    assert "static-batches" not in engine


def step_ms(version: str | None, users: int) -> float:
    """Milliseconds of a step of Qwen1.5-MoE-A2.7B in stock Transformers on an A100."""
    model = Workload(
        "inference", model="qwen1.5-moe-a2.7b", framework="transformers", framework_version=version, tuning="stock",
        precision="bf16", input_tokens=128, output_tokens=64,
    )  # fmt: skip
    step = decode_seconds(model_of(model), replica_on(model, "A100-80GB"), np.full(1, float(users)))
    return float(step[0]) * 1e3


@pytest.mark.parametrize(
    ("version", "users", "published"),
    [("4.57", 1, 63.0), ("4.57", 4, 105.5), ("5.3", 1, 33.5), ("5.3", 4, 34.1), (None, 4, 34.1)],
)
def test_experts_are_run_in_a_loop_or_copied(version: str | None, users: int, published: float) -> None:
    """Within a tenth of what huggingface.co/datasets/docs-benchmarks, experts-backends, has (2026)."""
    assert step_ms(version, users) == pytest.approx(published, rel=0.1)


def test_copies_of_wide_experts_take_the_longest_and_need_memory() -> None:
    """A step of eight requests of Mixtral writes and reads 16 experts of 352 MB in each layer."""
    stock = replace(STOCK, model="mixtral-8x7b")
    tuned = replace(stock, tuning="tuned")
    slow, fast = (
        decode_step(model_of(one), replica_on(one, "A100-80GB"), np.full(1, 8.0)).weights[0] for one in (stock, tuned)
    )
    copies, none = (
        device_room(model_of(one), on.machines, on.n, on.held, on.wide).prompt[0]
        for one in (stock, tuned)
        for on in (replica_on(one, "A100-80GB"),)
    )
    assert slow > 4 * fast
    assert copies > 0.6 > none
