"""Layouts of networks that are counted in samples: recomputation, sharding, offload, adapters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, ask, made_up
from tests.service.engine.estimate.machines import machine
from tests.service.fitted import job_of

from plimsoll_service.engine.answer import Recommendation
from plimsoll_service.engine.clusters import Clusters, Splits
from plimsoll_service.engine.estimate.requirements import usable_gib
from plimsoll_service.engine.estimate.samples import training
from plimsoll_service.engine.workload import Constraints, Dataset, Query, Workload


def best(workload: Workload, accelerator: str, count: float = 1, memory_gib: float = 1000) -> Recommendation | None:
    """The recommendation on one machine of those devices."""
    box = Box(accelerator=accelerator, count=count, vcpus=96, memory_gib=memory_gib, network_gbps=100)
    found = ask(Query(workload, Constraints(max_nodes=1)), made_up(box)).recommendations
    return found[0] if found else None


def figures(workload: Workload, accelerator: str, count: float = 1) -> tuple[float, float, float]:
    """GiB of a device and of the host, and hours."""
    found = best(workload, accelerator, count)
    assert found is not None
    assert found.sizing.accelerator_memory_gib is not None
    assert found.estimate.time_hours is not None
    return (
        found.sizing.accelerator_memory_gib.required,
        found.sizing.memory_gib.required,
        found.estimate.time_hours.value,
    )


DATA = Dataset(samples=1e5)
T5 = Workload("training", model="flan-t5-xxl", framework="deepspeed", dataset=DATA, epochs=1)
FITTING = {
    "flan-t5-xxl over 8 devices": (T5, "A100-80GB", 8),
    "sdxl with adapters": (Workload("training", model="sdxl"), "A10G", 1),
    "flux with adapters": (Workload("training", model="flux.1-dev"), "A10G", 1),
    "flux in 4 bits": (Workload("training", model="flux.1-dev", method="qlora", dataset=DATA), "L4", 1),
    "whisper-small as a whole": (Workload("training", model="whisper-small", method="full", dataset=DATA), "T4", 1),
}


@pytest.mark.parametrize(("workload", "accelerator", "count"), FITTING.values(), ids=FITTING)
def test_models_fit_where_people_train_them(workload: Workload, accelerator: str, count: float) -> None:
    """Models fit with the means of a practitioner: adapters, recomputation, sharding, weights in host memory."""
    assert best(workload, accelerator, count) is not None


@pytest.mark.parametrize("model", ["resnet50", "bert-large", "sdxl", "whisper-small", "vit-base", "gnmt"])
def test_recomputation_saves_memory_and_costs_time_in_every_family(model: str) -> None:
    """At the same batch, recomputation saves memory and costs time."""
    base = Workload("training", model=model, method="full", batch_size=2, dataset=DATA)
    plain, half, again = (
        figures(replace(base, activation_recomputation=mode), "H200") for mode in ("none", "selective", "full")
    )

    assert again[0] < half[0] < plain[0]
    assert plain[2] < half[2] < again[2]


@pytest.mark.parametrize(
    ("model", "method", "accelerator", "taken"),
    [
        ("flan-t5-xl", "lora", "V100-16GB", "full"),  # 8 samples at about the same speed
        ("whisper-large-v3", "lora", "A100-40GB", "none"),  # several samples fit anyway
        ("whisper-large-v3", "lora", "L4", "none"),  # would lose a quarter
    ],
)
def test_a_batch_of_one_gives_way_to_a_larger_one_at_about_the_same_speed(
    model: str, method: str, accelerator: str, taken: str
) -> None:
    """Activations are computed again for a larger batch, unless that costs more than 15% of the speed."""
    left_open = Workload("training", model=model, method=method, dataset=DATA)
    assert figures(left_open, accelerator) == figures(replace(left_open, activation_recomputation=taken), accelerator)
    other = "none" if taken == "full" else "full"
    assert figures(left_open, accelerator) != figures(replace(left_open, activation_recomputation=other), accelerator)


@pytest.mark.parametrize("model", ["bert-large", "sdxl", "llama-3.2-1b"])
def test_each_stage_of_sharding_spreads_more(model: str) -> None:
    """Sharding spreads optimizer states, then also gradients, then also weights."""
    base = Workload("training", model=model, method="full", batch_size=4, activation_recomputation="none", dataset=DATA)
    needs = [figures(replace(base, sharding=stage), "H200", 8)[0] for stage in ("none", "zero1", "zero2", "zero3")]

    assert needs == sorted(needs, reverse=True)
    assert needs[3] < needs[1] < needs[0]


@pytest.mark.parametrize("model", ["bert-large", "sdxl", "llama-3.2-1b"])
def test_what_is_offloaded_lies_in_the_host_and_costs_time(model: str) -> None:
    """Offloading lowers the device's memory and raises the host's memory; fetching may be hidden, updates are not."""
    base = Workload("training", model=model, method="full", batch_size=1, activation_recomputation="none", dataset=DATA)
    found = [figures(replace(base, offload=what), "H200") for what in ("none", "optimizer", "parameters")]
    device, host, hours = zip(*found, strict=True)

    assert device[0] > device[1] > device[2]
    assert host[0] < host[1] < host[2]
    assert hours[0] < hours[1] <= hours[2]


def test_states_are_spread_unasked_where_they_must_be() -> None:
    """Without a request, states are sharded only if whole copies do not fit and the framework shards."""
    assert best(replace(T5, framework="keras"), "A100-80GB", 8) is None
    assert best(replace(T5, framework="pytorch"), "A100-80GB", 8) is not None
    assert best(replace(T5, framework="pytorch", sharding="none"), "A100-80GB", 8) is None
    assert best(replace(T5, framework="keras", sharding="zero3"), "A100-80GB", 8) is not None


@pytest.mark.parametrize(("accelerator", "most"), [("T4", 2), ("V100-16GB", 2), ("A100-80GB", 8)])
def test_images_are_encoded_before_the_network_sees_them(accelerator: str, most: float) -> None:
    """In fp32 the encoder's first level takes 1.5 GiB an image of 1,024 pixels a side, beside 8 GiB of weights."""
    found = best(Workload("training", model="sdxl", method="lora", dataset=DATA), accelerator)
    assert found is not None
    assert found.sizing.batch_size is not None
    assert 1 <= found.sizing.batch_size.used <= most


def test_an_encoder_in_fp32_takes_longest_without_matrix_units_for_it() -> None:
    """4.9 TFLOP an image: V100 has no TF32, and loses more of its lead on T4's successor than in 16 bits alone."""
    flat = replace(Workload("training", model="stable-diffusion-1.5", method="lora", dataset=DATA), batch_size=1)
    wide = replace(flat, model="sdxl")
    ratio = {name: figures(wide, name)[2] / figures(flat, name)[2] for name in ("V100-32GB", "A100-80GB")}

    assert ratio["A100-80GB"] < ratio["V100-32GB"]


FLUX = Workload("training", model="flux.1-dev", precision="bf16", method="lora", batch_size=1, dataset=DATA)


@pytest.mark.parametrize(("accelerator", "recomputed"), [("H100-SXM", True), ("A100-80GB", True), ("H200", False)])
def test_recomputation_is_one_decision_on_hardware_that_is_named(accelerator: str, recomputed: bool) -> None:
    """On named hardware too, activations that do not fit by the middle of their need are recomputed.

    A public trainer of FLUX.1 keeps them on devices of 100 GB and more alone (replicate/flux-fine-tuner, change 64).
    """
    box = machine(accelerator=accelerator, vcpus=16, memory_gib=256)
    clusters = Clusters(box, np.ones(1), splits=Splits(named=True))
    known = training.prepare(job_of(Query(FLUX)), clusters)
    placed, usable = known.placed, usable_gib(known.sized)

    assert recomputed == bool(placed.laid.recomputed[0])
    assert placed.need.required(np.ones(1))[0] <= usable[0]


@pytest.mark.parametrize(
    ("framework", "narrow"), [("kohya-ss", True), ("musubi-tuner", True), ("ai-toolkit", True), ("diffusers", False)]
)
def test_frozen_weights_lie_in_8_bits_before_they_leave_the_device(framework: str, narrow: bool) -> None:
    """FLUX.1's adapters fit 24 GB with --fp8_base (kohya-ss/sd-scripts@063ef100, docs/flux_train_network.md, 2025)."""
    work = replace(FLUX, framework=framework)
    box = machine(accelerator="RTX-3090", vcpus=16, memory_gib=32)
    placed = training.prepare(job_of(Query(work)), Clusters(box, np.ones(1), splits=Splits(named=True))).placed

    assert [narrow, not narrow] == [placed.laid.frozen[0] == 2, bool(placed.laid.offload[0])]


ADAPTED = {
    "esm2-650m": 32, "bert-large": 32, "whisper-large-v3": 8, "stable-diffusion-1.5": 32, "unet": 8, "segformer-b2": 32,
}  # fmt: skip


@pytest.mark.parametrize(("model", "batch"), ADAPTED.items())
def test_adapters_take_no_longer_than_all_weights(model: str, batch: int) -> None:
    """Frozen weights have no gradients: where launching kernels takes no time, a step with adapters is shorter."""
    work = Workload("training", model=model, framework="pytorch", batch_size=batch, dataset=DATA)
    whole, adapted = (figures(replace(work, method=method), "H100-SXM")[2] for method in ("full", "lora"))

    assert 0.6 * whole < adapted < whole


WAN = Workload("training", model="wan2.1-14b", framework="pytorch", method="lora", batch_size=1, dataset=DATA)


def test_text_encoders_are_gone_before_anything_leaves_the_device() -> None:
    """Wan 14B in 16 bits trains on 73 GB (vita-epfl/Stable-Video-Infinity issue 49, 2025-12-28).

    kohya-ss/musubi-tuner encodes all texts before it trains (docs, text encoder output pre-caching, 2025).
    """
    found = best(WAN, "H100-SXM")
    assert found is not None
    texts = [reason.text for reason in found.reasons]

    assert "activations are recomputed; outputs of the text encoders are computed once before" in texts


def test_a_clip_takes_a_fraction_of_a_minute() -> None:
    """Wan 14B with adapters takes 9.8 to 10 s a clip on H200 (vita-epfl/Stable-Video-Infinity issue 49, 2025-12-28)."""
    seconds = figures(replace(WAN, activation_recomputation="full", epochs=1), "H200")[2] * 3600 / 1e5

    assert 9.8 < seconds < 1.75 * 9.9


def test_what_stays_on_the_host_was_read_there() -> None:
    """Weights in the host's memory and those on their way to devices are the same: 32 GiB hold FLUX.1 in 8 bits."""
    found = best(replace(FLUX, framework="kohya-ss"), "RTX-4060-Ti-16GB", memory_gib=32)

    assert found is not None
    assert found.sizing.memory_gib.required < 32


@pytest.mark.parametrize(("accelerator", "used"), [("RTX-4060-Ti-16GB", 1), ("RTX-3090", 2)])
def test_trainers_that_keep_copies_swap_blocks_on_one_device_alone(accelerator: str, used: int) -> None:
    """Unlike with whole copies in 8 bits, one of two devices works (kohya-ss/sd-scripts pull request 1988, 2025)."""
    box = machine(accelerator=accelerator, count=2, vcpus=16, memory_gib=64)
    asked = job_of(Query(replace(FLUX, framework="sd-scripts")))
    clusters = Clusters(box, np.ones(1), splits=Splits(named=True))
    known = training.prepare(asked, clusters)
    run = training.plan(asked, clusters, known, training.plan_key(asked, clusters, known)).run

    assert used == run.devices[0]
    assert not known.placed.spread[0]


def test_processors_recompute_nothing_unasked() -> None:
    """Processors recompute nothing by default, because their memory is the host's."""
    box = machine(accelerator=None, count=0, vcpus=16, memory_gib=256)
    known = training.prepare(job_of(Query(FLUX)), Clusters(box, np.ones(1)))
    assert 0 == known.placed.laid.recomputed[0]
