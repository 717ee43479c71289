"""Decode and prefill of a replica on accelerators (serving study, section 3).

Transformer inference arithmetic: Pope et al. 2022; chunked prefill: Agrawal et al. 2024; paged cache: Kwon et al. 2023.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.coefficients import SERVING as FIT
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.serving_model import Served, kv_tokens, windowed
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.units import GB, GIB


@dataclass(frozen=True, eq=False)
class Replica:
    """One replica on ``n`` devices of each machine: the rates that its steps are made of."""

    machines: Machines
    n: Floats
    peak: Floats  # FLOP/s of one device at the precision of the products
    compute_share: Floats
    half_peak: Floats
    bandwidth: Floats  # B/s of one device
    bandwidth_share: Floats
    link: Floats  # B/s, device to device; 0 on the bus


def replica(machines: Machines, n: Floats, peak: Floats, precision: str, weight_only: bool) -> Replica:
    """The rates of a replica from the devices' datasheets and the fitted shares."""
    half = np.fmax(machines.peak("bf16"), machines.peak("fp16"))
    half = np.where(np.isnan(half), machines.peak("fp32"), half) * 1e12
    four = precision == "fp4"
    share = (
        FIT.compute_weight_only
        if weight_only
        else FIT.compute4
        if four
        else FIT.compute8
        if precision == "fp8"
        else FIT.compute16
    )
    ratio = np.maximum(FIT.power_floor, half / 1e12 / machines.power_w) / FIT.power_reference
    power = np.where(np.isnan(ratio), 1.0, np.where(np.isnan(ratio), 1.0, ratio) ** -FIT.power_exponent)
    return Replica(
        machines=machines,
        n=n,
        peak=peak,
        compute_share=np.minimum(share * power, 1.0),
        half_peak=half,
        bandwidth=machines.bandwidth_gb_s * GB,
        bandwidth_share=np.where(machines.gddr, FIT.bandwidth_gddr, FIT.bandwidth_hbm),
        link=machines.link_gb_s * GB,
    )


def capacity(model: Served, on: Replica) -> Floats:
    """Sequences whose KV cache fits beside the weights; below 1 the model does not fit."""
    memory = FIT.memory_share * on.machines.device_memory_gib * GIB * on.n
    room = memory - model.total_bytes - FIT.overhead_gb * GB * on.n
    sequences: Floats = FIT.capacity * room / (model.kv_bytes * kv_tokens(model) * _kv_copies(model, on))
    return sequences


def _kv_copies(model: Served, on: Replica) -> Floats:
    """KV heads fewer than devices are kept more than once; a latent cache on every device."""
    if model.dims.latent is not None:
        return on.n
    return np.maximum(1.0, on.n / model.dims.kv_heads)


def decode_seconds(model: Served, on: Replica, batch: Floats) -> Floats:
    """One decode step of a running batch."""
    dims = model.dims
    touched = np.zeros_like(batch)
    if dims.moe is not None:
        touched = model.experts * (1 - (1 - dims.moe.active / dims.moe.experts) ** batch)
    read = on.n * on.bandwidth * on.bandwidth_share
    weights = (model.dense + touched / FIT.experts) * model.weight_bytes / read
    context = windowed(dims, model.input_tokens + model.output_tokens / 2)
    kv_share = FIT.kv * np.where(on.machines.before_hopper, FIT.kv_before_hopper, 1.0)
    cache = batch * context * model.kv_bytes * _kv_copies(model, on) / (read * kv_share)
    compute = 2 * model.active * batch / (on.n * on.peak * on.compute_share)
    compute = compute + batch * context * model.attention_flops / (on.n * on.half_peak * FIT.attention)
    overlapped = (weights**FIT.norm + compute**FIT.norm) ** (1 / FIT.norm)
    host = batch * model.engine.host_s * host_factor(on.machines)
    return overlapped + cache + _fixed(model) + _allreduce(model, on, batch) + host


def _fixed(model: Served) -> float:
    """Seconds a step whatever its batch: the engine's own, and launching each layer."""
    layers = model.dims.layers * FIT.layer_s * model.engine.layer
    moe = model.dims.moe.moe_layers * FIT.moe_layer_s * model.engine.layer**0.5 if model.dims.moe is not None else 0.0
    return FIT.step_s * model.engine.step + layers + moe


def host_factor(machines: Machines) -> Floats:
    """How much slower than the reference the host's single thread is."""
    ratio = np.where(np.isnan(machines.gzip_mb_s), 1.0, FIT.host_reference_mb_s / machines.gzip_mb_s)
    factor: Floats = ratio**FIT.host_exponent
    return factor


def _allreduce(model: Served, on: Replica, tokens: Floats) -> Floats:
    """Two all-reduces a layer among the devices of a replica."""
    linked = on.link > 0
    latency = np.where(linked, FIT.allreduce_nvlink_s, FIT.allreduce_pcie_s) * np.log2(np.maximum(on.n, 1.0))
    seconds: Floats = np.where(on.n > 1, 2 * model.dims.layers * latency, 0.0) + _payload(model, on, tokens)
    return seconds


def _payload(model: Served, on: Replica, tokens: Floats | float) -> Floats:
    bus = np.where(on.link > 0, FIT.link_share * on.link, np.fmin(FIT.pcie_gb_s, on.machines.pcie_gb_s) * GB)
    moved = 2 * model.dims.layers * tokens * model.dims.hidden_size * 4.0 * (on.n - 1) / (np.maximum(on.n, 1.0) * bus)
    return np.where(on.n > 1, moved, 0.0)


def marginal_prefill_seconds(model: Served, on: Replica) -> Floats:
    """What the prompt of one more request adds to running steps: no weights, no launches."""
    tokens = model.input_tokens
    products = 2 * model.active * tokens / (on.n * on.peak * on.compute_share)
    attention = (
        tokens * (windowed(model.dims, tokens) / 2) * model.attention_flops / (on.n * on.half_peak * FIT.attention)
    )
    return products + attention + _payload(model, on, tokens)


def prefill_seconds(model: Served, on: Replica) -> Floats:
    """The prompt of one request on its own."""
    chunks = np.ceil(model.input_tokens / FIT.prefill_chunk)
    read = on.n * on.bandwidth * on.bandwidth_share
    weights = (model.dense + model.experts) * model.weight_bytes / read
    compute = marginal_prefill_seconds(model, on)
    launches = FIT.prefill_launches * (_fixed(model) - FIT.step_s * model.engine.step)
    latency = _allreduce(model, on, np.zeros_like(on.n))
    both: Floats = (compute**FIT.norm + weights**FIT.norm) ** (1 / FIT.norm)
    seconds: Floats = both + FIT.prefill_s + chunks * (launches + latency)
    return seconds
