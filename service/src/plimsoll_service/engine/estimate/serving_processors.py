"""Decode and prefill on processors, under vLLM and llama.cpp (serving study, section 7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.estimate.hardware_columns import VECTOR_CLASSES
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.serving_model import Served, windowed
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.serving_coefficients import VectorRates
from plimsoll_service.engine.units import GB

GIGA = 1e9


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
    chosen: Floats = column[machines.vector]
    return chosen


def cpu_decode_seconds(model: Served, on: CpuReplica, batch: Floats) -> Floats:
    """One decode step: weights and cache read, products computed, layers and sequences handled one after another."""
    fit = model.fit.cpu
    others = 2 * model.active * np.maximum(batch - 1, 0.0) / (on.prefill * fit.prefill_batch)
    context = windowed(model.dims, model.input_tokens + model.output_tokens / 2)
    cache = batch * context * model.kv_bytes / (fit.bandwidth_kv * on.read)
    each = fit.sequence_s + fit.word_s * model.dims.vocabulary
    host = 0.0 if model.layer_split else (fit.step_s + batch * each) * on.slowness
    own = 2 * model.active / on.decode
    return _reading(model, on, batch) + own + others + cache + on.launches + host


def _reading(model: Served, on: CpuReplica, tokens: Floats) -> Floats:
    """Weights that a step reads from memory: of a mixture the experts that its tokens are sent to."""
    moe = model.dims.moe
    touched = 0.0 if moe is None else model.experts * (1 - (1 - moe.active / moe.experts) ** tokens)
    weights = model.dense * model.dense_bytes + touched * model.expert_bytes
    seconds: Floats = weights / on.read
    return seconds


def cpu_prefill_seconds(model: Served, on: CpuReplica) -> Floats:
    """The prompt of one request, alone: each chunk reads the weights and runs the layers."""
    fit = model.fit.cpu
    size = fit.chunk_llama_cpp if model.layer_split else model.fit.device.prefill_chunk
    chunks = np.ceil(model.input_tokens / size)
    reading = chunks * _reading(model, on, np.minimum(model.input_tokens, size))
    seconds: Floats = reading + cpu_marginal_prefill_seconds(model, on) + chunks * on.launches
    return seconds


def cpu_marginal_prefill_seconds(model: Served, on: CpuReplica) -> Floats:
    """What the prompt of one more request adds to running steps."""
    tokens = model.input_tokens
    scores = tokens * (windowed(model.dims, tokens) / 2) * model.prefill_attention
    share = model.fit.cpu.attention if model.layer_split else 1.0
    seconds: Floats = (2 * model.active * tokens + scores / share) / on.prefill
    return seconds


def cpu_first_seconds(model: Served, on: CpuReplica) -> Floats:
    """What the server takes before a prompt."""
    llama = 0.0 if model.layer_split else model.fit.cpu.first_token_s
    return llama * on.slowness
