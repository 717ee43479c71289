"""Decode and prefill of one replica, on accelerators and on processors (serving study, sections 3 and 7).

Transformer inference arithmetic: Pope et al. 2022; chunked prefill: Agrawal et al. 2024; paged cache: Kwon et al. 2023.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...coefficients import TOKEN_TRAINING
from ...columns import changed
from ...demand.served_model import HALF_BYTES, LLAMA_CPP, PYTORCH, VLLM, Lengths, Served, windowed
from ...hardware import Flags, Floats, Places
from ...machines import VECTOR_CLASSES, Machines
from ...serving_coefficients import (
    COPY_PASSES,
    INTERPRETED_EXPERT_S,
    INTERPRETED_LAYER_S,
    LONE_LAUNCHES,
    LOOP_S,
    LOOPED_EXPERT_S,
    QUANTISED_ON_TURING,
    REPACKED,
    TURING,
    UNPACKED_PRODUCTS,
    WARP_PRODUCTS,
    VectorRates,
)
from ...units import GB, GIGA, TERA

SHARPNESS = 6.0  # how sharply the larger of two terms takes over: without a corner, which no fit could settle on


def half_peak(machines: Machines) -> Floats:
    """FLOP/s of one device in 16 bits, in fp32 where it has none."""
    half = np.fmax(machines.peak("bf16"), machines.peak("fp16"))
    return np.where(np.isnan(half), machines.peak("fp32"), half) * TERA


def product_peak(model: Served, machines: Machines, half_falls_back: bool) -> Floats:
    """FLOP/s of one device; formats of weights alone, and 8 bits where a device lacks them, use the 16-bit rate."""
    half, precision = half_peak(machines), model.precision
    if model.weight_only:
        return half * np.where(machines.tensor_memory(), WARP_PRODUCTS, 1.0) if model.packed else half
    native = machines.peak("fp16" if precision == "mixed" else precision) * TERA
    if precision in ("fp32", "tf32", "fp64"):
        return np.where(np.isnan(native), machines.peak("fp32") * TERA, native)
    if precision == "int8":
        return np.fmax(native, half)
    if precision in ("fp8", "fp4"):
        return np.where(np.isnan(native), half, native)
    if precision == "bf16" and not half_falls_back:
        return np.where(np.isnan(native), machines.peak("fp32") * TERA, half)
    return half


def compute_rate(model: Served, machines: Machines, peak: Floats) -> Floats:
    """FLOP/s of the products on one device: less of a peak that outgrows the chip's power is realised."""
    fit = model.fit.device
    half = half_peak(machines)
    ratio = np.maximum(fit.power_floor, half / TERA / machines.power_w) / fit.power_reference
    power = np.where(np.isnan(ratio), 1.0, ratio) ** -fit.power_exponent
    if model.engine_name == LLAMA_CPP and model.weight_only:
        byte = machines.peak("int8")
        byte = np.where(np.isnan(byte), half / TERA, byte)
        reference = fit.quantised_reference ** (1 - fit.quantised_exponent)
        quantised: Floats = fit.compute_quantised * byte**fit.quantised_exponent * reference * TERA * power
        return np.where(machines.generation == TURING, QUANTISED_ON_TURING, 1.0) * quantised
    share = _share(model, machines) * power
    return share / (1 + share**SHARPNESS) ** (1 / SHARPNESS) * peak


def _share(model: Served, machines: Machines) -> Floats:
    """Share of the peak that is reached: another where a kernel widens the weights, or they were widened before it."""
    fit = model.fit.device
    if model.dequantised:
        return np.full(len(machines), fit.compute16)
    native = {"fp4": fit.compute4, "fp8": fit.compute8, "int8": fit.compute8}.get(model.precision, fit.compute16)
    at_par = machines.warp_products & (model.packed or model.precision == "fp8")
    widened = np.where(at_par, UNPACKED_PRODUCTS * fit.compute16, fit.compute_weight_only)
    return np.where(model.widened(machines), widened, native)


BITS, NETWORK_SHARE = 8.0, TOKEN_TRAINING.network_share  # of a network's rate, as in training over machines
MACHINE_DEVICES = 8.0  # a mixture of experts over more runs its attention data-parallel (study, section 3)
BRIDGED, BRIDGE = ("-PCIe", "-NVL"), 2.0  # cards whose NVLink, where there is one, is a bridge between so many


@dataclass(frozen=True, eq=False)
class Replica:
    """One replica on each machine: the devices that work at once, those that hold it, and their rates together."""

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
    hops: float  # from one machine to the next, on the way through all layers
    network: Floats  # B/s, machine to machine

    def take(self, rows: Places) -> Replica:
        """Some of them."""
        columns = {name: column.take(rows) for name, column in vars(self).items() if isinstance(column, np.ndarray)}
        return changed(self, machines=self.machines.take(rows), **columns)


def replica(
    model: Served, machines: Machines, degree: Floats, half_falls_back: bool = False, stages: float = 1.0,
    span: float = 1.0, wide: bool = False,
) -> Replica:  # fmt: skip
    """The rates of a replica from the devices' datasheets and the fitted shares; ``wide``: attention data-parallel."""
    fit, host = model.fit.device, model.fit.host
    split = model.in_turn
    n = np.ones_like(degree) if split else degree
    half = half_peak(machines)
    linked = _linked(machines, n)
    bus = np.where(linked, fit.link_share * machines.link_gb_s, np.fmin(host.pcie_gb_s, machines.pcie_gb_s)) * GB
    peak = product_peak(model, machines, half_falls_back)
    attention = fit.attention * (fit.attention_llama_cpp if model.layer_split else 1.0)
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
        wide=np.where(n > 1 if wide else (n > MACHINE_DEVICES) & (model.dims.moe is not None), 1.0, 0.0),
        hops=span - 1,
        network=machines.network_gbps * GB / BITS * NETWORK_SHARE,
    )


def _linked(machines: Machines, n: Floats) -> Flags:
    """Where a link joins all devices that work together: bridges between cards join two."""
    bridged = np.array([name.endswith(BRIDGED) for name in machines.accelerator_name], dtype=bool)
    return (machines.link_gb_s > 0) & ~(bridged & (n > BRIDGE))


def _bandwidth_share(model: Served, machines: Machines) -> Floats:
    """Share of the bandwidth: llama.cpp, to whose rows GDDR's is fitted, falls behind other engines with HBM alone."""
    fit = model.fit.device
    gddr, hbm = min(fit.bandwidth_gddr, fit.bandwidth_cap), fit.bandwidth_hbm
    if model.layer_split:
        gddr, hbm = fit.bandwidth_gddr, fit.bandwidth_hbm * fit.bandwidth_llama_cpp
    share = np.where(machines.gddr, gddr, hbm)
    return np.minimum(np.where(machines.neuron, fit.bandwidth_neuron, share), 1.0)


def touched_experts(model: Served, tokens: Lengths) -> Floats | float:
    """Parameters of the distinct experts that so many tokens are sent to."""
    moe = model.dims.moe
    if moe is None:
        return 0.0
    return model.experts * (1 - (1 - moe.active / moe.experts) ** (tokens**moe.spread))


@dataclass(frozen=True, eq=False)
class Step:
    """Seconds of the parts of a decode step; weights and products overlap."""

    weights: Floats
    cache: Floats
    products: Floats  # and scores
    unpacking: Floats | float
    host: Floats  # the engine's own for each request
    passed: Floats  # from device to device
    fixed: Floats  # whatever the batch


def decode_step(model: Served, on: Replica, running: Floats, positions: float = 1.0) -> Step:
    """The parts of one decode step of so many positions of each running request; stages run an equal part each."""
    batch = np.maximum(running / on.stages, 1.0)
    tokens = batch * positions
    experts = touched_experts(model, tokens)
    copies = np.where(on.wide > 0, on.n, 1.0)
    context = _seen_context(model)
    kept = np.where(on.wide > 0, 1.0, model.kv_copies(on.n))
    return Step(
        weights=(model.dense_weights * copies + experts * model.expert_bytes / model.expert_share) / on.read
        + _gathering(model, on, tokens),
        cache=batch * context * model.kv_bytes * kept * _cache_traffic(model, on, batch) / on.read,
        products=2 * model.active * tokens / on.compute + tokens * context * model.decode_attention / on.attention,
        unpacking=_unpacking(model, on, running * positions),
        host=batch * (model.engine.host_s + model.written_s) * host_factor(model, on.machines),
        passed=_allreduce(model, on, tokens) + _handed_on(model, on, tokens),
        fixed=fixed_seconds(model, on) * _lone_launches(model, on, tokens) + _looping(model, on, tokens),
    )


def chosen_experts(model: Served) -> float:
    """Parameters of the experts that a token is sent to."""
    moe = model.dims.moe
    return 0.0 if moe is None else model.experts * moe.active / moe.experts


def _gathering(model: Served, on: Replica, tokens: Lengths) -> Floats | float:
    """Seconds to write and read copies of the experts of each token."""
    if not model.gathered:
        return 0.0
    copied = COPY_PASSES * tokens * chosen_experts(model) * model.expert_bytes / on.read
    return np.where(on.machines.compiled_chip, 0.0, copied)


def _looping(model: Served, on: Replica, tokens: Lengths) -> Floats | float:
    """Seconds to launch the experts that a step hits one after another."""
    moe = model.dims.moe
    if moe is None or not model.looped:
        return 0.0
    each = LOOP_S + LOOPED_EXPERT_S * _hit_experts(model, tokens)
    return np.where(on.machines.compiled_chip, 0.0, moe.moe_layers * each)


def _hit_experts(model: Served, tokens: Lengths) -> Floats | float:
    """Experts of a layer that a step of so many tokens hits."""
    moe = model.dims.moe
    return 0.0 if moe is None else moe.experts * touched_experts(model, tokens) / model.experts


def _cache_traffic(model: Served, on: Replica, batch: Floats) -> Floats:
    """Bytes that pass for each of the cache, as reads at the rate of weights; attention reads at a share of it.

    ``generate`` reads and writes the cache as it grows. Of a batch it is then written out for each head of queries, and
    attention reads that copy, which has no pages. Chips with a compiler of their own have a cache of fixed size.
    """
    kv = model.fit.device.kv
    read = 1 / (kv * np.where(on.machines.before_hopper, model.fit.host.kv_before_hopper, 1.0))
    if not model.recopied:
        return read
    spread = np.where(batch > 1, model.head_groups, 1.0)
    grown = 2.0 + spread / kv + np.where(spread > 1, 1 + spread, 0.0)
    return np.where(on.machines.compiled_chip, read, grown)


def _seen_context(model: Served) -> Lengths:
    """Tokens that a step looks at, in the mean of an answer."""
    return windowed(model.dims, model.input_tokens + model.output_tokens / 2) + model.image_context


def _lone_launches(model: Served, on: Replica, tokens: Floats) -> Floats | float:
    """Fixed time of a step over the fitted one: llama.cpp of today launches one token's kernels on NVIDIA in less."""
    if not (model.layer_split and model.today):
        return 1.0
    return np.where(on.machines.nvidia & (tokens <= 1), LONE_LAUNCHES, 1.0)


def decode_seconds(model: Served, on: Replica, running: Floats, positions: float = 1.0) -> Floats:
    """One decode step of so many positions of each running request."""
    fit, parts = model.fit.device, decode_step(model, on, running, positions)
    overlapped = (parts.weights**fit.norm + parts.products**fit.norm) ** (1 / fit.norm) + parts.unpacking
    busy = overlapped + parts.cache + parts.passed
    step = parts.host + busy + parts.fixed
    if model.engine_name == PYTORCH:  # launches kernels while earlier ones run: the longer of both is waited for
        step = parts.host + (busy**SHARPNESS + parts.fixed**SHARPNESS) ** (1 / SHARPNESS)
    if model.in_turn:
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
    layer = np.full_like(on.n, engine.layer * (engine.unpacking_layer if model.dequantised else 1.0))
    if model.engine_name == PYTORCH:  # a chip with a compiler of its own is handed whole graphs
        layer = np.where(on.machines.compiled_chip, model.fit.engine(VLLM).layer, layer)
    seconds = model.dims.layers * fit.layer_s * layer
    if moe is not None and not model.layer_split:
        seconds = seconds + moe.moe_layers * fit.moe_layer_s * layer**0.5
    return seconds + fit.step_s * engine.step if step else seconds


def host_factor(model: Served, machines: Machines) -> Floats:
    """How much slower than the reference the host's single thread is."""
    fit = model.fit.host
    ratio = np.where(np.isnan(machines.gzip_mb_s), 1.0, fit.reference_mb_s / machines.gzip_mb_s)
    return ratio**fit.exponent


def _allreduce(model: Served, on: Replica, tokens: Floats) -> Floats:
    """Two all-reduces a layer among the devices of a replica."""
    fit = model.fit.device
    latency = np.where(on.linked, fit.allreduce_nvlink_s, model.fit.host.allreduce_pcie_s)
    latency = np.where(on.machines.neuron, fit.allreduce_neuron_s, latency) * np.log2(np.maximum(on.n, 1.0))
    return np.where(on.n > 1, 2 * model.dims.layers * latency, 0.0) + _payload(model, on, tokens)


def _payload(model: Served, on: Replica, tokens: Floats | float) -> Floats:
    """Seconds to exchange the layers' outputs, in fp32, around a ring.

    Data-parallel attention sends tokens to the experts and back, once a layer: by default all devices gather all tokens
    (docs.vllm.ai, Expert Parallel Deployment, v0.12.0; docs.sglang.io, Expert Parallelism, 2026). That is half of the
    bytes, and takes as long, since all wait for the device with the most tokens: with half of it, SGLang would serve
    1.36 times the published 978 tokens/s of DeepSeek-V3.2 (4,000 tokens in and 200 out, 8 H200, --dp-size 8; gpustack,
    docs/performance-lab/deepseek-v3.2/h200.md, 2025-12).
    """
    each = 2 * model.dims.layers * tokens * model.dims.hidden_size * 4.0
    moved = each * (on.n - 1) / (np.maximum(on.n, 1.0) * on.bus)
    return np.where(on.n > 1, moved, 0.0)


def _handed_on(model: Served, on: Replica, tokens: Lengths) -> Lengths:
    """Seconds to hand a layer's output from machine to machine, in 16 bits; a message starts as over the bus."""
    if not on.hops:
        return 0.0
    return on.hops * (model.fit.host.allreduce_pcie_s + tokens * model.dims.hidden_size * HALF_BYTES / on.network)


def marginal_prefill_seconds(model: Served, on: Replica) -> Floats:
    """Seconds that the prompt of one more request adds to running steps: no weights, no launches."""
    return computing_seconds(model, on) + passed_seconds(model, on)


def passed_seconds(model: Served, on: Replica) -> Floats:
    """Seconds in which the outputs of a prompt pass from device to device beside running steps."""
    return _payload(model, on, model.prompt) + _handed_on(model, on, model.prompt)


def computing_seconds(model: Served, on: Replica) -> Floats:
    """Seconds of products and scores of a prompt, at the share of the peak that prompts reach."""
    return prompt_products(model) / on.compute + prompt_scores(model) / on.attention


def prompt_products(model: Served) -> Lengths:
    """FLOPs of the products of a prompt with its images."""
    return 2 * (model.active + model.seen) * model.prompt + model.image_flops


def prompt_scores(model: Served) -> Lengths:
    """FLOPs of the attention of a prompt, and of what it looks at beside it."""
    return _scored(model) * model.prefill_attention + model.prompt * model.image_context * model.decode_attention


def _on_one_device(model: Served, on: Replica) -> Floats:
    """Seconds that a lone prompt takes longer where its attention is one device's work."""
    each = 2 * model.dense * model.prompt / on.compute + _scored(model) * model.prefill_attention / on.attention
    return np.where(on.wide > 0, on.n - 1, 0.0) * each


def _scored(model: Served) -> Lengths:
    """Pairs of a prompt's tokens that attention compares; a computed one also looks at those that are cached."""
    tokens = model.input_tokens
    return tokens * (windowed(model.dims, tokens) / 2) * (1 - model.cached**2)


def prefill_seconds(model: Served, on: Replica, prompts: Floats | float = 1.0) -> Floats:
    """Seconds until so many prompts that arrive together are read, where nothing else runs."""
    fit = model.fit.device
    size = fit.prefill_chunk_llama_cpp if model.layer_split else fit.prefill_chunk
    tokens = prompts * model.prompt
    # Eager PyTorch reads the prompts of a batch in one pass.
    chunks = np.ones_like(tokens) if model.engine_name == PYTORCH else np.ceil(tokens / size)
    weights = (model.dense_weights + touched_experts(model, tokens) * model.expert_bytes) / on.read
    compute = prompts * (marginal_prefill_seconds(model, on) + _on_one_device(model, on))
    launches = fit.prefill_launches * fixed_seconds(model, on, step=False)
    latency = _allreduce(model, on, np.zeros_like(on.n))
    both: Floats = (compute**fit.norm + weights**fit.norm) ** (1 / fit.norm)
    routed = 0.0 if model.dims.moe is None else model.engine.moe_prefill_s * model.dims.moe.moe_layers
    return both + fit.prefill_s + routed + chunks * (launches + latency) + _unpacking(model, on, tokens)


@dataclass(frozen=True, eq=False)
class CpuReplica:
    """Processors as one server: FLOP/s of all cores decoding and prefilling, B/s, latencies."""

    decode: Floats
    prefill: Floats
    read: Floats
    slowness: Floats  # of the host's scalar code
    launches: Floats  # seconds to run all layers, whatever the batch


def cpu_replica(model: Served, machines: Machines) -> CpuReplica:
    """The rates of each machine from its vector class, cores, clock and sockets."""
    fit, split = model.fit.cpu, model.layer_split
    speed = np.where(np.isnan(machines.gzip_mb_s), 1.0, machines.gzip_mb_s / fit.reference_mb_s)
    decode = _by_class(model.fit.decode_llama_cpp if split else model.fit.decode, machines) * speed * GIGA
    prefill = _by_class(model.fit.prefill_llama_cpp if split else model.fit.prefill, machines) * speed * GIGA
    if model.repacked:
        prefill = prefill * _by_class(REPACKED, machines)
    half = model.precision == "fp16" and not split
    doublings = np.log2(machines.sockets)
    barrier = np.where(machines.sockets > 1, fit.sockets_barrier, 1.0)
    layer, a_core = (fit.layer_llama_cpp_s, fit.layer_core_llama_cpp_s) if split else (fit.layer_s, fit.layer_core_s)
    slowness = speed**-fit.host_exponent
    share = fit.bandwidth_llama_cpp if split else fit.bandwidth
    slower = (fit.fp16_prefill if half else 1.0) * (fit.undivided_prefill if model.undivided else 1.0)
    return CpuReplica(
        decode=machines.cores**fit.decode_cores * decode * (fit.fp16_decode if half else 1.0),
        prefill=machines.cores**fit.prefill_cores * prefill * slower * np.exp(-fit.sockets_prefill * doublings),
        read=machines.cpu_bandwidth_gb_s * GB * share * np.exp(-fit.sockets_reading * doublings),
        slowness=slowness,
        launches=model.dims.layers * (layer + a_core * machines.cores * barrier) * slowness,
    )


def _by_class(rates: VectorRates, machines: Machines) -> Floats:
    """The rate of each machine's vector class; of an unknown one the lowest."""
    known = vars(rates)
    column = np.array([known.get(name, min(known.values())) for name in VECTOR_CLASSES])
    return column[machines.vector]


def cpu_decode_seconds(model: Served, on: CpuReplica, batch: Floats, positions: float = 1.0) -> Floats:
    """One decode step: weights and cache read, products computed, layers and sequences handled one after another."""
    fit = model.fit.cpu
    others = 2 * model.active * np.maximum(batch * positions - 1, 0.0) / (on.prefill * fit.prefill_batch)
    context = _seen_context(model)
    cache = batch * context * model.kv_bytes / (fit.bandwidth_kv * on.read)
    each = fit.sequence_s + fit.word_s * model.dims.vocabulary
    host = 0.0 if model.layer_split else (fit.step_s + batch * each) * on.slowness
    own = 2 * model.active / on.decode
    launches = on.launches + _interpreted(model, batch * positions) * on.slowness
    return _reading(model, on, batch * positions) + own + others + cache + launches + host


def _interpreted(model: Served, tokens: Lengths) -> Floats | float:
    """Seconds that a reference core takes for the layers and experts of stock scripts beside their work."""
    moe = model.dims.moe
    experts = 0.0 if moe is None else moe.moe_layers * INTERPRETED_EXPERT_S * _hit_experts(model, tokens)
    return (model.dims.layers * INTERPRETED_LAYER_S + experts) * model.recopied


def _reading(model: Served, on: CpuReplica, tokens: Floats) -> Floats:
    """Weights that a step reads from memory: of a mixture the experts that its tokens are sent to."""
    return (model.dense_weights + touched_experts(model, tokens) * model.expert_bytes) / on.read


def cpu_prefill_seconds(model: Served, on: CpuReplica) -> Floats:
    """The prompt of one request, alone: each chunk reads the weights and runs the layers."""
    fit = model.fit.cpu
    size = fit.chunk_llama_cpp if model.layer_split else model.fit.device.prefill_chunk
    chunks = np.ceil(model.prompt / size)
    reading = chunks * _reading(model, on, np.minimum(model.prompt, size))
    return reading + cpu_marginal_prefill_seconds(model, on) + chunks * on.launches


def cpu_marginal_prefill_seconds(model: Served, on: CpuReplica) -> Floats:
    """Seconds that the prompt of one more request adds to running steps."""
    share = model.fit.cpu.attention if model.layer_split else 1.0
    return (prompt_products(model) + prompt_scores(model) / share) / on.prefill
