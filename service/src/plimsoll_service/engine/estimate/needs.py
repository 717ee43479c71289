"""What a machine must have for the work, and what keeps it from running it: memory, disk, precision, network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.device_memory import Need, refused_share, usable_gib
from plimsoll_service.engine.estimate.drives import Disk
from plimsoll_service.engine.estimate.feeding import Process
from plimsoll_service.engine.estimate.machines import Machines, Places
from plimsoll_service.engine.estimate.outcome import Column, DiskColumns, Gathered, MemoryColumns, Worked, obstacle
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.units import MIB

DISK, MEMORY = np.int32(obstacle("disk")), np.int32(obstacle("memory"))


def device_memory(machines: Machines, need: Need, batch: Floats) -> MemoryColumns:
    """The need on one device; NaN on machines without one."""
    on_device, required, parts = machines.has_accelerator(), need.required(batch), need.breakdown(batch)
    if not on_device.all():
        required = np.where(on_device, required, np.nan)
        parts = {name: np.where(on_device, part[:], np.nan) for name, part in parts.items()}
    return MemoryColumns(required, usable_gib(machines), parts)


def spread_memory(of_kinds: MemoryColumns, of: Places) -> MemoryColumns:
    """The columns of all machines, from a row for each kind of them."""
    parts = {name: Gathered(part[:], of) for name, part in of_kinds.parts.items()}
    return MemoryColumns(of_kinds.required.take(of), of_kinds.usable.take(of), parts)


def model_on_host(machines: Machines, need: Need, batch: Floats) -> Floats | None:
    """GiB of the model in the host's memory where there is no device; ``None`` where each machine has one."""
    on_device = machines.has_accelerator()
    return None if on_device.all() else np.where(on_device, 0.0, need.required(batch))


def host_memory(job: Job, machines: Machines, process: Process, vcpus: Floats) -> MemoryColumns:
    """The process on the host with as many loaders as it has ``vcpus`` for."""
    required = process.gib(job)
    loaders: Column = Worked(lambda rows: 0.0 * rows)
    if not feeding.holds_data(job.feed):
        loaders = feeding.loaders_gib(job, feeding.workers_within(machines, vcpus, required, feeding.LOADER_GIB))
        required = required + loaders
    parts = process.parts(job, loaders)
    if job.feed is not None:
        kept = feeding.kept_gib(job)
        parts["page_cache"] = Worked(
            lambda rows: np.minimum(kept, np.maximum(machines.memory_gib[rows] - required[rows], 0.0))
        )
    return MemoryColumns(required, machines.memory_gib, parts)


def most_together(job: Job, machines: Machines) -> Floats:
    """Machines that may train together: over a network that nobody states each needs an experiment of its own."""
    return np.where(np.isnan(machines.network_gbps), float(job.experiments), np.inf)


@dataclass(frozen=True, eq=False)
class Bars:
    """Obstacles that no data decide: those that others come before, and those that come before all others."""

    weak: Ints
    barred: Places  # rows that have one of the latter
    strong: Ints  # in just those rows


def bars_of(weak: Ints, strong: Ints) -> Bars:
    """Both as columns; 0 where there is none."""
    barred = np.flatnonzero(strong)
    return Bars(weak, barred, strong[barred])


def bars(
    job: Job, machines: Machines, nodes: Floats, supported: Flags, device: MemoryColumns, only_devices: bool = False
) -> Bars:
    """What keeps each candidate from running the work whatever its data; memory is judged at its need's low end."""
    on_device = machines.has_accelerator()
    weak, strong = np.zeros(len(machines), dtype=np.int32), np.zeros(len(machines), dtype=np.int32)
    if job.training:
        np.putmask(weak, nodes > most_together(job, machines), obstacle("network"))
    too_little = on_device & (device.required * refused_share(job) > device.usable)
    np.putmask(strong, too_little, obstacle("accelerator_memory"))
    np.putmask(strong, ~supported, obstacle("precision"))
    unspecified = (on_device & ~machines.rated) | np.isnan(machines.cpu_tflops)
    np.putmask(strong, unspecified, obstacle("specification"))
    if only_devices:
        np.putmask(strong, ~on_device, obstacle("accelerators"))
    return bars_of(weak, strong)


def obstacles(known: Bars, machines: Machines, disk: Disk, host: MemoryColumns) -> Ints:
    """What keeps each candidate from running the work at all."""
    found = known.weak.copy()
    if disk.fits is not None:
        np.putmask(found, ~disk.fits.take(disk.of), DISK)
    np.putmask(found, host.required > machines.memory_gib, MEMORY)
    found[known.barred] = known.strong
    return found


def deliverable(most: Gathered, step: Floats, nodes: Floats) -> Worked:
    """Samples a second that the disk of one of ``nodes`` must bring in, where all take ``step`` seconds if none waits.

    No more than the ``most`` that it delivers: more requests would only be paid for.
    """
    return Worked(lambda rows: np.fmin(1 / step[rows] / nodes[rows], most[rows]))


def disk_columns(job: Job, disk: Disk, rate: Column) -> DiskColumns:
    """What the disk must hold and move so that nothing waits for it at that rate of one machine."""
    feed, size = job.feed, Gathered(disk.size_gib, disk.of)
    if feed is None:
        return DiskColumns(size, np.zeros(len(disk.of)), 0.0, 0.0)
    written = feed.written_bytes / feed.samples
    request = feeding.READ_BYTES if feed.sequential else min(feed.bytes_per_sample, feeding.READ_BYTES)
    requests = feed.bytes_per_sample / max(request, 1.0) + written / feeding.READ_BYTES
    return DiskColumns(size, rate, requests, (feed.bytes_per_sample + written) / MIB)
