"""How much load a replica carries: the running batch is raised until the cache is full or an answer is late.

Little's law joins the running batch and the rate of requests.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.coefficients import SERVING as FIT
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import take
from plimsoll_service.engine.estimate.ranges import metric_ends
from plimsoll_service.engine.estimate.serving_devices import (
    capacity,
    decode_seconds,
    host_factor,
    marginal_prefill_seconds,
    prefill_seconds,
    replica,
)
from plimsoll_service.engine.estimate.serving_model import Served, kv_gib_per_sequence
from plimsoll_service.engine.estimate.serving_processors import (
    CPU_FIRST_TOKEN_S,
    CPU_INTERFERENCE,
    cpu_decode_seconds,
    cpu_marginal_prefill_seconds,
    cpu_prefill_seconds,
    cpu_rates,
)
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.units import GIB

# Running requests of a replica that are tried; engines admit 256 to 2,048 unless told otherwise.
LOADS = (1.0, 2.0, 4.0, 8.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0, 128.0, 192.0, 256.0, 512.0, 1024.0)
CPU_MOST = 256.0  # vLLM's max_num_seqs, a true bound on processors (serving study, section 8)
DEGREES = (1.0, 2.0, 4.0, 8.0, 16.0)
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


def configure(job: Job, model: Served, machines: Machines, degree: int | None) -> Configuration:
    """On devices the degree that serves most (or just fits); processors as one replica. Only what fits is walked."""
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
        better = _rows(machine_rate(other) > machine_rate(take(best, rows)))
        _put(best, rows[better], take(other, better))
    return best


def _rows(chosen: Flags) -> Ints:
    return np.flatnonzero(chosen).astype(np.int32)


def _nothing(count: int) -> Configuration:
    """Machines that cannot serve the model at all: one replica of no load."""
    flat = [np.ones((count, len(LOADS))) for _ in range(4)]
    ones = np.ones(count)
    return Configuration(
        ones.copy(), ones.copy(), np.full(count, -1.0), np.full(count, -1, dtype=np.int32), Curve(*flat)
    )


def _put(into: Configuration, rows: Ints, values: Configuration) -> None:
    """Overwrites the given rows of freshly made columns."""
    for name in ("degree", "replicas", "most", "top"):
        getattr(into, name)[rows] = getattr(values, name)
    for name in ("ttft", "ttft_p95", "tpot", "rate"):
        getattr(into.curve, name)[rows] = getattr(values.curve, name)


def machine_rate(one: Configuration) -> Floats:
    """Requests a second of one machine at the highest allowed load; -1 where it cannot serve at all."""
    top = np.maximum(one.top, 0)
    rate = one.curve.rate[np.arange(len(top)), top] * one.replicas
    return np.where(one.top >= 0, rate, np.where(one.most >= 1, 0.0, -1.0))


def _on_devices(job: Job, model: Served, machines: Machines, n: float) -> Configuration:
    count = np.full(len(machines), n)
    on = replica(machines, count, _product_peak(job, machines), job.precision, model.weight_only)
    prefill, marginal = prefill_seconds(model, on), marginal_prefill_seconds(model, on)
    first = model.engine.first_token_s * host_factor(machines)
    decode = decode_seconds(model, on, np.array(LOADS)[:, None])
    curve = _curve(job, model, decode, prefill, marginal, first, FIT.interference)
    most = np.nan_to_num(capacity(model, on), nan=-1.0)
    return Configuration(count, np.floor(machines.devices / n), most, _top(job, machines, curve, most), curve)


def _on_processors(job: Job, model: Served, machines: Machines) -> Configuration:
    rates = cpu_rates(machines, job.precision)
    prefill, marginal = cpu_prefill_seconds(model, rates), cpu_marginal_prefill_seconds(model, rates)
    decode = cpu_decode_seconds(model, rates, np.array(LOADS)[:, None])
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
    job: Job, model: Served, decode: Floats, prefill: Floats, marginal: Floats, first: Floats, kappa: float
) -> Curve:
    """Latencies along the loads (first axis of ``decode``). TTFT waits for a step, for queued prompts and its own."""
    outputs, slower = model.output_tokens, 1 / job.software_factor
    prefill, marginal, first = prefill * slower, marginal * slower, first * slower
    closed = 0.0 if job.workload.requests_per_second is not None else FIT.queue_closed
    others = np.array(LOADS)[:, None] - 1
    step = decode * slower + kappa * others / outputs * marginal
    busy = np.minimum(others / outputs * marginal / step, FIT.load_cap)
    wait = np.where(others > 0, step, 0.0)
    queue = FIT.queue_load * busy / (1 - busy) * prefill + closed * others * marginal
    median = first + prefill + FIT.queue_steps * wait + queue
    tail = first + prefill + wait + TAIL * prefill * busy / (2 * (1 - busy))
    rate = np.array(LOADS)[:, None] / (median + (outputs - 1) * step)
    return Curve(*(values.T for values in (median, np.maximum(tail, median), step, rate)))


def _top(job: Job, machines: Machines, curve: Curve, most: Floats) -> Ints:
    """Index of the highest load within the KV cache and, at the high end of its range, within the latency target."""
    loads = np.array(LOADS)
    allowed = loads[None, :] <= np.maximum(most, 0.0)[:, None]
    if job.workload.latency_ms is not None:
        high = metric_ends(machines, "ttft").high
        allowed &= curve.ttft_p95 * high[:, None] * 1e3 <= job.workload.latency_ms
    allowed = np.logical_and.accumulate(allowed, axis=1)
    top: Ints = (allowed.sum(axis=1) - 1).astype(np.int32)
    return top


def interpolate(rates: Floats, loads: Floats, wanted: Floats) -> Floats:
    """Row by row the load at which ``rates`` (rising) reaches ``wanted``; at least 1, at most the highest."""
    above = np.clip((rates < wanted[:, None]).sum(axis=1), 1, rates.shape[1] - 1)
    rows = np.arange(len(wanted))
    low, high = rates[rows, above - 1], rates[rows, above]
    share = np.clip((wanted - low) / np.maximum(high - low, 1e-30), 0.0, 1.0)
    found: Floats = loads[above - 1] + share * (loads[above] - loads[above - 1])
    return np.maximum(found, 1.0)


def at(curve: Floats, load: Floats) -> Floats:
    """The value of each row's curve at that load, between grid points by a straight line."""
    loads = np.array(LOADS)
    above = np.clip(np.searchsorted(loads, load), 1, len(loads) - 1)
    rows = np.arange(len(load))
    share = (load - loads[above - 1]) / (loads[above] - loads[above - 1])
    value: Floats = curve[rows, above - 1] + np.clip(share, 0.0, 1.0) * (curve[rows, above] - curve[rows, above - 1])
    return value
