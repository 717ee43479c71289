"""Inference of models that are counted in samples: batch under a latency target, machines for a rate.

Every device answers for itself. A request waits for the batch that is running and, under load, for those
before it: 95th percentile = step · (1 + 0.95) + 3 · step · ρ / (2·(1 − ρ)) (mean wait of an M/D/1 queue;
the 95th percentile of an exponential tail is 3 times its mean).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from plimsoll_service.engine.demand.job import Job, lone_requests
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.device_memory import DeviceNeed, device_need
from plimsoll_service.engine.estimate.drives import Disk, Drives, disk_need, disk_of
from plimsoll_service.engine.estimate.feeding import INFERENCE_VCPUS
from plimsoll_service.engine.estimate.groundwork import Groundwork
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
from plimsoll_service.engine.estimate.outcome import Gathered, MemoryColumns, Outcome, Worked, select, take
from plimsoll_service.engine.estimate.overload import backlog_seconds
from plimsoll_service.engine.estimate.pace import paced
from plimsoll_service.engine.estimate.precision import Arithmetic
from plimsoll_service.engine.estimate.ranges import Ends, ends
from plimsoll_service.engine.estimate.roofline import Step
from plimsoll_service.engine.estimate.supply import Input
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.models.profile import ROW_FAMILIES, ModelProfile

RUNNING_BATCH_WAIT = 0.95
TAIL = 3.0
FULLEST = 0.95  # load at which a queue is still finite in practice
BATCHES = tuple(2.0**power for power in range(9))  # 1 … 256: beyond it the published rows gain under 5%
ROW_BATCHES = tuple(4.0**power for power in range(9))  # 1 … 65,536, where a sample is a row of a table


@dataclass(frozen=True, eq=False)
class Operating:
    """One way to run each candidate: batch, samples a second of one machine, latency unloaded and at the load."""

    batch: Floats
    machine_rate: Floats
    step_seconds: Floats
    bottleneck: Ints
    lone_seconds: Floats  # a step of the smallest batch
    most_rate: Floats  # samples a second of one machine at the best batch that it may run


@dataclass(frozen=True, eq=False)
class _Prepared:
    """What is known before the data are: arithmetic, memory by batch, and steps by batch."""

    numbers: Arithmetic
    need: DeviceNeed
    hardware: Kinds
    steps: Steps  # a row a kind of hardware

    def step(self, batch: float) -> Step:
        """A step of so many samples on each machine."""
        return take(self.steps.step(np.full(len(self.hardware), batch)), self.hardware.of)


def estimate(
    job: Job, machines: Machines, nodes: Floats | None, drives: Drives, ground: Groundwork
) -> tuple[Outcome, Floats]:
    """The outcome and the machines that it takes; ``nodes`` given where the user fixed them."""
    profile = job.profile
    assert profile is not None  # a job of this kind always has a model
    known = ground.of(lambda plain: _prepared(plain, profile, machines), "prepared")
    spread, largest = ends(machines, "inference"), largest_within(job, machines, known.need)
    alone = drives.unshared()
    disk = disk_of(job, alone, disk_need(job, alone.nodes, model_bytes(job), 0.0))
    supply = Input(job, machines, feeding.reference_cores(machines), disk)

    def operate(batch: float) -> Operating:
        return _operate(supply, np.full(len(machines), batch), ground.of(lambda _: known.step(batch), "step", batch))

    chosen = _choose(job, profile, spread.low, largest, operate)
    if nodes is None:
        nodes = _machines_needed(job, spread.low, chosen)
    return _outcome(job, machines, nodes, known, spread, largest, chosen, disk), nodes


def _prepared(job: Job, profile: ModelProfile, machines: Machines) -> _Prepared:
    hardware = hardware_kinds(machines)
    some = machines.take(hardware.rows)
    numbers = paced(job, profile, some)
    need = device_need(job, profile, some, numbers)
    steps = steps_of(job, profile, some, numbers, batches_of(profile))
    return _Prepared(take(numbers, hardware.of), take(need, hardware.of), hardware, steps)


def _machines_needed(job: Job, cautious: Floats, one: Operating) -> Floats:
    """Machines that carry the asked rate at the low end of what each can do; one where none is asked."""
    rate = job.workload.requests_per_second or 0.0
    wanted = rate / (one.machine_rate * cautious * FULLEST)
    return np.maximum(1.0, np.ceil(np.nan_to_num(wanted, posinf=1e9)))


def _choose(
    job: Job, profile: ModelProfile, cautious: Floats, largest: Floats, operate: Callable[[float], Operating]
) -> Operating:
    """The batch with the highest rate whose unloaded latency meets the target; the smallest where none does.

    At a given rate a larger batch only delays answers, unless fewer machines then carry it. ``cautious`` is the low end
    of each machine's rate, as a factor.
    """
    asked = job.workload.batch_size
    best = operate(float(asked or 1))
    if asked is not None or lone_requests(job):
        return best
    limit = np.inf if job.workload.latency_ms is None else job.workload.latency_ms / 1e3
    most = np.inf if job.workload.concurrency is None else float(job.workload.concurrency)
    for size in batches_of(profile)[1:]:
        if size > most:
            break
        other = operate(size)
        late = latency_seconds(other.step_seconds, 0.0) / cautious > limit
        better = other.machine_rate > best.machine_rate
        if job.workload.requests_per_second is not None:
            better &= _machines_needed(job, cautious, other) < _machines_needed(job, cautious, best)
        allowed = ~late & (size <= largest)
        most_rate = np.where(allowed, np.fmax(best.most_rate, other.machine_rate), best.most_rate)
        best = select(better & allowed, replace(other, lone_seconds=best.lone_seconds), best)
        best = replace(best, most_rate=most_rate)
    return best


def batches_of(profile: ModelProfile) -> tuple[float, ...]:
    """The batches that are tried where none is asked."""
    return ROW_BATCHES if profile.family in ROW_FAMILIES else BATCHES


def _operate(supply: Input, batch: Floats, one: Step) -> Operating:
    devices = np.maximum(supply.machines.devices, 1.0)
    device_rate = batch * devices / one.seconds
    host = feeding.process_gib(supply.job, devices, batch, INFERENCE_VCPUS * devices)
    run = supply.fed(device_rate, one.bottleneck, host)
    slowed = np.maximum(one.seconds, batch * devices / run.rate) * one.at_once
    return Operating(batch, run.rate, slowed, run.bottleneck[:], slowed, run.rate)


def latency_seconds(step_seconds: Floats, load: Floats | float) -> Floats:
    """95th percentile of the time to answer, at a load between 0 and 1."""
    bounded = np.minimum(load, FULLEST)
    seconds: Floats = step_seconds * (1 + RUNNING_BATCH_WAIT + TAIL * bounded / (2 * (1 - bounded)))
    return seconds


def _outcome(
    job: Job,
    machines: Machines,
    nodes: Floats,
    known: _Prepared,
    spread: Ends,
    largest: Floats,
    chosen: Operating,
    disk: Disk,
) -> Outcome:
    devices = np.maximum(machines.devices, 1.0)
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
