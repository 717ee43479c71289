"""Serving a language model: tensor-parallel degree, running batch, replicas and machines for a rate.

For each machine and degree the largest load that meets the latency target, and fits the KV cache, is what a
replica can carry; the asked rate or concurrency then gives replicas and machines.
"""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.feeding import INFERENCE_VCPUS, Volume
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.needs import disk_columns
from plimsoll_service.engine.estimate.outcome import Outcome, bottleneck
from plimsoll_service.engine.estimate.ranges import metric_ends
from plimsoll_service.engine.estimate.serving_delivered import MS, delivered
from plimsoll_service.engine.estimate.serving_fit import device_memory, emulated, host_memory, obstacles
from plimsoll_service.engine.estimate.serving_load import Configuration, at, configure
from plimsoll_service.engine.estimate.serving_model import Served, served
from plimsoll_service.engine.estimate.splits import UNSAID, Splits
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.units import GB


def estimate(
    job: Job, machines: Machines, nodes: Floats | None, volume: Volume, ground: Groundwork, splits: Splits = UNSAID
) -> tuple[Outcome, Floats]:
    """The outcome and the machines that it takes; ``nodes`` and ``splits`` given where the user fixed them."""
    model, chosen = ground.of(lambda plain: _configured(plain, machines, nodes, splits), "configured")
    if nodes is None:
        nodes = _machines_needed(job, machines, chosen)
    return _outcome(job, model, machines, nodes, chosen, volume), nodes


def _configured(job: Job, machines: Machines, nodes: Floats | None, splits: Splits) -> tuple[Served, Configuration]:
    assert job.profile is not None
    assert job.profile.transformer is not None  # a job of this kind always has one
    model = served(job, job.profile.transformer)
    return model, configure(job, model, machines, nodes, splits)


def _machines_needed(job: Job, machines: Machines, chosen: Configuration) -> Floats:
    """Machines for the asked rate at the low end of what each carries, or for the asked concurrency; else one."""
    rate, at_once = job.workload.requests_per_second, job.workload.concurrency
    low = metric_ends(machines, "tokens_per_second").low
    carried = np.maximum(np.floor(chosen.highest), 1e-9) * chosen.replicas
    if rate is not None:
        needed = rate / np.maximum(chosen.capacity * low, 1e-12)
    elif at_once is not None:
        needed = at_once / carried
    else:
        needed = np.ones(len(machines))
    late = (chosen.highest < 1) & (chosen.most >= 1)  # no load meets the latency: more machines would not either
    return np.where(late, 1.0, np.maximum(1.0, np.ceil(needed)))


def _outcome(
    job: Job, model: Served, machines: Machines, nodes: Floats, chosen: Configuration, volume: Volume
) -> Outcome:
    run = delivered(job, model, chosen, nodes)
    rate, first = metric_ends(machines, "tokens_per_second"), metric_ends(machines, "ttft")
    memory, host = device_memory(model, machines, chosen, run.load), host_memory(job, model, machines)
    size = feeding.disk_need(job, np.ones(len(machines)), model.total_bytes, 0.0)
    disk = feeding.disk_of(job, machines, size, volume)
    nothing = np.full(len(machines), np.nan)
    on_device = machines.has_accelerator()
    fixed = job.workload.requests_per_second is not None  # what is delivered is then what was asked, where it can be
    return Outcome(
        obstacle=obstacles(job, machines, chosen, memory, host, disk.fits),
        throughput=run.tokens,
        capacity=run.capacity,
        capacity_low=run.capacity * rate.low,
        capacity_high=run.capacity * rate.high,
        throughput_low=np.minimum(run.tokens, run.capacity * rate.low) if fixed else run.tokens * rate.low,
        throughput_high=run.tokens * (1.0 if fixed else rate.high),
        hours=nothing,
        hours_low=nothing,
        hours_high=nothing,
        checkpoint_hours=nothing,
        bottleneck=_bottleneck(model, machines, chosen, run.load),
        batch_used=np.maximum(1.0, np.floor(run.load)),
        batch_largest=np.maximum(np.floor(chosen.most), 0.0),
        vcpus_required=np.where(on_device, INFERENCE_VCPUS * np.maximum(machines.devices, 1.0), machines.vcpus),
        host=host,
        device=memory,
        disk=disk_columns(job, size, nothing),
        local_disk=disk.local,
        emulated=emulated(job, machines),
        devices_used=np.where(on_device, chosen.held * chosen.replicas, 0.0),
        latency_ms=run.tail_ms,
        latency_low_ms=run.tail_ms * first.low,
        latency_high_ms=run.tail_ms * first.high,
        lone_latency_ms=chosen.curve.ttft_p95[:, 0] * MS,
        serving=run.columns,
    )


def _bottleneck(model: Served, machines: Machines, chosen: Configuration, load: Floats) -> Ints:
    """Which part of a decode step weighs most: reading weights and cache, computing, or launching."""
    on_device = machines.has_accelerator()
    n = chosen.degree
    read = (model.dense * model.dense_bytes + load * model.kv_bytes * model.input_tokens) / (
        n * np.where(on_device, machines.bandwidth_gb_s, machines.cpu_bandwidth_gb_s) * GB
    )
    step = at(chosen.curve.tpot, load)
    compute = np.where(on_device, bottleneck("accelerator_compute"), bottleneck("cpu_compute"))
    reading = np.where(on_device, bottleneck("accelerator_memory_bandwidth"), bottleneck("memory_bandwidth"))
    small = np.where((load < 2) & on_device, bottleneck("launch_latency"), compute)
    return np.where(read > step / 2, reading, small).astype(np.int32)
