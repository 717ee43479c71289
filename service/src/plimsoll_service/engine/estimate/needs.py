"""What a machine must have for the work, and what keeps it from running it: memory, disk, precision, network."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import feeding
from plimsoll_service.engine.estimate.device_memory import (
    Need,
    refused_share,
    usable_gib,
)
from plimsoll_service.engine.estimate.feeding import Disk
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import DiskColumns, MemoryColumns, obstacle
from plimsoll_service.engine.estimate.precision import Arithmetic
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.units import MIB


def device_memory(machines: Machines, need: Need, batch: Floats) -> MemoryColumns:
    """The need on one device; NaN on machines without one."""
    on_device = machines.has_accelerator()
    required = np.where(on_device, need.required(batch), np.nan)
    parts = {name: np.where(on_device, part, np.nan) for name, part in need.breakdown(batch).items()}
    if not np.all(on_device):
        parts["host"] = np.where(on_device, 0.0, need.required(batch))
    return MemoryColumns(required, usable_gib(machines), parts)


def host_memory(
    job: Job, machines: Machines, devices: Floats, batch: Floats, vcpus: Floats, device: MemoryColumns
) -> MemoryColumns:
    """The process on the host; without an accelerator the model is there too."""
    model = device.parts.get("host", np.zeros(len(machines)))
    base_gib, _ = feeding.process_gib(job, devices, batch, np.zeros(len(machines)))
    loaders = feeding.workers_within(machines, vcpus, base_gib + model, feeding.LOADER_GIB)
    required, parts = feeding.process_gib(job, devices, batch, loaders)
    if np.any(model > 0):
        parts["model"] = model
    if job.feed is not None:
        free = np.maximum(machines.memory_gib - required - model, 0)
        parts["page_cache"] = np.minimum(feeding.kept_gib(job), free)
    return MemoryColumns(required + model, machines.memory_gib, parts)


def obstacles(
    job: Job,
    machines: Machines,
    nodes: Floats,
    numbers: Arithmetic,
    disk: Disk,
    device: MemoryColumns,
    host: MemoryColumns,
) -> Ints:
    """What keeps each candidate from running the work at all; memory is judged at the low end of its need."""
    on_device = machines.has_accelerator()
    found = np.zeros(len(machines), dtype=np.int32)
    if job.training:
        found[(nodes > 1) & np.isnan(machines.network_gbps) & (job.experiments < nodes)] = obstacle("network")
    found[~disk.fits] = obstacle("disk")
    found[host.required > machines.memory_gib] = obstacle("memory")
    too_little = on_device & (device.required * refused_share(job) > device.usable)
    found[too_little] = obstacle("accelerator_memory")
    found[~numbers.supported] = obstacle("precision")
    unspecified = on_device & ~np.any(machines.peak_tflops > 0, axis=1)
    found[unspecified | np.isnan(machines.cpu_tflops)] = obstacle("specification")
    return found


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
