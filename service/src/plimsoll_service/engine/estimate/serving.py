"""Serving a language model: tensor-parallel degree, running batch, replicas and machines for a rate.

For each machine and degree the largest load that meets the latency target, and fits the KV cache, is what a
replica can carry; the asked rate or concurrency then gives replicas and machines.
"""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.demand.job import Job, lone_requests
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.feeding import INFERENCE_VCPUS, Volume
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.needs import disk_columns
from plimsoll_service.engine.estimate.outcome import Outcome, ServingColumns, bottleneck
from plimsoll_service.engine.estimate.overload import backlog_seconds
from plimsoll_service.engine.estimate.ranges import metric_ends
from plimsoll_service.engine.estimate.serving_fit import device_memory, emulated, host_memory, obstacles
from plimsoll_service.engine.estimate.serving_load import LOADS, Configuration, at, configure, interpolate, machine_rate
from plimsoll_service.engine.estimate.serving_model import Served, served
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.units import GB


def estimate(
    job: Job, machines: Machines, nodes: Floats | None, volume: Volume, degree: int | None = None
) -> tuple[Outcome, Floats]:
    """The outcome and the machines that it takes; ``nodes`` and ``degree`` given where the user fixed them."""
    profile = job.profile
    assert profile is not None
    assert profile.transformer is not None  # a job of this kind always has one
    model = served(job, profile.transformer)
    chosen = configure(job, model, machines, degree)
    if nodes is None:
        nodes = _machines_needed(job, machines, chosen)
    return _outcome(job, model, machines, nodes, chosen, volume), nodes


def _machines_needed(job: Job, machines: Machines, chosen: Configuration) -> Floats:
    """Machines for the asked rate at the low end of what each carries, or for the asked concurrency; else one."""
    rate, at_once = job.workload.requests_per_second, job.workload.concurrency
    low = metric_ends(machines, "tokens_per_second").low
    if rate is not None:
        needed = rate / np.maximum(machine_rate(chosen) * low, 1e-12)
    elif at_once is not None:
        carried = np.array(LOADS)[np.maximum(chosen.top, 0)] * chosen.replicas
        needed = at_once / np.where(chosen.top >= 0, carried, 1e-9)
    else:
        needed = np.ones(len(machines))
    late = (chosen.top < 0) & (chosen.most >= 1)  # no load meets the latency: more machines would not either
    return np.where(late, 1.0, np.maximum(1.0, np.ceil(needed)))


def _operating_load(job: Job, chosen: Configuration, nodes: Floats) -> Floats:
    """Running requests of each replica at the asked rate or concurrency, or flat out within what is allowed."""
    loads = np.array(LOADS)
    top = np.maximum(chosen.top, 0)
    highest = loads[top]
    replicas = chosen.replicas * nodes
    if job.workload.requests_per_second is not None:
        each = job.workload.requests_per_second / replicas
        carried: Floats = np.minimum(interpolate(chosen.curve.rate, loads, each), highest)
        return carried
    if job.workload.concurrency is not None:
        at_once: Floats = np.clip(job.workload.concurrency / replicas, 1.0, highest)
        return at_once
    flat_out: Floats = np.ones_like(highest) if lone_requests(job) else highest
    return flat_out


def _held_back(job: Job, places: Floats, replicas: Floats) -> Floats:
    """Requests that wait for a place, per place, where more are sent at once than the cache holds (Little's law)."""
    at_once = float(job.workload.concurrency or 0)
    waiting: Floats = np.maximum(at_once / replicas / places - 1.0, 0.0)
    return waiting


def _outcome(
    job: Job, model: Served, machines: Machines, nodes: Floats, chosen: Configuration, volume: Volume
) -> Outcome:
    load = _operating_load(job, chosen, nodes)
    replicas = chosen.replicas * nodes
    top = np.maximum(chosen.top, 0)
    rows = np.arange(len(machines))
    capacity_rate = chosen.curve.rate[rows, top] * replicas
    ttft, tpot = at(chosen.curve.ttft, load) * 1e3, at(chosen.curve.tpot, load) * 1e3
    tail = at(chosen.curve.ttft_p95, load) * 1e3
    held_back = _held_back(job, np.clip(chosen.most, load, LOADS[-1]), replicas) * model.output_tokens * tpot
    asked = job.workload.requests_per_second
    waiting = held_back + backlog_seconds(asked, capacity_rate) * 1e3
    ttft, tail = ttft + waiting, tail + waiting
    requests = at(chosen.curve.rate, load) * replicas if asked is None else np.minimum(asked, capacity_rate)
    output = model.output_tokens
    rate_spread, ttft_spread = metric_ends(machines, "tokens_per_second"), metric_ends(machines, "ttft")
    memory = device_memory(model, machines, chosen, load)
    host = host_memory(job, model, machines)
    size = feeding.disk_need(job, np.ones(len(machines)), model.total_bytes, 0.0)
    disk = feeding.disk_of(job, machines, size, volume)
    nothing = np.full(len(machines), np.nan)
    return Outcome(
        obstacle=obstacles(job, machines, chosen, memory, host, disk.fits),
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
        vcpus_required=np.where(
            machines.has_accelerator(), INFERENCE_VCPUS * np.maximum(machines.devices, 1.0), machines.vcpus
        ),
        host=host,
        device=memory,
        disk=disk_columns(job, size, nothing),
        local_disk=disk.local,
        emulated=emulated(job, machines),
        devices_used=np.where(machines.has_accelerator(), chosen.degree * chosen.replicas, 0.0),
        latency_ms=tail,
        latency_low_ms=tail * ttft_spread.low,
        latency_high_ms=tail * ttft_spread.high,
        lone_latency_ms=chosen.curve.ttft_p95[:, 0] * 1e3,
        serving=ServingColumns(
            concurrency=load * replicas,
            max_concurrency=np.array(LOADS)[top] * replicas,
            ttft_ms=ttft,
            tpot_ms=tpot,
            tensor_parallel=chosen.degree,
            replicas=replicas,
        ),
    )


def _bottleneck(model: Served, machines: Machines, chosen: Configuration, load: Floats) -> Ints:
    """Which part of a decode step weighs most: reading weights and cache, computing, or launching."""
    on_device = machines.has_accelerator()
    n = chosen.degree
    read = (model.dense * model.weight_bytes + load * model.kv_bytes * model.input_tokens) / (
        n * np.where(on_device, machines.bandwidth_gb_s, machines.cpu_bandwidth_gb_s) * GB
    )
    step = at(chosen.curve.tpot, load)
    compute = np.where(on_device, bottleneck("accelerator_compute"), bottleneck("cpu_compute"))
    reading = np.where(on_device, bottleneck("accelerator_memory_bandwidth"), bottleneck("memory_bandwidth"))
    small = np.where((load < 2) & on_device, bottleneck("launch_latency"), compute)
    return np.where(read > step / 2, reading, small).astype(np.int32)
