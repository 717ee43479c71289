"""Seconds of one micro-batch of language-model training (training study, section 4).

Kaplan et al. 2020 (6·N FLOPs a token), Narayanan et al. 2021 (attention), Dao 2023 (FlashAttention-2).
"""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.coefficients import SCALING
from plimsoll_service.engine.coefficients import TOKEN_TRAINING as FIT
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import bottleneck
from plimsoll_service.engine.estimate.precision import Arithmetic
from plimsoll_service.engine.estimate.token_layout import Layout, sequence_length
from plimsoll_service.engine.estimate.token_memory import (
    Trained,
    active_feed_forward,
    expert_parameters,
)
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.models.profile import Transformer
from plimsoll_service.engine.models.shape import active_parameters_of
from plimsoll_service.engine.units import BITS_PER_BYTE

# Watts per 16-bit TFLOP/s of each generation's flagship; parts with less are held back (study, section 4).
FLAGSHIP_W_PER_TFLOPS = {True: 1.28, False: 0.708}  # before Hopper, and from it on
POWER_FLOOR_TFLOPS = 250.0
FULL_LAUNCHES, ADAPTER_LAUNCHES = 0.8, 1.6
COMPILED_LAUNCHES, RECOMPUTED_LAUNCHES = 0.45, 1.33
FORWARD_AND_BACKWARD = 3.5  # attention: backward is 2.5 × forward
ELEMENTWISE_PASSES = 2.6
LOSS_BYTES = 14.0
OPTIMIZER_TRAFFIC = 22.0  # bytes a trained parameter and step
DEQUANTISE_TRAFFIC = 2.5  # bytes a parameter and pass
HALF_BYTES = 2.0
EXPERT_TRAFFIC = 7.0  # bytes a token, expert and hidden element that travel to experts on other devices and back


def micro_batch_seconds(
    job: Job, dims: Transformer, what: Trained, machines: Machines, numbers: Arithmetic, layout: Layout,
    tokens: Floats, devices: Floats, devices_inside: Floats,
) -> tuple[Floats, Ints]:  # fmt: skip
    """Seconds of one micro-batch on every device of a run, and what limits it."""
    work = _work(job, dims, what, machines, numbers, layout, tokens)
    launch = _launch(job, dims, layout)
    body = (work**4 + launch**4) ** 0.25 / job.software_factor
    bus = _bus(machines, devices, devices_inside)
    exchange = _exchange(job, dims, what, layout, devices) / bus
    exposed = FIT.overlap * exchange + (1 - FIT.overlap) * np.maximum(0.0, exchange - FIT.hidden_share * body)
    exposed = exposed + _to_experts(dims, layout, tokens) / bus
    bandwidth = machines.bandwidth_gb_s * 1e9
    once = layout.shards * _micro_batches(job, layout, devices)
    optimizer = OPTIMIZER_TRAFFIC * what.trainable / once / (FIT.gemm_bandwidth * bandwidth)
    unpack = DEQUANTISE_TRAFFIC * what.parameters * (2 + layout.recomputes) / (FIT.dequantise * bandwidth)
    seconds = body + exposed + optimizer + (unpack if what.quantised else 0.0)
    between = devices > devices_inside
    link = np.where(between, bottleneck("network"), bottleneck("interconnect"))
    limit = np.where(launch > work, bottleneck("launch_latency"), bottleneck("accelerator_compute"))
    return seconds, np.where(exposed > body, link, limit).astype(np.int32)


def _work(
    job: Job, dims: Transformer, what: Trained, machines: Machines, numbers: Arithmetic, layout: Layout, tokens: Floats
) -> Floats:
    """Matrix products, attention and element-wise kernels of one micro-batch, in seconds."""
    passes = (2.0 if what.adapters else 3.0) + layout.recomputes
    bandwidth = machines.bandwidth_gb_s * 1e9
    share = gemm_share(job, machines, numbers)
    rate = numbers.peak * share
    h, f, vocabulary = float(dims.hidden_size), active_feed_forward(dims), float(dims.vocabulary)
    active = active_parameters_of(dims) - float(dims.vocabulary * dims.hidden_size) * (1 if dims.tied_embeddings else 2)
    routed = _routed(dims)

    def gemm(parameters: float, n1: float, n2: float, rows: Floats, speed: Floats, times: Floats) -> Floats:
        intensity = 1 / (1 / n1 + 1 / n2 + 1 / rows)
        operations = 2 * tokens * parameters * times
        return operations * (1 / speed + 1 / (FIT.gemm_bandwidth * bandwidth * intensity))

    seconds = gemm(active - routed, h, f, tokens, rate, passes)
    seconds = seconds + gemm(h * vocabulary, h, vocabulary, tokens, rate, passes - layout.recomputes)
    if dims.moe is not None:
        rows = np.maximum(tokens * dims.moe.active * _expert_degree(dims, layout) / dims.moe.experts, 1.0)
        seconds = seconds + gemm(routed, h, float(dims.moe.feed_forward), rows, rate * FIT.experts, passes)
    seconds = seconds * (job.profile.stated_work if job.profile is not None else 1.0)
    return (
        seconds
        + _attention(job, dims, machines, numbers, layout, tokens, share)
        + _elementwise(job, dims, numbers, bandwidth, layout, tokens, f)
    )


def _routed(dims: Transformer) -> float:
    """Active parameters of the routed experts of all layers."""
    return 0.0 if dims.moe is None else expert_parameters(dims) * dims.moe.active / dims.moe.experts


def _expert_degree(dims: Transformer, layout: Layout) -> Floats:
    """Devices that share the experts of a layer, where the states are sharded: each expert lies on one."""
    return np.minimum(layout.shards, float(dims.moe.experts)) if dims.moe is not None else np.ones_like(layout.shards)


def _to_experts(dims: Transformer, layout: Layout, tokens: Floats) -> Floats:
    """Bytes that a device sends its tokens' states to experts elsewhere, all passes and layers together."""
    if dims.moe is None:
        return np.zeros_like(tokens)
    elsewhere = 1 - 1 / _expert_degree(dims, layout)
    moved: Floats = EXPERT_TRAFFIC * tokens * dims.moe.active * dims.hidden_size * dims.moe.moe_layers * elsewhere
    return moved


def gemm_share(job: Job, machines: Machines, numbers: Arithmetic) -> Floats:
    """Share of the peak that matrix products reach."""
    tflops = numbers.peak / 1e12
    half = np.fmax(machines.peak("fp16"), machines.peak("bf16"))
    reference = np.where(np.isnan(half), tflops, half)
    share = FIT.gemm * (reference / FIT.reference_tflops) ** -FIT.peak_exponent
    eight = numbers.element_bytes < 2
    share = np.where(eight, share * np.maximum(tflops / reference, 1.0) ** -FIT.peak8_exponent, share)
    flagship = np.where(machines.before_hopper, FLAGSHIP_W_PER_TFLOPS[True], FLAGSHIP_W_PER_TFLOPS[False])
    limited = np.minimum(1.0, machines.power_w / reference / flagship) ** FIT.power_exponent
    share = np.where((reference > POWER_FLOOR_TFLOPS) & ~np.isnan(limited) & machines.nvidia, share * limited, share)
    share = np.where(machines.compiled_chip(), share * FIT.neuron, share)  # the one measured of them stands for all
    bounded: Floats = np.minimum(share, 1.0) * (1.0 if job.tuned else FIT.stock)
    return bounded


def _attention(
    job: Job, dims: Transformer, machines: Machines, numbers: Arithmetic, layout: Layout, tokens: Floats, share: Floats
) -> Floats:
    """Causal attention: half of the score matrix; a window bounds it in its share of the layers."""
    length = sequence_length(job)
    window = min(length, 2.0 * dims.sliding_window) if dims.sliding_window else length
    seen = (1 - dims.sliding_share) * length + dims.sliding_share * window
    q = float(dims.heads * dims.head_size)
    if dims.latent is not None:
        q = dims.heads * (dims.latent.query_key_size + dims.latent.value_size) / 2
    operations = 2 * seen * q * dims.layers * dims.attention_share * tokens * (FORWARD_AND_BACKWARD + layout.recomputes)
    half = np.fmin(np.fmax(machines.peak("fp16"), machines.peak("bf16")) * 1e12, numbers.peak)  # scores stay in 16 bits
    tflops = half / 1e12
    stock = (
        1.0
        if job.tuned
        else (np.maximum(tflops, 1.0) / FIT.reference_tflops) ** -(FIT.attention_peak_exponent - FIT.peak_exponent)
    )
    seconds: Floats = operations / (half * FIT.attention * share / FIT.gemm * np.minimum(stock, 1 / FIT.attention))
    return seconds


def _elementwise(
    job: Job, dims: Transformer, numbers: Arithmetic, bandwidth: Floats, layout: Layout, tokens: Floats, f: float
) -> Floats:
    """Norms, activations, rotations, casts to 8 bits and the loss: bytes over bandwidth."""
    width, inner = (14.0, 1.0) if job.tuned else (24.0, 1.5)
    moved = 2 * (width * dims.hidden_size + (6 if dims.gated else 4) * inner * f)
    casts = np.where(numbers.element_bytes < HALF_BYTES, 2 * (2 * dims.hidden_size + 1.5 * f), 0.0)
    layers = FIT.elementwise * tokens * dims.layers * (ELEMENTWISE_PASSES + layout.recomputes) * (moved + casts)
    seconds: Floats = (layers + LOSS_BYTES * tokens * dims.vocabulary) / bandwidth
    return seconds


def _launch(job: Job, dims: Transformer, layout: Layout) -> Floats:
    """The floor that launching a layer's kernels from Python sets."""
    per_layer = FIT.layer_launch_s * (ADAPTER_LAUNCHES if job.method != "full" else FULL_LAUNCHES)
    per_layer *= COMPILED_LAUNCHES if job.tuned else 1.0
    per_layer *= FIT.moe_launch if dims.moe is not None else 1.0
    return per_layer * dims.layers * np.where(layout.recomputes > 0, RECOMPUTED_LAUNCHES, 1.0)


def _bus(machines: Machines, devices: Floats, devices_inside: Floats) -> Floats:
    """Bytes a second of the slowest link that the devices of a run exchange over."""
    pcie = machines.pcie_gb_s * SCALING.pcie / np.maximum(devices_inside / 2, 1.0) ** SCALING.pcie_contention
    inside = np.where(machines.link_gb_s > 0, machines.link_gb_s * FIT.nvlink_share, pcie)
    between = machines.network_gbps / BITS_PER_BYTE * FIT.network_share
    bus: Floats = np.where(devices > devices_inside, np.fmin(inside, between), inside) * 1e9
    return bus


def _exchange(job: Job, dims: Transformer, what: Trained, layout: Layout, devices: Floats) -> Floats:
    """Bytes of gradients (and of gathered weights, where sharded; experts stay where they lie) a micro-batch."""
    dense = 1 - expert_parameters(dims) / what.parameters
    gathers = (2 * 2.0 * what.parameters + 4.0 * what.trainable) * dense  # 16 bits forward and backward, fp32 gradients
    moved = np.where(layout.shards > 1, gathers, 8.0 * what.trainable) * (devices - 1) / np.maximum(devices, 1.0)
    return np.where(devices > 1, moved / np.where(layout.shards > 1, 1.0, _micro_batches(job, layout, devices)), 0.0)


def _micro_batches(job: Job, layout: Layout, devices: Floats) -> Floats:
    """Micro-batches of a step on each device: what is done once a step is shared among them."""
    accumulated = job.workload.global_batch_size
    return np.maximum(1.0, accumulated / (layout.sequences * devices)) if accumulated else np.ones_like(devices)
