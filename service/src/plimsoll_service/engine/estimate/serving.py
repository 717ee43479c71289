"""Serving a language model: tensor-parallel degree, running batch, replicas and machines for a rate.

For each machine and degree the load is walked up a grid of running batches; the largest that meets the
latency target, and fits the KV cache, is what a replica can carry. Little's law joins batch and rate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.coefficients import SERVING as FIT
from plimsoll_service.engine.coefficients import SPREADS, TRAINING_MEMORY
from plimsoll_service.engine.demand.job import Job, lone_requests
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.feeding import INFERENCE_VCPUS, Volume
from plimsoll_service.engine.estimate.job_time import disk_columns
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import MemoryColumns, Outcome, ServingColumns, bottleneck, obstacle, take
from plimsoll_service.engine.estimate.serving_steps import (
    CPU_FIRST_TOKEN_S,
    CPU_INTERFERENCE,
    Served,
    capacity,
    cpu_decode_seconds,
    cpu_marginal_prefill_seconds,
    cpu_prefill_seconds,
    cpu_rates,
    decode_seconds,
    host_factor,
    kv_gib_per_sequence,
    marginal_prefill_seconds,
    prefill_seconds,
    replica,
    served,
)
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.units import GB, GIB

# Running requests of a replica that are tried; engines admit 256 to 2,048 unless told otherwise.
LOADS = (1.0, 2.0, 4.0, 8.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0, 128.0, 192.0, 256.0, 512.0, 1024.0)
CPU_MOST = 256.0  # vLLM's max_num_seqs, a true bound on processors (serving study, section 8)
DEGREES = (1.0, 2.0, 4.0, 8.0, 16.0)
ROUNDING = 1 - 1e-9  # keeps the sum of what fits exactly from exceeding it in the last digit
TAIL = 3.0  # 95th percentile of an exponential wait over its mean (ln 20)


@dataclass(frozen=True, eq=False)
class Curve:
    """A replica at each load of LOADS (first axis): seconds to first token (median, 95th), a token, and its rate."""

    ttft: Floats
    ttft_p95: Floats
    tpot: Floats
    rate: Floats  # requests a second


@dataclass(frozen=True, eq=False)
class Configuration:
    """The chosen way to serve on each machine."""

    degree: Floats
    replicas: Floats  # of one machine
    most: Floats  # running requests of one replica, by KV memory
    top: Ints  # index of the highest load that is allowed; -1 where none is
    curve: Curve


def estimate(job: Job, machines: Machines, nodes: Floats | None, volume: Volume, degree: int | None = None) -> tuple[Outcome, Floats]:
    """The outcome and the machines that it takes; ``nodes`` and ``degree`` given where the user fixed them."""
    profile = job.profile
    assert profile is not None and profile.transformer is not None  # a job of this kind always has one
    model = served(job, profile.transformer)
    chosen = _configure(job, model, machines, degree)
    if nodes is None:
        nodes = _machines_needed(job, model, machines, chosen)
    return _outcome(job, model, machines, nodes, chosen, volume), nodes


def _configure(job: Job, model: Served, machines: Machines, degree: int | None) -> Configuration:
    """On devices the degree that serves most (or just fits); processors serve as one replica. Only what fits is walked."""
    best = _nothing(len(machines))
    hosts = _rows(~machines.has_accelerator() & (_sequences_in_host(job, model, machines) >= 1))
    _put(best, hosts, _on_processors(job, model, machines.take(hosts)))
    for n in DEGREES if degree is None else (float(degree),):
        able = machines.has_accelerator() & (machines.devices >= n)
        able &= machines.device_memory_gib * n * FIT.memory_share * GIB > model.total_bytes
        rows = _rows(able)
        if not len(rows):
            continue
        other = _on_devices(job, model, machines.take(rows), n)
        better = _rows(_machine_rate(other) > _machine_rate(take(best, rows)))
        _put(best, rows[better], take(other, better))
    return best


def _rows(chosen: Flags) -> Ints:
    return np.flatnonzero(chosen).astype(np.int32)


def _nothing(count: int) -> Configuration:
    """Machines that cannot serve the model at all: one replica of no load."""
    flat = [np.ones((count, len(LOADS))) for _ in range(4)]
    ones = np.ones(count)
    return Configuration(ones.copy(), ones.copy(), np.full(count, -1.0), np.full(count, -1, dtype=np.int32), Curve(*flat))


def _put(into: Configuration, rows: Ints, values: Configuration) -> None:
    """Overwrites the given rows of freshly made columns."""
    for name in ("degree", "replicas", "most", "top"):
        getattr(into, name)[rows] = getattr(values, name)
    for name in ("ttft", "ttft_p95", "tpot", "rate"):
        getattr(into.curve, name)[rows] = getattr(values.curve, name)


def _machine_rate(one: Configuration) -> Floats:
    """Requests a second of one machine at the highest allowed load; -1 where it cannot serve at all."""
    top = np.maximum(one.top, 0)
    rate = one.curve.rate[np.arange(len(top)), top] * one.replicas
    return np.where(one.top >= 0, rate, np.where(one.most >= 1, 0.0, -1.0))


def _on_devices(job: Job, model: Served, machines: Machines, n: float) -> Configuration:
    count = np.full(len(machines), n)
    on = replica(machines, count, _product_peak(job, machines), job.precision, model.weight_only)
    prefill, marginal = prefill_seconds(model, on), marginal_prefill_seconds(model, on)
    first = model.engine.first_token_s * host_factor(machines)
    decode = [decode_seconds(model, on, np.full(len(machines), load)) for load in LOADS]
    curve = _curve(job, model, decode, prefill, marginal, first, FIT.interference)
    most = np.nan_to_num(capacity(model, on), nan=-1.0)
    return Configuration(count, np.floor(machines.devices / n), most, _top(job, machines, curve, most), curve)


def _on_processors(job: Job, model: Served, machines: Machines) -> Configuration:
    rates = cpu_rates(machines, job.precision)
    prefill, marginal = cpu_prefill_seconds(model, rates), cpu_marginal_prefill_seconds(model, rates)
    decode = [cpu_decode_seconds(model, rates, np.full(len(machines), load)) for load in LOADS]
    curve = _curve(job, model, decode, prefill, marginal, CPU_FIRST_TOKEN_S * rates.slowness, CPU_INTERFERENCE)
    most = np.minimum(_sequences_in_host(job, model, machines), CPU_MOST)
    ones = np.ones(len(machines))
    return Configuration(ones.copy(), ones.copy(), most, _top(job, machines, curve, most), curve)


def _sequences_in_host(job: Job, model: Served, machines: Machines) -> Floats:
    """Running requests whose cache fits beside the weights in the host's memory."""
    room = machines.memory_gib - feeding.SYSTEM_GIB - job.host_base_gib - model.total_bytes / GIB
    sequences: Floats = room / kv_gib_per_sequence(model)
    return sequences


def _product_peak(job: Job, machines: Machines) -> Floats:
    """FLOP/s of the matrix products; weight-only formats, and 8 bits where a device lacks them, use the 16-bit rate."""
    half = np.fmax(machines.peak("bf16"), machines.peak("fp16"))
    half = np.where(np.isnan(half), machines.peak("fp32"), half)
    precision = job.precision
    if precision in ("fp32", "tf32", "fp64"):
        wanted = machines.peak(precision)
        return np.where(np.isnan(wanted), machines.peak("fp32"), wanted) * 1e12
    if precision in ("fp8", "fp4"):
        native = machines.peak(precision)
        return np.where(np.isnan(native), half, native) * 1e12
    if precision == "bf16" and not job.half_falls_back:
        return np.where(np.isnan(machines.peak("bf16")), machines.peak("fp32"), half) * 1e12
    return half * 1e12


def _curve(
    job: Job, model: Served, decode: list[Floats], prefill: Floats, marginal: Floats, first: Floats, kappa: float
) -> Curve:
    """Latencies along the loads. TTFT waits for a step, for prompts in the queue, then for its own."""
    outputs, slower = model.output_tokens, 1 / job.software_factor
    prefill, marginal, first = prefill * slower, marginal * slower, first * slower
    closed = 0.0 if job.workload.requests_per_second is not None else FIT.queue_closed
    ttft, tail, tpot, rate = [], [], [], []
    for load, step in zip(LOADS, decode, strict=True):
        each = step * slower + kappa * (load - 1) / outputs * marginal
        busy = np.minimum((load - 1) / outputs * marginal / each, FIT.load_cap)
        wait = FIT.queue_steps * each if load > 1 else np.zeros_like(each)
        queue = FIT.queue_load * busy / (1 - busy) * prefill + closed * (load - 1) * marginal
        median = first + prefill + wait + queue
        ttft.append(median)
        tail.append(first + prefill + (each if load > 1 else 0.0) + TAIL * prefill * busy / (2 * (1 - busy)))
        tpot.append(each)
        rate.append(load / (median + (outputs - 1) * each))
    return Curve(*(np.stack(values, axis=1) for values in (ttft, np.maximum(tail, ttft), tpot, rate)))


def _top(job: Job, machines: Machines, curve: Curve, most: Floats) -> Ints:
    """Index of the highest load within the KV cache and, at the high end of its range, within the latency target."""
    loads = np.array(LOADS)
    allowed = loads[None, :] <= np.maximum(most, 0.0)[:, None]
    if job.workload.latency_ms is not None:
        high = np.where(machines.has_accelerator(), SPREADS["ttft"].high, SPREADS["cpu_ttft"].high)
        allowed &= curve.ttft_p95 * high[:, None] * 1e3 <= job.workload.latency_ms
    allowed = np.logical_and.accumulate(allowed, axis=1)
    return (allowed.sum(axis=1) - 1).astype(np.int32)


def _machines_needed(job: Job, model: Served, machines: Machines, chosen: Configuration) -> Floats:
    """Machines for the asked rate at the low end of what each carries, or for the asked concurrency; else one."""
    rate, at_once = job.workload.requests_per_second, job.workload.concurrency
    low = spread(machines, "tokens_per_second").low
    if rate is not None:
        needed = rate / np.maximum(_machine_rate(chosen) * low, 1e-12)
    elif at_once is not None:
        carried = np.array(LOADS)[np.maximum(chosen.top, 0)] * chosen.replicas
        needed = at_once / np.where(chosen.top >= 0, carried, 1e-9)
    else:
        needed = np.ones(len(machines))
    late = (chosen.top < 0) & (chosen.most >= 1)  # no load meets the latency: more machines would not either
    return np.where(late, 1.0, np.maximum(1.0, np.ceil(needed)))


@dataclass(frozen=True, eq=False)
class _Spread:
    low: Floats
    high: Floats


def spread(machines: Machines, metric: str) -> _Spread:
    """The range of a metric: devices and processors were studied apart."""
    device, cpu = SPREADS[metric], SPREADS[f"cpu_{metric}"]
    on = machines.has_accelerator()
    return _Spread(np.where(on, device.low, cpu.low), np.where(on, device.high, cpu.high))


def _operating_load(job: Job, chosen: Configuration, nodes: Floats) -> Floats:
    """Running requests of each replica at the asked rate or concurrency, or flat out within what is allowed."""
    loads = np.array(LOADS)
    top = np.maximum(chosen.top, 0)
    highest = loads[top]
    replicas = chosen.replicas * nodes
    if job.workload.requests_per_second is not None:
        each = job.workload.requests_per_second / replicas
        return np.minimum(_interpolate(chosen.curve.rate, loads, each), highest)
    if job.workload.concurrency is not None:
        return np.clip(job.workload.concurrency / replicas, 1.0, highest)
    return np.ones_like(highest) if lone_requests(job) else highest


def _held_back(job: Job, places: Floats, replicas: Floats) -> Floats:
    """Requests that wait for a place, per place, where more are sent at once than the cache holds (Little's law)."""
    at_once = float(job.workload.concurrency or 0)
    waiting: Floats = np.maximum(at_once / replicas / places - 1.0, 0.0)
    return waiting


def _interpolate(rates: Floats, loads: Floats, wanted: Floats) -> Floats:
    """Row by row the load at which ``rates`` (rising) reaches ``wanted``; at least 1, at most the highest."""
    above = np.clip((rates < wanted[:, None]).sum(axis=1), 1, rates.shape[1] - 1)
    rows = np.arange(len(wanted))
    low, high = rates[rows, above - 1], rates[rows, above]
    share = np.clip((wanted - low) / np.maximum(high - low, 1e-30), 0.0, 1.0)
    found: Floats = loads[above - 1] + share * (loads[above] - loads[above - 1])
    return np.maximum(found, 1.0)


def _at(curve: Floats, load: Floats) -> Floats:
    """The value of each row's curve at that load, between grid points by a straight line."""
    loads = np.array(LOADS)
    above = np.clip(np.searchsorted(loads, load), 1, len(loads) - 1)
    rows = np.arange(len(load))
    share = (load - loads[above - 1]) / (loads[above] - loads[above - 1])
    value: Floats = curve[rows, above - 1] + np.clip(share, 0.0, 1.0) * (curve[rows, above] - curve[rows, above - 1])
    return value


def _outcome(job: Job, model: Served, machines: Machines, nodes: Floats, chosen: Configuration, volume: Volume) -> Outcome:
    load = _operating_load(job, chosen, nodes)
    replicas = chosen.replicas * nodes
    top = np.maximum(chosen.top, 0)
    rows = np.arange(len(machines))
    capacity_rate = chosen.curve.rate[rows, top] * replicas
    ttft, tpot = _at(chosen.curve.ttft, load) * 1e3, _at(chosen.curve.tpot, load) * 1e3
    tail = _at(chosen.curve.ttft_p95, load) * 1e3
    held_back = _held_back(job, np.clip(chosen.most, load, LOADS[-1]), replicas) * model.output_tokens * tpot
    ttft, tail = ttft + held_back, tail + held_back
    asked = job.workload.requests_per_second
    requests = _at(chosen.curve.rate, load) * replicas if asked is None else np.minimum(asked, capacity_rate)
    output = model.output_tokens
    rate_spread, ttft_spread = spread(machines, "tokens_per_second"), spread(machines, "ttft")
    memory = _memory(model, machines, chosen, load)
    host = _host(job, model, machines)
    size = feeding.disk_need(job, np.ones(len(machines)), model.total_bytes, 0.0)
    disk = feeding.disk_of(job, machines, size, volume)
    nothing = np.full(len(machines), np.nan)
    return Outcome(
        obstacle=_obstacles(job, model, machines, chosen, memory, host, disk.fits),
        throughput=requests * output,
        capacity=capacity_rate * output,
        capacity_low=capacity_rate * output * rate_spread.low,
        capacity_high=capacity_rate * output * rate_spread.high,
        throughput_low=np.minimum(requests, capacity_rate * rate_spread.low) * output
        if asked is not None
        else requests * output * rate_spread.low,
        throughput_high=requests * output * (1.0 if asked is not None else rate_spread.high),
        hours=nothing,
        hours_low=nothing,
        hours_high=nothing,
        checkpoint_hours=nothing,
        bottleneck=_bottleneck(model, machines, chosen, load),
        batch_used=np.maximum(1.0, np.floor(load)),
        batch_largest=np.maximum(np.floor(chosen.most), 0.0),
        vcpus_required=np.where(machines.has_accelerator(), INFERENCE_VCPUS * np.maximum(machines.devices, 1.0), machines.vcpus),
        host=host,
        device=memory,
        disk=disk_columns(job, size, nothing),
        local_disk=disk.local,
        emulated=_emulated(job, machines),
        devices_used=np.where(machines.has_accelerator(), chosen.degree * chosen.replicas, 0.0),
        latency_ms=tail,
        latency_low_ms=tail * ttft_spread.low,
        latency_high_ms=tail * ttft_spread.high,
        serving=ServingColumns(
            concurrency=load * replicas,
            max_concurrency=np.array(LOADS)[top] * replicas,
            ttft_ms=ttft,
            tpot_ms=tpot,
            tensor_parallel=chosen.degree,
            replicas=replicas,
        ),
    )


def _memory(model: Served, machines: Machines, chosen: Configuration, load: Floats) -> MemoryColumns:
    """GiB on each device of a replica at that load."""
    on_device = machines.has_accelerator()
    n = chosen.degree
    weights = np.where(on_device, model.total_bytes / GIB / n, np.nan)
    cache = np.where(on_device, kv_gib_per_sequence(model) * np.maximum(load, 1.0) / n, np.nan)
    overhead = np.where(on_device, FIT.overhead_gb * GB / GIB, np.nan)
    usable = machines.device_memory_gib * FIT.memory_share
    # The cache is given what is left: requests that are not at their full length share it.
    cache = np.where(load <= chosen.most, np.fmin(cache, (usable - weights - overhead) * ROUNDING), cache)
    parts = {"weights": weights, "kv_cache": cache, "framework": overhead}
    return MemoryColumns(weights + cache + overhead, usable, parts)


def _host(job: Job, model: Served, machines: Machines) -> MemoryColumns:
    """The server's process; on processors the model and its cache are there too."""
    on_device = machines.has_accelerator()
    devices = np.maximum(machines.devices, 1.0)
    framework = job.host_base_gib * devices
    held = np.where(on_device, 0.0, model.total_bytes / GIB + kv_gib_per_sequence(model))
    system = np.full(len(machines), feeding.SYSTEM_GIB)
    return MemoryColumns(framework + held + system, machines.memory_gib, {"system": system, "framework": framework, "model": held})


def _emulated(job: Job, machines: Machines) -> Flags:
    """Where the asked precision runs through another: 8-bit weights on devices without, bf16 through fp32."""
    on_device = machines.has_accelerator()
    if job.precision == "fp8":
        emulated: Flags = on_device & np.isnan(machines.peak("fp8"))
    elif job.precision == "bf16" and not job.half_falls_back:
        emulated = on_device & np.isnan(machines.peak("bf16"))
    else:
        emulated = np.zeros(len(machines), dtype=bool)
    return emulated


def _unsupported(job: Job, machines: Machines) -> Flags:
    """Where nothing can stand in: 4-bit floats without their units, 8-bit weights before Ampere, processors below 16 bits."""
    on_device = machines.has_accelerator()
    half = ~np.isnan(np.fmax(machines.peak("fp16"), machines.peak("bf16")))
    if job.precision == "fp4":
        return ~on_device | np.isnan(machines.peak("fp4"))
    if job.precision in ("fp8", "int8", "int4"):
        return ~on_device | ~half
    if job.precision == "fp64":
        return np.full(len(machines), True)
    return on_device & ~half & np.isnan(machines.peak("fp32"))


def _bottleneck(model: Served, machines: Machines, chosen: Configuration, load: Floats) -> Ints:
    """Which part of a decode step weighs most: reading weights and cache, computing, or launching."""
    on_device = machines.has_accelerator()
    n = chosen.degree
    read = (model.dense * model.weight_bytes + load * model.kv_bytes * model.input_tokens) / (
        n * np.where(on_device, machines.bandwidth_gb_s, machines.cpu_bandwidth_gb_s) * GB
    )
    step = _at(chosen.curve.tpot, load)
    compute = np.where(on_device, bottleneck("accelerator_compute"), bottleneck("cpu_compute"))
    reading = np.where(on_device, bottleneck("accelerator_memory_bandwidth"), bottleneck("memory_bandwidth"))
    small = np.where((load < 2) & on_device, bottleneck("launch_latency"), compute)
    return np.where(read > step / 2, reading, small).astype(np.int32)


def _obstacles(
    job: Job, model: Served, machines: Machines, chosen: Configuration, device: MemoryColumns, host: MemoryColumns, disk: Flags
) -> Ints:
    on_device = machines.has_accelerator()
    found = np.zeros(len(machines), dtype=np.int32)
    found[~disk] = obstacle("disk")
    found[(host.required > machines.memory_gib) | (~on_device & (chosen.most < 1))] = obstacle("memory")
    low = device.required * TRAINING_MEMORY.low > device.usable
    found[on_device & ((chosen.most < 1) | low)] = obstacle("accelerator_memory")
    found[_unsupported(job, machines)] = obstacle("precision")
    found[on_device & ~np.any(machines.peak_tflops > 0, axis=1)] = obstacle("specification")
    return found

