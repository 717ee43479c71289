"""Decode and prefill on processors (serving study, section 7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.coefficients import SERVING as FIT
from plimsoll_service.engine.estimate.machines import VECTOR_CLASSES, Machines
from plimsoll_service.engine.estimate.serving_model import Served, windowed
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.units import GB

# Processors (section 7): one core's GFLOP/s, decoding and prefilling under vLLM, by vector class.
CPU_DECODE = {
    "none": 9.0,
    "avx2": 24.0,
    "avx512f": 23.0,
    "avx512_vnni": 9.0,
    "avx512_bf16": 35.0,
    "amx": 19.0,
    "sve2": 10.0,
}
CPU_PREFILL = {
    "none": 37.0,
    "avx2": 40.0,
    "avx512f": 46.0,
    "avx512_vnni": 37.0,
    "avx512_bf16": 156.0,
    "amx": 769.0,
    "sve2": 129.0,
}
CPU_NORM = 0.81
CPU_BANDWIDTH, CPU_KV_BANDWIDTH = 1.06, 0.62
CPU_GZIP_MB_S, CPU_HOST_EXPONENT = 28.0, 1.7
CPU_LAYER_S, CPU_LAYER_CORE_S, CPU_STEP_S, CPU_SEQUENCE_S = 23e-6, 0.69e-6, 12e-3, 0.98e-3
CPU_PREFILL_BATCH, CPU_INTERFERENCE, CPU_FIRST_TOKEN_S = 0.58, 1.8, 32e-3
# What memory of several sockets loses per doubling of them (exponents of e), and the slower barrier between them.
CPU_SOCKETS_READING, CPU_SOCKETS_PREFILL, CPU_SOCKETS_BARRIER = 0.74, 0.42, 1.7
CPU_FP16_DECODE, CPU_FP16_PREFILL = 0.29, 0.45  # processors convert fp16 to compute with it


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
    context = windowed(model.dims, model.input_tokens + model.output_tokens / 2)
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
