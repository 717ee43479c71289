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
from plimsoll_service.engine.estimate.feeding import Disk
from plimsoll_service.engine.estimate.job_time import job_hours, writing_seconds
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.needs import bars, disk_columns, obstacles
from plimsoll_service.engine.estimate.outcome import Gathered, MemoryColumns, Outcome
from plimsoll_service.engine.estimate.ranges import Ends
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.units import SECONDS_PER_HOUR


@dataclass(frozen=True, eq=False)
class Plain:
    """A rate (units of the job a second, of the candidate) with what it needs and what limits it."""

    rate: Floats
    bottleneck: Ints
    supported: Flags  # the precision
    emulated: Flags
    devices: Floats
    device_gib: Floats  # on one device; NaN where none is used
    host_gib: Floats
    host_parts: Mapping[str, Floats] | Mapping[str, Gathered]
    vcpus: Floats
    size_gib: Floats
    disk: Disk
    uses_device: Flags


def plain_outcome(job: Job, machines: Machines, nodes: Floats, work: Plain, spread: Ends) -> Outcome:
    """The outcome of such work: hours where it has an end."""
    checkpoint_gib = job.workload.checkpoint_gib or 0.0
    nothing = np.full(len(machines), np.nan)
    device_gib = np.where(work.uses_device, work.device_gib, np.nan)
    device = MemoryColumns(device_gib, usable_gib(machines), {"working_set": device_gib})
    host = MemoryColumns(work.host_gib, machines.memory_gib, work.host_parts)
    low, high = work.rate * spread.low, work.rate * spread.high

    writing = writing_seconds(work.disk, checkpoint_gib)
    taken = job_hours(job, machines, nodes, writing, work.devices, work.rate, work.rate)

    def hours(rate: Floats) -> Floats:
        return nothing if np.isnan(job.samples) else taken(rate)

    return Outcome(
        obstacle=obstacles(bars(job, machines, nodes, work.supported, device), machines, work.disk, host),
        throughput=work.rate,
        capacity=work.rate,
        capacity_low=low,
        capacity_high=high,
        throughput_low=low,
        throughput_high=high,
        hours=hours(work.rate),
        hours_low=hours(high),
        hours_high=hours(low),
        checkpoint_hours=writing / SECONDS_PER_HOUR,
        bottleneck=work.bottleneck,
        batch_used=nothing,
        batch_largest=nothing,
        vcpus_required=work.vcpus,
        host=host,
        device=device,
        disk=disk_columns(job, work.size_gib, work.rate / nodes),
        local_disk=work.disk.local,
        emulated=work.emulated,
        devices_used=work.devices,
        latency_ms=nothing,
        latency_low_ms=nothing,
        latency_high_ms=nothing,
    )


def host_only(job: Job, machines: Machines, extra_gib: Floats) -> tuple[Floats, dict[str, Floats]]:
    """Host memory of a process that holds ``extra_gib`` besides the framework and its workers."""
    required, parts = feeding.process_gib(job, np.zeros(len(machines)), np.zeros(len(machines)), machines.vcpus * 0)
    return required + extra_gib, {**parts, "working_set": extra_gib}
