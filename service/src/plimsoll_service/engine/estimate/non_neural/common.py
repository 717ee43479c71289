"""Work without a neural network: an HPC job, preprocessing, tabular learning; time from rates that add or compete.

No study of measurements stands behind these: ``modelled``, and wide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.columns import Column, Gathered, Worked
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.arithmetic import single_precision
from plimsoll_service.engine.estimate.input import pipeline
from plimsoll_service.engine.estimate.input.disks import Disk, disk_columns
from plimsoll_service.engine.estimate.input.pipeline import Process
from plimsoll_service.engine.estimate.job_time import job_hours, ranged, standing, writing_seconds
from plimsoll_service.engine.estimate.outcome import MemoryColumns, Outcome
from plimsoll_service.engine.estimate.parallelism import machines_working
from plimsoll_service.engine.estimate.ranges import Ends, SharedEnds
from plimsoll_service.engine.estimate.requirements import Bars, bars, obstacles, usable_gib
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.units import SECONDS_PER_HOUR


@dataclass(frozen=True, eq=False)
class Idle:
    """What no data decide of machines whose accelerators are left idle."""

    machines: Machines  # without them
    emulated: Flags
    device: MemoryColumns
    bars: Bars


def idle(job: Job, machines: Machines, nodes: Floats) -> Idle:
    """The machines with their accelerators left idle, in single precision."""
    alone = machines.on_processors()
    support, device = single_precision(alone), device_columns(np.full(len(alone), np.nan), usable_gib(alone))
    return Idle(alone, support.emulated, device, bars(job, alone, nodes, support.supported, device))


@dataclass(frozen=True, eq=False)
class Plain:
    """A rate (units of the job a second, of the candidate) with what it needs and what limits it."""

    rate: Floats
    bottleneck: Ints | Worked
    bars: Bars
    emulated: Flags
    devices: Floats
    device: MemoryColumns
    host_gib: Floats
    host_parts: Mapping[str, Column]
    vcpus: Column
    disk: Disk


def plain_outcome(job: Job, machines: Machines, nodes: Floats, work: Plain, spread: Ends | SharedEnds) -> Outcome:
    """The outcome of such work: hours where it has an end."""
    nothing = np.full(len(machines), np.nan)
    host = MemoryColumns(work.host_gib, machines.memory_gib, work.host_parts)
    low, high = ranged(work.rate, spread.low), ranged(work.rate, spread.high)
    writing = writing_seconds(work.disk, job.workload.checkpoint_gib or 0.0)
    hours = _hours(job, machines, nodes, work, writing)
    working = machines_working(job.experiments, work.devices, nodes)
    return Outcome(
        obstacle=obstacles(work.bars, machines, work.disk, host),
        throughput=work.rate,
        capacity=work.rate,
        capacity_low=low,
        capacity_high=high,
        throughput_low=low,
        throughput_high=high,
        hours=nothing if hours is None else hours(work.rate),
        hours_low=nothing if hours is None else Worked(lambda rows: hours(high[rows], rows)),
        hours_high=nothing if hours is None else Worked(lambda rows: hours(low[rows], rows)),
        checkpoint_hours=Gathered(writing / SECONDS_PER_HOUR, work.disk.of),
        bottleneck=work.bottleneck,
        batch_used=nothing,
        batch_largest=nothing,
        vcpus_required=work.vcpus,
        host=host,
        device=work.device,
        disk=disk_columns(job, work.disk, Worked(lambda rows: work.rate[rows] / working[rows])),
        local_disk=Gathered(work.disk.local, work.disk.of),
        emulated=work.emulated,
        devices_used=work.devices,
        latency_ms=nothing,
        latency_low_ms=nothing,
        latency_high_ms=nothing,
    )


def _hours(job: Job, machines: Machines, nodes: Floats, work: Plain, writing: Floats) -> Callable[..., Floats] | None:
    """Hours by rate (see ``job_hours``); ``None`` of work without an end."""
    if np.isnan(job.samples):
        return None
    slowed = standing(job, writing).take(work.disk.of)
    return job_hours(job, machines, nodes, slowed, work.devices, work.rate, work.rate)


def device_columns(gib: Floats, usable: Floats) -> MemoryColumns:
    """Memory of one device; NaN where none is used."""
    return MemoryColumns(gib, usable, {"working_set": gib})


def bare_process(job: Job) -> Process:
    """A process without devices, loaders or batches: framework, and data that it holds."""
    nothing = np.zeros(1)
    return pipeline.process_of(job, nothing, nothing)


def bare_gib(job: Job, bare: Process) -> float:
    """GiB of such a process."""
    return bare.gib(job).item()


def host_parts(job: Job, bare: Process, working_set: Column) -> dict[str, Column]:
    """What host memory is made of where such a process holds ``working_set`` GiB besides."""
    parts = bare.parts(job, np.zeros(1))
    return {**{name: _everywhere(part) for name, part in parts.items()}, "working_set": working_set}


def _everywhere(one: Column) -> Column:
    """The only row for every row."""
    return Worked(lambda rows: one.item(0) + 0.0 * rows)
