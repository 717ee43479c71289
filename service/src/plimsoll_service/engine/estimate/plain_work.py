"""Work without a neural network: an HPC job, preprocessing, tabular learning; time from rates that add or compete.

No study of measurements stands behind these: ``modelled``, and wide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.device_memory import usable_gib
from plimsoll_service.engine.estimate.drives import Disk
from plimsoll_service.engine.estimate.feeding import Process
from plimsoll_service.engine.estimate.job_time import job_hours, standing, writing_seconds
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.needs import Bars, disk_columns, obstacles
from plimsoll_service.engine.estimate.outcome import Column, Gathered, MemoryColumns, Outcome, Worked
from plimsoll_service.engine.estimate.ranges import Ends
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.units import SECONDS_PER_HOUR


@dataclass(frozen=True, eq=False)
class Plain:
    """A rate (units of the job a second, of the candidate) with what it needs and what limits it."""

    rate: Floats
    bottleneck: Ints
    bars: Bars
    emulated: Flags
    devices: Floats
    device: MemoryColumns
    host_gib: Floats
    host_parts: Mapping[str, Column]
    vcpus: Floats
    disk: Disk


def plain_outcome(job: Job, machines: Machines, nodes: Floats, work: Plain, spread: Ends) -> Outcome:
    """The outcome of such work: hours where it has an end."""
    checkpoint_gib = job.workload.checkpoint_gib or 0.0
    nothing = np.full(len(machines), np.nan)
    host = MemoryColumns(work.host_gib, machines.memory_gib, work.host_parts)
    low, high = work.rate * spread.low, work.rate * spread.high

    writing = writing_seconds(work.disk, checkpoint_gib)
    slowed = standing(job, writing).take(work.disk.of)
    taken = job_hours(job, machines, nodes, slowed, work.devices, work.rate, work.rate)

    def hours(rate: Floats) -> Floats:
        return nothing if np.isnan(job.samples) else taken(rate)

    return Outcome(
        obstacle=obstacles(work.bars, machines, work.disk, host),
        throughput=work.rate,
        capacity=work.rate,
        capacity_low=low,
        capacity_high=high,
        throughput_low=low,
        throughput_high=high,
        hours=hours(work.rate),
        hours_low=hours(high),
        hours_high=hours(low),
        checkpoint_hours=Gathered(writing / SECONDS_PER_HOUR, work.disk.of),
        bottleneck=work.bottleneck,
        batch_used=nothing,
        batch_largest=nothing,
        vcpus_required=work.vcpus,
        host=host,
        device=work.device,
        disk=disk_columns(job, work.disk, work.rate / nodes),
        local_disk=Gathered(work.disk.local, work.disk.of),
        emulated=work.emulated,
        devices_used=work.devices,
        latency_ms=nothing,
        latency_low_ms=nothing,
        latency_high_ms=nothing,
    )


def device_columns(machines: Machines, gib: Floats) -> MemoryColumns:
    """Memory of one device; NaN where none is used."""
    return MemoryColumns(gib, usable_gib(machines), {"working_set": gib})


def bare_host_gib(job: Job) -> float:
    """Host memory of a process without devices, loaders or batches: framework, and data that it holds."""
    return float(_bare(job).gib(job)[0])


def host_parts(job: Job, working_set: Column) -> dict[str, Column]:
    """What host memory is made of where a process holds ``working_set`` GiB besides."""
    bare, nothing = _bare(job), np.zeros(1)
    return {**{name: _everywhere(part) for name, part in bare.parts(job, nothing).items()}, "working_set": working_set}


def _bare(job: Job) -> Process:
    return feeding.process_of(job, np.zeros(1), np.zeros(1))


def _everywhere(one: Column) -> Column:
    """The only row for every row."""
    value = one.item(0)
    return Worked(lambda rows: value + 0.0 * rows)
