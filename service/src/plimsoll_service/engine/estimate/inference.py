"""Inference of models that are counted in samples: batch under a latency target, machines for a rate.

Every device answers for itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.device_memory import DeviceNeed, device_need
from plimsoll_service.engine.estimate.drives import Disk, Drives, disk_need, disk_of
from plimsoll_service.engine.estimate.feeding import INFERENCE_VCPUS
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.inference_batch import (
    FULLEST,
    Operating,
    Paces,
    Tried,
    batches_of,
    batches_tried,
    choose,
    latency_seconds,
    machines_needed,
    paces_of,
    tried,
)
from plimsoll_service.engine.estimate.job_time import largest_within, model_bytes, ranged
from plimsoll_service.engine.estimate.kinds import Kinds, hardware_kinds
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.measured_pace import Steps, steps_of
from plimsoll_service.engine.estimate.needs import (
    bars,
    device_memory,
    disk_columns,
    host_memory,
    model_on_host,
    obstacles,
)
from plimsoll_service.engine.estimate.outcome import Gathered, MemoryColumns, Outcome, Worked, take
from plimsoll_service.engine.estimate.overload import backlog_seconds
from plimsoll_service.engine.estimate.pace import paced
from plimsoll_service.engine.estimate.precision import Arithmetic
from plimsoll_service.engine.estimate.ranges import Ends, ends
from plimsoll_service.engine.estimate.supply import Input
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.models.profile import ModelProfile


@dataclass(frozen=True, eq=False)
class _Prepared:
    """What is known before the data are: arithmetic, memory by batch, and steps by batch."""

    numbers: Arithmetic
    need: DeviceNeed
    hardware: Kinds
    steps: Steps  # a row a kind of hardware
    spread: Ends


def estimate(
    job: Job, machines: Machines, nodes: Floats | None, drives: Drives, ground: Groundwork
) -> tuple[Outcome, Floats]:
    """The outcome and the machines that it takes; ``nodes`` given where the user fixed them."""
    profile = job.profile
    assert profile is not None  # a job of this kind always has a model
    known = ground.of(lambda plain: _prepared(plain, profile, machines), "prepared")
    alone = drives.unshared()
    disk = disk_of(job, alone, disk_need(job, alone.nodes, model_bytes(job), 0.0))
    supply = Input(job, machines, feeding.reference_cores(machines), disk)
    batches = batches_tried(job, profile)
    options = ground.of(lambda _: tried(known.steps, known.hardware, batches), "tried", batches)
    paces = _paces(job, known, options, supply, ground)
    chosen = choose(job, options, supply, known.spread.low, paces)
    if nodes is None:
        nodes = machines_needed(job.workload.requests_per_second, known.spread.low, chosen.machine_rate)
    return _outcome(job, machines, nodes, known, paces.largest, chosen, disk), nodes


def _prepared(job: Job, profile: ModelProfile, machines: Machines) -> _Prepared:
    hardware = hardware_kinds(machines)
    some = machines.take(hardware.rows)
    numbers = paced(job, profile, some)
    need = device_need(job, profile, some, numbers)
    steps = steps_of(job, profile, some, numbers, batches_of(profile))
    spread = ends(job.coefficients.spreads, machines, "inference")
    return _Prepared(take(numbers, hardware.of), take(need, hardware.of), hardware, steps, spread)


def _paces(job: Job, known: _Prepared, options: Tried, supply: Input, ground: Groundwork) -> Paces:
    """The rate at each batch; of a service they are kept, since it is asked for at many rates on the same data."""

    def made() -> Paces:
        return paces_of(options, supply, largest_within(job, supply.machines, known.need))

    if job.workload.requests_per_second is None:
        return made()
    return ground.of(lambda _: made(), "paces", job.feed, options.batches.tobytes())


def _outcome(
    job: Job,
    machines: Machines,
    nodes: Floats,
    known: _Prepared,
    largest: Floats,
    chosen: Operating,
    disk: Disk,
) -> Outcome:
    devices, spread = np.maximum(machines.devices, 1.0), known.spread
    capacity = chosen.most_rate * nodes
    delivered, load = _load(job, chosen.machine_rate * nodes, chosen, devices * nodes)
    backlog = backlog_seconds(job.workload.requests_per_second, chosen.machine_rate * nodes)
    alone = float(job.workload.concurrency or np.inf) <= chosen.batch * devices * nodes
    own = np.where(alone, chosen.step_seconds, latency_seconds(chosen.step_seconds, load))
    latency = (own + backlog) * 1e3
    device = device_memory(machines, known.need, chosen.batch)
    rate = delivered / nodes
    host = _on_host(job, machines, known, chosen, devices)
    nothing, low = np.full(len(machines), np.nan), ranged(capacity, spread.low)
    fixed = job.workload.requests_per_second is not None
    return Outcome(
        obstacle=obstacles(bars(job, machines, np.ones(1), known.numbers.supported, device), machines, disk, host),
        throughput=delivered,
        capacity=capacity,
        capacity_low=low,
        capacity_high=ranged(capacity, spread.high),
        throughput_low=Worked(lambda rows: np.minimum(delivered[rows], low[rows]))
        if fixed
        else ranged(delivered, spread.low),
        throughput_high=delivered if fixed else ranged(delivered, spread.high),
        hours=nothing,
        hours_low=nothing,
        hours_high=nothing,
        checkpoint_hours=Gathered(np.full(1, np.nan), disk.of * 0),
        bottleneck=chosen.bottleneck,
        batch_used=chosen.batch,
        batch_largest=largest,
        vcpus_required=_vcpus(job, machines, rate),
        host=host,
        device=device,
        disk=disk_columns(job, disk, rate),
        local_disk=Gathered(disk.local, disk.of),
        emulated=known.numbers.emulated,
        devices_used=devices,
        latency_ms=latency,
        latency_low_ms=Worked(lambda rows: latency[rows] / spread.high[rows]),
        latency_high_ms=Worked(lambda rows: latency[rows] / spread.low[rows]),
        lone_latency_ms=Worked(lambda rows: latency_seconds(chosen.lone_seconds[rows], 0.0) * 1e3),
    )


def _on_host(job: Job, machines: Machines, known: _Prepared, chosen: Operating, devices: Floats) -> MemoryColumns:
    """Memory of the host, where each device has a process of its own."""
    model = model_on_host(machines, known.need, chosen.batch)
    process = feeding.process_of(job, devices, chosen.batch, model)
    return host_memory(job, machines, process, INFERENCE_VCPUS * devices)


def _vcpus(job: Job, machines: Machines, rate: Floats) -> Floats:
    """vCPUs of one machine that bring in ``rate`` samples a second."""
    busy = None if job.feed is None else feeding.busy_vcpus(machines, rate * job.feed.core_seconds)
    return feeding.vcpus_for(busy, feeding.least_vcpus(machines.devices, INFERENCE_VCPUS))


def _load(job: Job, capacity: Floats, chosen: Operating, devices: Floats) -> tuple[Floats, Floats]:
    """What is delivered and how busy the devices are: at the asked rate, for so many at once, or flat out."""
    if job.workload.requests_per_second is not None:
        rate = float(job.workload.requests_per_second)
        return np.minimum(rate, capacity * FULLEST), rate / capacity
    if job.workload.concurrency is not None:
        at_once = float(job.workload.concurrency)
        closed = at_once / (chosen.step_seconds * np.maximum(1.0, at_once / (chosen.batch * devices)))
        return np.minimum(closed, capacity), np.zeros(len(capacity))
    return capacity, np.zeros(len(capacity))
