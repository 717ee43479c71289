"""Layouts of language-model training that are faster than the first that fits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.service.engine.estimate.token_training.test_estimate import judge, layout, rate

from plimsoll_service.engine.workload import Hardware, Workload

CHIPS = Hardware(accelerator="TPU-v6e", count=8, vcpus=180, memory_gib=1440)
H100 = Hardware(accelerator="H100-SXM", count=8, vcpus=192, memory_gib=2048)
GEMMA = Workload("training", framework="maxtext", model="gemma-2b", tokens=4e10, sequence_length=2048, tuning="tuned")
NEMO = Workload("training", framework="nemo", model="mistral-nemo-12b", tokens=5e9, sequence_length=8192)
TITAN = Workload("training", framework="torchtitan", model="llama-3.1-8b", tokens=1e9, sequence_length=8192)
WORTH = 1.01


@pytest.mark.parametrize("mode", ["none", "selective", "full"])
@pytest.mark.parametrize(
    ("work", "on"),
    [
        (GEMMA, CHIPS),
        (replace(GEMMA, sequence_length=8192), CHIPS),
        (TITAN, H100),
        (replace(TITAN, sequence_length=16_384), H100),
        (replace(TITAN, framework="deepspeed", model="qwen2.5-14b"), H100),
    ],
    ids=["jax", "jax, long", "torchtitan", "torchtitan, long", "deepspeed"],
)
def test_no_recomputation_that_the_software_has_is_faster(work: Workload, on: Hardware, mode: str) -> None:
    """Left open, it is what takes the least time, to a hundredth. Rule: training-layout."""
    if mode == "selective" and work.framework != "torchtitan":
        mode = "full"
    stated = judge(replace(work, activation_recomputation=mode), on)
    fastest = rate(replace(work, activation_recomputation=mode), on) if stated.fits else 0.0
    assert WORTH * rate(work, on) >= fastest


def test_recomputing_makes_room_for_sequences_that_gather_weights_together() -> None:
    """Gemma 2B on eight chips of 32 GB: two sequences at once without it, eight with it."""
    plain = replace(GEMMA, activation_recomputation="none")
    assert "recomputed" in layout(GEMMA, CHIPS)
    assert rate(GEMMA, CHIPS) > WORTH * rate(plain, CHIPS)


def test_a_stated_batch_recomputes_only_what_does_not_fit() -> None:
    """Recomputing the same sequences takes longer."""
    assert "recomputed" not in layout(replace(GEMMA, batch_size=2), CHIPS)


def test_torchtitan_recomputes_the_cheap_activations_alone_where_that_is_enough() -> None:
    """Its selective mode takes less time than computing all of them again."""
    long = replace(TITAN, sequence_length=16_384)
    assert "selective" in layout(long, H100)
    assert rate(long, H100) > rate(replace(long, activation_recomputation="full"), H100)


def test_nemo_splits_layers_rather_than_gather_and_recompute() -> None:
    """Layers of 12 billion parameters are split inside the machine; a stated sharding is followed."""
    spread = replace(NEMO, sharding="zero3")
    assert "tensor parallel" in layout(NEMO, H100)
    assert "tensor parallel" not in layout(spread, H100)
    assert rate(NEMO, H100) > WORTH * rate(spread, H100)


def test_layers_are_not_split_over_slow_links() -> None:
    """Cards on PCIe keep whole layers where the model fits so."""
    cards = Hardware(accelerator="L40S", count=8, vcpus=192, memory_gib=1536)
    assert "tensor parallel" not in layout(replace(NEMO, model="llama-3.1-8b", sequence_length=2048), cards)
