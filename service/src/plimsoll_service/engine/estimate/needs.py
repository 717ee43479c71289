"""What a machine must have for the work, and what keeps it from running it: memory, disk, precision, network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.device_memory import Need, refused_share, usable_gib
from plimsoll_service.engine.estimate.feeding import Disk
from plimsoll_service.engine.estimate.machines import Machines, Places
from plimsoll_service.engine.estimate.outcome import DiskColumns, Gathered, MemoryColumns, obstacle
from plimsoll_service.engine.hardware import Flags, Floats, Ints
from plimsoll_service.engine.units import MIB


def device_memory(machines: Machines, need: Need, batch: Floats) -> MemoryColumns:
    """The need on one device; NaN on machines without one."""
    on_device = machines.has_accelerator()
    required = np.where(on_device, need.required(batch), np.nan)
    parts = {name: np.where(on_device, part, np.nan) for name, part in need.breakdown(batch).items()}
    return MemoryColumns(required, usable_gib(machines), parts)


def spread_memory(of_kinds: MemoryColumns, of: Places) -> MemoryColumns:
    """The columns of all machines, from a row for each kind of them."""
    parts = {name: Gathered(np.asarray(part), of) for name, part in of_kinds.parts.items()}
    return MemoryColumns(of_kinds.required[of], of_kinds.usable[of], parts)


def model_on_host(machines: Machines, need: Need, batch: Floats) -> Floats | None:
    """GiB of the model in the host's memory where there is no device; ``None`` where each machine has one."""
    on_device = machines.has_accelerator()
    return None if on_device.all() else np.where(on_device, 0.0, need.required(batch))


def host_memory(
    job: Job, machines: Machines, devices: Floats, batch: Floats, vcpus: Floats, model: Floats | None
) -> MemoryColumns:
    """The process on the host, and the model where it is there too."""
    required, parts = feeding.loaderless_gib(job, devices, batch)
    if model is not None:
        required = required + model
    workers = feeding.workers_within(machines, vcpus, required, feeding.LOADER_GIB)
    parts["loaders"] = feeding.loaders_gib(job, workers)
    required = required + parts["loaders"]
    if model is not None:
        parts["model"] = model
    if job.feed is not None:
        free = np.maximum(machines.memory_gib - required, 0)
        parts["page_cache"] = np.minimum(feeding.kept_gib(job), free)
    return MemoryColumns(required, machines.memory_gib, parts)


@dataclass(frozen=True, eq=False)
class Bars:
    """Obstacles that no data decide: those that others come before, and those that come before all others."""

    weak: Ints
    strong: Ints


def bars(job: Job, machines: Machines, nodes: Floats, supported: Flags, device: MemoryColumns) -> Bars:
    """What keeps each candidate from running the work whatever its data; memory is judged at its need's low end."""
    on_device = machines.has_accelerator()
    weak, strong = np.zeros(len(machines), dtype=np.int32), np.zeros(len(machines), dtype=np.int32)
    if job.training:
        weak[(nodes > 1) & np.isnan(machines.network_gbps) & (job.experiments < nodes)] = obstacle("network")
    too_little = on_device & (device.required * refused_share(job) > device.usable)
    strong[too_little] = obstacle("accelerator_memory")
    strong[~supported] = obstacle("precision")
    strong[(on_device & ~machines.rated) | np.isnan(machines.cpu_tflops)] = obstacle("specification")
    return Bars(weak, strong)


def obstacles(known: Bars, machines: Machines, disk: Disk, host: MemoryColumns) -> Ints:
    """What keeps each candidate from running the work at all."""
    found = known.weak if disk.fits is None else np.where(disk.fits, known.weak, np.int32(obstacle("disk")))
    found = np.where(host.required > machines.memory_gib, np.int32(obstacle("memory")), found)
    return np.where(known.strong > 0, known.strong, found)


def useful_rate(job: Job, disk: Disk, rate: Floats) -> Floats:
    """Of a rate that the machine could take, what its disk can deliver: more requests would only be paid for."""
    return rate if job.feed is None else np.fmin(rate, feeding.read_rate(job.feed, disk))


def disk_columns(job: Job, size: Floats, rate: Floats) -> DiskColumns:
    """What the volume must hold and move so that nothing waits for it."""
    feed = job.feed
    if feed is None:
        return DiskColumns(size, np.zeros_like(size), np.zeros_like(size))
    written = feed.written_bytes / feed.samples
    request = feeding.READ_BYTES if feed.sequential else min(feed.bytes_per_sample, feeding.READ_BYTES)
    requests = feed.bytes_per_sample / max(request, 1.0) + written / feeding.READ_BYTES
    return DiskColumns(size, np.ceil(rate * requests), rate * (feed.bytes_per_sample + written) / MIB)
