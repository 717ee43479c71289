"""Serving a language model: tensor-parallel degree, running batch, replicas and machines for a rate.

For each machine and degree the largest load that meets the latency target, and fits the KV cache, is what a
replica can carry; the asked rate or concurrency then gives replicas and machines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.feeding import INFERENCE_VCPUS, Volume
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.needs import Bars, disk_columns
from plimsoll_service.engine.estimate.outcome import MemoryColumns, Outcome, bottleneck
from plimsoll_service.engine.estimate.ranges import Ends, metric_ends
from plimsoll_service.engine.estimate.serving_curves import Curves
from plimsoll_service.engine.estimate.serving_delivered import MS, Delivered, delivered
from plimsoll_service.engine.estimate.serving_fit import (
    DeviceRoom,
    device_room,
    emulated,
    host_memory,
    obstacles,
    serving_bars,
)
from plimsoll_service.engine.estimate.serving_load import Configuration, configure
from plimsoll_service.engine.estimate.serving_model import Served, served
from plimsoll_service.engine.estimate.splits import UNSAID, Splits
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.units import GB

# Reading, launching, computing: on devices, then on processors, which launch nothing.
BOTTLENECKS = np.array(
    [
        bottleneck(name)
        for name in (
            "accelerator_memory_bandwidth", "launch_latency", "accelerator_compute",
            "memory_bandwidth", "cpu_compute", "cpu_compute",
        )
    ],
    dtype=np.int32,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Known:
    """What is known before the load is: the way to serve, what it needs, and ranges."""

    model: Served
    chosen: Configuration
    curves: Curves
    rate: Ends
    first: Ends
    host: MemoryColumns
    room: DeviceRoom
    bars: Bars
    emulated: Flags
    read_bytes: Floats  # a second, of a replica
    late: Flags  # no load meets the latency: more machines would not either


def estimate(
    job: Job, machines: Machines, nodes: Floats | None, volume: Volume, ground: Groundwork, splits: Splits = UNSAID
) -> tuple[Outcome, Floats]:
    """The outcome and the machines that it takes; ``nodes`` and ``splits`` given where the user fixed them."""
    known = ground.of(lambda plain: _known(plain, machines.again(), nodes, splits), "known")
    if nodes is None:
        nodes = _machines_needed(job, known)
    return _outcome(job, known, machines, nodes, volume), nodes


def _known(job: Job, machines: Machines, nodes: Floats | None, splits: Splits) -> _Known:
    assert job.profile is not None
    assert job.profile.transformer is not None  # a job of this kind always has one
    model = served(job, job.profile.transformer)
    chosen, curves = configure(job, model, machines, nodes, splits)
    host, on_device = host_memory(job, model, machines), machines.has_accelerator()
    bandwidth = np.where(on_device, machines.bandwidth_gb_s, machines.cpu_bandwidth_gb_s) * GB
    return _Known(
        model=model,
        chosen=chosen,
        curves=curves,
        rate=metric_ends(machines, "tokens_per_second"),
        first=metric_ends(machines, "ttft"),
        host=host,
        room=device_room(model, machines, chosen),
        bars=serving_bars(job, machines, chosen, host),
        emulated=emulated(job, machines),
        read_bytes=chosen.degree * bandwidth,
        late=(chosen.highest < 1) & (chosen.most >= 1),
    )


def _machines_needed(job: Job, known: _Known) -> Floats:
    """Machines for the asked rate at the low end of what each carries, or for the asked concurrency; else one."""
    rate, at_once, chosen = job.workload.requests_per_second, job.workload.concurrency, known.chosen
    if rate is not None:
        needed = rate / np.maximum(chosen.capacity * known.rate.low, 1e-12)
    elif at_once is not None:
        needed = at_once / (np.maximum(np.floor(chosen.highest), 1e-9) * chosen.replicas)
    else:
        return np.ones(len(chosen.most))
    return np.where(known.late, 1.0, np.maximum(1.0, np.ceil(needed)))


def _outcome(job: Job, known: _Known, machines: Machines, nodes: Floats, volume: Volume) -> Outcome:
    model, chosen, rate, first = known.model, known.chosen, known.rate, known.first
    run = delivered(job, model, chosen, known.curves, nodes)
    memory = known.room.at(chosen, run.load)
    size = feeding.disk_need(job, np.ones(len(machines)), model.total_bytes, 0.0)
    disk = feeding.disk_of(job, machines, size, volume)
    nothing = np.full(len(machines), np.nan)
    on_device = machines.has_accelerator()
    fixed = job.workload.requests_per_second is not None  # what is delivered is then what was asked, where it can be
    low = run.capacity * rate.low
    return Outcome(
        obstacle=obstacles(known.bars, on_device, memory, disk.fits),
        throughput=run.tokens,
        capacity=run.capacity,
        capacity_low=low,
        capacity_high=run.capacity * rate.high,
        throughput_low=np.minimum(run.tokens, low) if fixed else run.tokens * rate.low,
        throughput_high=run.tokens if fixed else run.tokens * rate.high,
        hours=nothing,
        hours_low=nothing,
        hours_high=nothing,
        checkpoint_hours=nothing,
        bottleneck=_bottleneck(known, on_device, run),
        batch_used=np.maximum(1.0, np.floor(run.load)),
        batch_largest=np.maximum(np.floor(chosen.most), 0.0),
        vcpus_required=np.where(on_device, INFERENCE_VCPUS * np.maximum(machines.devices, 1.0), machines.vcpus),
        host=known.host,
        device=memory,
        disk=disk_columns(job, size, nothing),
        local_disk=disk.local,
        emulated=known.emulated,
        devices_used=np.where(on_device, chosen.held * chosen.replicas, 0.0),
        latency_ms=run.tail_ms,
        latency_low_ms=run.tail_ms * first.low,
        latency_high_ms=run.tail_ms * first.high,
        lone_latency_ms=known.curves.ttft_p95[0].take(chosen.line) * MS,
        serving=run.columns,
    )


def _bottleneck(known: _Known, on_device: Flags, run: Delivered) -> Ints:
    """Which part of a decode step weighs most: reading weights and cache, computing, or launching."""
    model = known.model
    read = (model.dense * model.dense_bytes + run.load * (model.kv_bytes * model.input_tokens)) / known.read_bytes
    reading = read > run.columns.tpot_ms / (2 * MS)
    launching = on_device & (run.load < 2)
    places = np.where(reading, 0, np.where(launching, 1, 2)) + 3 * ~on_device
    codes: Ints = BOTTLENECKS.take(places)
    return codes
