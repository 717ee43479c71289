"""Work without a neural network: an HPC job, preprocessing, tabular learning; time from rates that add or compete.

No study of measurements stands behind these: ``modelled``, and wide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ...clusters import Drives, machines_working
from ...columns import Column, Lazy, Lookup
from ...demand.host_process import Process, process_of
from ...demand.job import Job
from ...hardware import Flags, Floats, Ints
from ...machines import Machines
from ...units import SECONDS_PER_HOUR
from ..input.disks import Disk, disk_columns, disk_need, disk_of, filled_mib_s
from ..job_time import checkpoint_slowdown, job_hours, ranged, writing_seconds
from ..outcome import MemoryColumns, Outcome
from ..ranges import Ends, unstudied
from ..requirements import Obstacles, obstacles, usable_gib


@dataclass(frozen=True, eq=False)
class DeviceUse:
    """Use of the devices: emulation of the precision, memory, and obstacles."""

    emulated: Flags
    memory: MemoryColumns
    obstacles: Obstacles


def devices_idle(job: Job, alone: Machines, nodes: Floats) -> DeviceUse:
    """The use of machines whose accelerators are left idle, in single precision."""
    memory = device_columns(np.full(len(alone), np.nan), usable_gib(alone))
    supported = ~np.isnan(alone.cpu_tflops)
    return DeviceUse(np.zeros(len(alone), dtype=bool), memory, obstacles(job, alone, nodes, supported, memory))


@dataclass(frozen=True, eq=False)
class PlainWork:
    """A rate (units of the job a second, of the candidate), its bottleneck, and its needs."""

    rate: Floats
    bottleneck: Ints | Lazy
    use: DeviceUse
    devices: Floats
    host_gib: Floats
    host_parts: Mapping[str, Column]
    vcpus: Column
    disk: Disk
    runs: Floats | None = None  # side by side on each machine; ``None``: as many as devices
    reading: Floats | None = None  # samples a second of one machine's disk while they load; ``None``: at the whole rate


def plain_outcome(job: Job, machines: Machines, nodes: Floats, work: PlainWork, spread: Ends | None = None) -> Outcome:
    """The outcome of such work: hours where it has an end. Nobody studied how far off it is, unless told."""
    nothing, spread = np.full(len(machines), np.nan), spread or unstudied(job, machines)
    host = MemoryColumns(work.host_gib, machines.memory_gib, work.host_parts)
    low, high = ranged(work.rate, spread.low), ranged(work.rate, spread.high)
    checkpoint_gib = job.workload.checkpoint_gib or 0.0
    writing = writing_seconds(work.disk, checkpoint_gib)
    runs = work.devices if work.runs is None else work.runs
    hours = _hours(job, machines, nodes, work, runs, writing)
    working = machines_working(job.experiments, runs, nodes)
    mean = Lazy(lambda rows: work.rate[rows] / working[rows])
    ordered = disk_columns(job, work.disk, mean if work.reading is None else work.reading, checkpoint_gib)
    return Outcome(
        obstacle=work.use.obstacles.with_data(machines, work.disk.lacking, host),
        throughput=work.rate,
        capacity=work.rate,
        capacity_low=low,
        capacity_high=high,
        throughput_low=low,
        throughput_high=high,
        hours=nothing if hours is None else hours(work.rate),
        hours_low=nothing if hours is None else Lazy(lambda rows: hours(high[rows], rows)),
        hours_high=nothing if hours is None else Lazy(lambda rows: hours(low[rows], rows)),
        checkpoint_hours=Lookup(writing / SECONDS_PER_HOUR, work.disk.of),
        bottleneck=work.bottleneck,
        batch_used=nothing,
        batch_largest=nothing,
        vcpus_required=work.vcpus,
        host=host,
        device=work.use.memory,
        disk=ordered,
        local_disk=Lookup(work.disk.local, work.disk.of),
        emulated=work.use.emulated,
        devices_used=work.devices,
        latency_ms=nothing,
        latency_low_ms=nothing,
        latency_high_ms=nothing,
        filled_mib_s=filled_mib_s(work.disk, ordered),
        runs=work.runs,
    )


def _hours(
    job: Job, machines: Machines, nodes: Floats, work: PlainWork, runs: Floats, writing: Floats
) -> Callable[..., Floats] | None:
    """Hours by rate (see ``job_hours``); ``None`` of work without an end."""
    if np.isnan(job.samples):
        return None
    slowed = checkpoint_slowdown(job, writing).take(work.disk.of)
    return job_hours(job, machines.boot_seconds, nodes, slowed, runs, work.rate, work.rate)


def device_columns(gib: Floats, usable: Floats, context_gib: float = 0.0) -> MemoryColumns:
    """Memory of one device, its context besides; NaN where none is used."""
    parts = {"framework": 0.0 * gib + context_gib, "working_set": gib} if context_gib else {"working_set": gib}
    return MemoryColumns(gib + context_gib, usable, parts)


def bare_process(job: Job, machines: int) -> Process:
    """A process on each machine without devices, loaders or batches: framework, and data that it holds."""
    return process_of(job, np.zeros(machines), 0.0)


def host_parts(job: Job, bare: Process, working_set: Column) -> dict[str, Column]:
    """Parts of the host memory where such a process holds ``working_set`` GiB besides."""
    return {**bare.parts(job, Lazy(lambda rows: 0.0 * rows)), "working_set": working_set}


def plain_disk(job: Job, drives: Drives) -> Disk:
    """The disk for work without a model: checkpoints only where the user gives their size."""
    return disk_of(job, drives, disk_need(job, drives.nodes, 0.0, job.workload.checkpoint_gib or 0.0))
