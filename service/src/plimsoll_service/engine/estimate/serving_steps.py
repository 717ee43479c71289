"""One step of a language-model server: decode, prefill and their memory (serving study, sections 3 and 7).

Transformer inference arithmetic: Pope et al. 2022; chunked prefill: Agrawal et al. 2024; paged KV cache: Kwon et al. 2023.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.coefficients import SERVING as FIT
from plimsoll_service.engine.coefficients import SERVING_ENGINES, EngineFit
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.machines import VECTOR_CLASSES, Machines
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.models.profile import Transformer
from plimsoll_service.engine.models.shape import active_parameters_of, decode_weights, kv_elements_per_token
from plimsoll_service.engine.units import GB, GIB

WEIGHT_BYTES = {"fp64": 8.0, "fp32": 4.0, "tf32": 4.0, "mixed": 2.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0,
                "int4": 0.53, "fp4": 0.5625}  # fmt: skip
WEIGHT_ONLY = ("int8", "int4")
# Processors (section 7): one core's GFLOP/s, decoding and prefilling under vLLM, by vector class.
CPU_DECODE = {"none": 9.0, "avx2": 24.0, "avx512f": 23.0, "avx512_vnni": 9.0, "avx512_bf16": 35.0, "amx": 19.0, "sve2": 10.0}
CPU_PREFILL = {"none": 37.0, "avx2": 40.0, "avx512f": 46.0, "avx512_vnni": 37.0, "avx512_bf16": 156.0, "amx": 769.0, "sve2": 129.0}
CPU_NORM = 0.81
CPU_BANDWIDTH, CPU_KV_BANDWIDTH = 1.06, 0.62
CPU_GZIP_MB_S, CPU_HOST_EXPONENT = 28.0, 1.7
CPU_LAYER_S, CPU_LAYER_CORE_S, CPU_STEP_S, CPU_SEQUENCE_S = 23e-6, 0.69e-6, 12e-3, 0.98e-3
CPU_PREFILL_BATCH, CPU_INTERFERENCE, CPU_FIRST_TOKEN_S = 0.58, 1.8, 32e-3
# What memory of several sockets loses per doubling of them (exponents of e), and the slower barrier between them.
CPU_SOCKETS_READING, CPU_SOCKETS_PREFILL, CPU_SOCKETS_BARRIER = 0.74, 0.42, 1.7
CPU_FP16_DECODE, CPU_FP16_PREFILL = 0.29, 0.45  # processors convert fp16 to compute with it


@dataclass(frozen=True)
class Served:
    """The served model: bytes and operations per token, and the request's lengths."""

    dims: Transformer
    weight_bytes: float
    kv_bytes: float  # per token of context
    dense: float  # parameters read every step
    experts: float  # parameters of all routed experts
    active: float
    attention_flops: float  # per token and token of context
    input_tokens: float
    output_tokens: float
    engine: EngineFit
    weight_only: bool

    @property
    def total_bytes(self) -> float:
        return (self.dense + self.experts) * self.weight_bytes + self.embedding_bytes

    @property
    def embedding_bytes(self) -> float:
        """An input table that is kept but not read every step."""
        tied = self.dims.tied_embeddings
        return 0.0 if tied else self.dims.vocabulary * self.dims.hidden_size * max(self.weight_bytes, 2.0)


def served(job: Job, dims: Transformer) -> Served:
    """The figures of a model at the asked precision and request."""
    dense, experts = decode_weights(dims)
    heads = dims.heads * dims.head_size
    attention = 4.0 * heads * dims.layers * dims.attention_share
    if dims.latent is not None:
        attention = 2.0 * dims.heads * (dims.latent.query_key_size + dims.latent.value_size) * dims.layers
    workload = job.workload
    kv_element = 1.0 if job.precision in ("fp8", "fp4") else 2.0
    return Served(
        dims=dims,
        weight_bytes=WEIGHT_BYTES[job.precision],
        kv_bytes=kv_elements_per_token(dims) * kv_element,
        dense=dense,
        experts=experts,
        active=active_parameters_of(dims) * (job.profile.stated_work if job.profile is not None else 1.0),
        attention_flops=attention,
        input_tokens=float(workload.input_tokens or 1),
        output_tokens=float(workload.output_tokens or 1),
        engine=SERVING_ENGINES.get(workload.framework or "vllm", SERVING_ENGINES["vllm"]),
        weight_only=job.precision in WEIGHT_ONLY,
    )


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
    share = FIT.compute_weight_only if weight_only else FIT.compute4 if four else FIT.compute8 if precision == "fp8" else FIT.compute16
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
    sequences: Floats = FIT.capacity * room / (model.kv_bytes * _kv_tokens(model) * _kv_copies(model, on))
    return sequences


def _kv_tokens(model: Served) -> float:
    context = model.input_tokens + 0.75 * model.output_tokens
    return _windowed(model.dims, context)


def _windowed(dims: Transformer, context: float) -> float:
    """Mean tokens that a layer keeps: a sliding window caps its share of the layers."""
    window = min(context, float(dims.sliding_window)) if dims.sliding_window else context
    return (1 - dims.sliding_share) * context + dims.sliding_share * window


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
    context = _windowed(dims, model.input_tokens + model.output_tokens / 2)
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
    return np.where(on.n > 1, 2 * model.dims.layers * latency, 0.0) + _payload(model, on, tokens)


def _payload(model: Served, on: Replica, tokens: Floats | float) -> Floats:
    bus = np.where(on.link > 0, FIT.link_share * on.link, np.fmin(FIT.pcie_gb_s, on.machines.pcie_gb_s) * GB)
    moved = 2 * model.dims.layers * tokens * model.dims.hidden_size * 4.0 * (on.n - 1) / (np.maximum(on.n, 1.0) * bus)
    return np.where(on.n > 1, moved, 0.0)


def marginal_prefill_seconds(model: Served, on: Replica) -> Floats:
    """What the prompt of one more request adds to running steps: no weights, no launches."""
    tokens = model.input_tokens
    products = 2 * model.active * tokens / (on.n * on.peak * on.compute_share)
    attention = tokens * (_windowed(model.dims, tokens) / 2) * model.attention_flops / (on.n * on.half_peak * FIT.attention)
    return products + attention + _payload(model, on, tokens)


def prefill_seconds(model: Served, on: Replica) -> Floats:
    """The prompt of one request on its own."""
    chunks = np.ceil(model.input_tokens / FIT.prefill_chunk)
    read = on.n * on.bandwidth * on.bandwidth_share
    weights = (model.dense + model.experts) * model.weight_bytes / read
    compute = marginal_prefill_seconds(model, on)
    launches = FIT.prefill_launches * (_fixed(model) - FIT.step_s * model.engine.step)
    latency = _allreduce(model, on, np.zeros_like(on.n))
    return (compute**FIT.norm + weights**FIT.norm) ** (1 / FIT.norm) + FIT.prefill_s + chunks * (launches + latency)


@dataclass(frozen=True, eq=False)
class CpuRates:
    """Processors as a server: GFLOP/s of all cores decoding and prefilling, bytes a second, host slowness."""

    decode: Floats
    prefill: Floats
    bandwidth: Floats
    slowness: Floats
    layer: Floats  # seconds to launch a layer on all cores


def cpu_rates(machines: Machines, precision: str) -> CpuRates:
    """The rates of each machine from its vector class, cores and sockets."""
    speed = np.where(np.isnan(machines.gzip_mb_s), 1.0, machines.gzip_mb_s / CPU_GZIP_MB_S)
    decode = np.array([CPU_DECODE.get(name, min(CPU_DECODE.values())) for name in VECTOR_CLASSES])[machines.vector]
    prefill = np.array([CPU_PREFILL.get(name, min(CPU_PREFILL.values())) for name in VECTOR_CLASSES])[machines.vector]
    decoding, prefilling = (CPU_FP16_DECODE, CPU_FP16_PREFILL) if precision == "fp16" else (1.0, 1.0)
    doublings = np.log2(machines.sockets)
    barrier = np.where(machines.sockets > 1, CPU_SOCKETS_BARRIER, 1.0)
    return CpuRates(
        decode=machines.cores**0.95 * decode * speed * decoding * 1e9,
        prefill=machines.cores**0.94 * prefill * speed * prefilling * np.exp(-CPU_SOCKETS_PREFILL * doublings) * 1e9,
        bandwidth=machines.cpu_bandwidth_gb_s * GB * CPU_BANDWIDTH * np.exp(-CPU_SOCKETS_READING * doublings),
        slowness=speed**-CPU_HOST_EXPONENT,
        layer=CPU_LAYER_S + CPU_LAYER_CORE_S * machines.cores * barrier,
    )


def cpu_decode_seconds(model: Served, rates: CpuRates, batch: Floats) -> Floats:
    """One decode step on processors."""
    reading = (model.dense + model.experts) * model.weight_bytes / rates.bandwidth
    computing = 2 * model.active / rates.decode + 2 * model.active * (batch - 1) / (rates.prefill * CPU_PREFILL_BATCH)
    both = (reading**CPU_NORM + computing**CPU_NORM) ** (1 / CPU_NORM)
    context = _windowed(model.dims, model.input_tokens + model.output_tokens / 2)
    cache = batch * context * model.kv_bytes / (CPU_KV_BANDWIDTH * rates.bandwidth)
    layers = model.dims.layers * rates.layer
    return both + cache + (layers + CPU_STEP_S + batch * CPU_SEQUENCE_S) * rates.slowness


def cpu_prefill_seconds(model: Served, rates: CpuRates) -> Floats:
    """The prompt of one request on processors, alone: each chunk reads the weights and launches the layers."""
    chunks = np.ceil(model.input_tokens / FIT.prefill_chunk)
    reading = chunks * (model.dense + model.experts) * model.weight_bytes / rates.bandwidth
    computing = cpu_marginal_prefill_seconds(model, rates)
    both = (reading**CPU_NORM + computing**CPU_NORM) ** (1 / CPU_NORM)
    seconds: Floats = both + chunks * model.dims.layers * rates.layer * rates.slowness
    return seconds


def cpu_marginal_prefill_seconds(model: Served, rates: CpuRates) -> Floats:
    """What the prompt of one more request adds to running steps on processors."""
    tokens = model.input_tokens
    attention = tokens * tokens / 2 * model.attention_flops
    seconds: Floats = (2 * model.active * tokens + attention) / rates.prefill
    return seconds


def kv_gib_per_sequence(model: Served) -> float:
    """KV cache of one running request."""
    return model.kv_bytes * _kv_tokens(model) / GIB


