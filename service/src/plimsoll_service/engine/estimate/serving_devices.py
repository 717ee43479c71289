"""Decode and prefill of a replica on accelerators (serving study, section 3).

Transformer inference arithmetic: Pope et al. 2022; chunked prefill: Agrawal et al. 2024; paged cache: Kwon et al. 2023.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.serving_compute import compute_rate, half_peak, product_peak
from plimsoll_service.engine.estimate.serving_model import PYTORCH, VLLM, Served, kv_tokens, windowed
from plimsoll_service.engine.hardware import Flags, Floats
from plimsoll_service.engine.units import GB, GIB

MACHINE_DEVICES = 8.0  # a mixture of experts over more runs its attention data-parallel (study, section 3: wide EP)
BRIDGED, BRIDGE = ("-PCIe", "-NVL"), 2.0  # cards whose NVLink, where there is one, is a bridge between so many


@dataclass(frozen=True, eq=False)
class Replica:
    """One replica on each machine: the devices that work at once, those that hold it, and what they do together."""

    machines: Machines
    n: Floats  # work on a step at once
    held: Floats  # share the memory
    stages: Floats  # run batches in turn
    compute: Floats  # FLOP/s of the products, all n
    attention: Floats  # FLOP/s of the scores, all n
    unpacking: Floats  # FLOP/s, all n
    read: Floats  # B/s, all n
    linked: Flags  # by NVLink
    bus: Floats  # B/s, device to device
    wide: Floats  # 1 where attention is data-parallel


def replica(
    model: Served, machines: Machines, degree: Floats, half_falls_back: bool = False, stages: float = 1.0
) -> Replica:
    """The rates of a replica from the devices' datasheets and the fitted shares."""
    fit, host = model.fit.device, model.fit.host
    split = model.layer_split
    n = np.ones_like(degree) if split else degree
    half = half_peak(machines)
    linked = _linked(machines, n)
    bus = np.where(linked, fit.link_share * machines.link_gb_s, np.fmin(host.pcie_gb_s, machines.pcie_gb_s)) * GB
    peak = product_peak(machines, model.precision, half_falls_back)
    attention = fit.attention * (fit.attention_llama_cpp if split else 1.0)
    return Replica(
        machines=machines,
        n=n,
        held=degree * stages,
        stages=np.full_like(n, 1.0 if split else stages),
        compute=n * compute_rate(model, machines, peak),
        attention=n * half * attention,
        unpacking=n * half,
        read=n * machines.bandwidth_gb_s * GB * _bandwidth_share(model, machines),
        linked=linked,
        bus=bus,
        wide=np.where((n > MACHINE_DEVICES) & (model.dims.moe is not None), 1.0, 0.0),
    )


def _linked(machines: Machines, n: Floats) -> Flags:
    """Where a link joins all devices that work together: bridges between cards join two."""
    if np.all(n <= BRIDGE):
        return machines.link_gb_s > 0
    bridged = np.array([name.endswith(BRIDGED) for name in machines.accelerator_name], dtype=bool)
    linked: Flags = (machines.link_gb_s > 0) & ~(bridged & (n > BRIDGE))
    return linked


def _bandwidth_share(model: Served, machines: Machines) -> Floats:
    fit = model.fit.device
    if model.layer_split:
        share = np.where(machines.gddr, fit.bandwidth_gddr, fit.bandwidth_hbm) * fit.bandwidth_llama_cpp
    else:
        share = np.where(machines.gddr, min(fit.bandwidth_gddr, fit.bandwidth_cap), fit.bandwidth_hbm)
    bounded: Floats = np.minimum(share, 1.0)
    return bounded


def sequences(model: Served, on: Replica) -> Floats:
    """Sequences whose KV cache fits beside the weights; below 1 the model does not fit."""
    fit = model.fit.device
    memory = fit.memory_share * on.machines.device_memory_gib * GIB * on.held
    room = memory - model.total_bytes - fit.overhead_gb * GB * on.held
    copies = np.where(on.wide > 0, 1.0, _kv_copies(model, on))
    held: Floats = fit.capacity * room / (model.kv_bytes * kv_tokens(model) * copies)
    return held


def _kv_copies(model: Served, on: Replica) -> Floats:
    """KV heads fewer than devices are kept more than once; a latent cache on every device."""
    if model.dims.latent is not None:
        return on.n
    return np.maximum(1.0, on.n / model.dims.kv_heads)


def decode_seconds(model: Served, on: Replica, running: Floats) -> Floats:
    """One decode step of the running requests; stages run an equal part of them each."""
    fit, moe = model.fit.device, model.dims.moe
    batch = np.maximum(running / on.stages, 1.0)
    experts = 0.0 if moe is None else model.experts * (1 - (1 - moe.active / moe.experts) ** batch)
    copies = np.where(on.wide > 0, on.n, 1.0)
    weights = (model.dense * model.dense_bytes * copies + experts * model.expert_bytes / fit.experts) / on.read
    context = windowed(model.dims, model.input_tokens + model.output_tokens / 2)
    kv_share = fit.kv * np.where(on.machines.before_hopper, model.fit.host.kv_before_hopper, 1.0)
    kept = np.where(on.wide > 0, 1.0, _kv_copies(model, on))
    cache = batch * context * model.kv_bytes * kept / (on.read * kv_share)
    compute = 2 * model.active * batch / on.compute + batch * context * model.decode_attention / on.attention
    overlapped = (weights**fit.norm + compute**fit.norm) ** (1 / fit.norm) + _unpacking(model, on, running)
    host = batch * model.engine.host_s * host_factor(model, on.machines)
    step = overlapped + cache + fixed_seconds(model, on) + _allreduce(model, on, batch) + host
    if model.layer_split:
        step = step * (1 + model.fit.host.layer_split * np.log2(np.maximum(on.held, 1.0)))
    return step


def _unpacking(model: Served, on: Replica, batch: Floats | float) -> Floats | float:
    """4-bit weights made 16-bit before the products: arithmetic always, memory traffic as the batch grows."""
    if not model.dequantised:
        return 0.0
    host = model.fit.host
    share = np.minimum((batch - 1) / host.dequantised_batch, 1.0)
    return model.dense * (host.dequantise_flop / on.unpacking + share * host.dequantised_bytes / on.read)


def fixed_seconds(model: Served, on: Replica, step: bool = True) -> Floats:
    """Seconds a step whatever its batch: the engine's own (``step``), and launching each layer."""
    fit, engine, moe = model.fit.device, model.engine, model.dims.moe
    layer = np.full_like(on.n, engine.layer)
    if model.engine_name == PYTORCH:  # a chip with a compiler of its own is handed whole graphs
        layer = np.where(on.machines.compiled_chip(), model.fit.engine(VLLM).layer, layer)
    seconds = model.dims.layers * fit.layer_s * layer
    if moe is not None and not model.layer_split:
        seconds = seconds + moe.moe_layers * fit.moe_layer_s * layer**0.5
    return seconds + fit.step_s * engine.step if step else seconds


def host_factor(model: Served, machines: Machines) -> Floats:
    """How much slower than the reference the host's single thread is."""
    fit = model.fit.host
    ratio = np.where(np.isnan(machines.gzip_mb_s), 1.0, fit.reference_mb_s / machines.gzip_mb_s)
    factor: Floats = ratio**fit.exponent
    return factor


def _allreduce(model: Served, on: Replica, tokens: Floats) -> Floats:
    """Two all-reduces a layer among the devices of a replica."""
    fit = model.fit.device
    latency = np.where(on.linked, fit.allreduce_nvlink_s, model.fit.host.allreduce_pcie_s)
    latency = np.where(on.machines.neuron, fit.allreduce_neuron_s, latency) * np.log2(np.maximum(on.n, 1.0))
    seconds: Floats = np.where(on.n > 1, 2 * model.dims.layers * latency, 0.0) + _payload(model, on, tokens)
    return seconds


def _payload(model: Served, on: Replica, tokens: Floats | float) -> Floats:
    """Seconds to exchange the layers' outputs, in fp32, around a ring."""
    each = 2 * model.dims.layers * tokens * model.dims.hidden_size * 4.0
    moved = each * (on.n - 1) / (np.maximum(on.n, 1.0) * on.bus)
    shared = np.where(on.wide > 0, moved / (2 * on.n), moved)
    return np.where(on.n > 1, shared, 0.0)


def marginal_prefill_seconds(model: Served, on: Replica) -> Floats:
    """What the prompt of one more request adds to running steps: no weights, no launches."""
    tokens = model.input_tokens
    products = 2 * model.active * tokens / on.compute
    scores = tokens * (windowed(model.dims, tokens) / 2) * model.prefill_attention / on.attention
    seconds: Floats = products + scores + _payload(model, on, tokens)
    return seconds


def prefill_seconds(model: Served, on: Replica, prompts: Floats | float = 1.0) -> Floats:
    """So many prompts together, beside nothing else."""
    fit = model.fit.device
    size = fit.prefill_chunk_llama_cpp if model.layer_split else fit.prefill_chunk
    chunks = np.ceil(prompts * model.input_tokens / size)
    moe, tokens = model.dims.moe, prompts * model.input_tokens
    touched = 0.0 if moe is None else model.experts * (1 - (1 - moe.active / moe.experts) ** tokens)
    weights = (model.dense * model.dense_bytes + touched * model.expert_bytes) / on.read
    compute = prompts * marginal_prefill_seconds(model, on)
    launches = fit.prefill_launches * fixed_seconds(model, on, step=False)
    latency = _allreduce(model, on, np.zeros_like(on.n))
    both: Floats = (compute**fit.norm + weights**fit.norm) ** (1 / fit.norm)
    seconds: Floats = both + fit.prefill_s + chunks * (launches + latency) + _unpacking(model, on, tokens)
    return seconds
