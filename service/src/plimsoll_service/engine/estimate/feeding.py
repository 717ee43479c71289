"""What brings the data to the devices: processors that decode, disks that read, memory that caches.

A step that waits for its input takes the soft maximum (T⁴ + feed⁴)^(1/4) (throughput study, section 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.coefficients import TRAINING_MEMORY
from plimsoll_service.engine.demand.job import Feed, Job
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.hardware import Flags, Floats
from plimsoll_service.engine.units import GB, GIB, MIB

WAIT_NORM = 4.0
TRAINING_VCPUS = 4.0  # per device, S3-03
HELD_DATA_VCPUS = 2.0  # per device, where the data are a few megabytes that the process holds: S3-06
HELD_DATA_BYTES = 1e8  # data of which that is said: S3-06 had 5 MB; MNIST and CIFAR are of that size too
INFERENCE_VCPUS = 2.0  # per device, S3-07 and S3-09
LOADER_GIB = (
    0.25  # a loader's worker process with its queue of decoded batches: about a quarter of S3-04's 5 GB over 16 workers
)
SYSTEM_GIB = 1.0  # kernel and system services
PINNED_BATCHES = 4.0  # two being filled, one being copied, one in use
CACHE_MARGIN = 0.9  # share of free memory that page cache can fill
NVME_MIB_S_PER_GB = (
    16_000.0 / 15_200.0 / 1.048576
)  # i3.16xlarge: 16 GB/s from 15.2 TB; denser drives move less a GB, smaller ones more
NVME_IOPS_PER_GB = 3.3e6 / 15_200.0  # the same: 3.3 million 4 KiB reads a second
NVME_LATENCY_S = 1e-4  # of one read from a local drive: providers say tens to hundreds of microseconds
READ_BYTES = 256 * 1024.0  # a sequential reader's request
IMAGE_GIB = 30.0  # system and a framework's container image
SPARE = 1.2  # space left free on a volume
CHECKPOINTS_KEPT = 2.0  # the last good one stays while the next is written


@dataclass(frozen=True, eq=False)
class Disk:
    """What a machine's disk can do: the asked class, or the best of local NVMe and SSD volumes for ``auto``."""

    mib_s: Floats
    iops: Floats
    latency_s: Floats  # of one request
    local: Flags  # on the machine's own NVMe
    fits: Flags | None  # None where what is ordered is always large enough


@dataclass(frozen=True, eq=False)
class Volume:
    """What the volume of the asked class can move, per machine: MiB/s, requests a second, seconds of one request."""

    mib_s: Floats
    iops: Floats
    latency_s: Floats


def decode_rate(feed: Feed, machines: Machines) -> Floats:
    """Samples a second that the machine's cores bring in."""
    rate: Floats = machines.cores * machines.core_speed / max(feed.core_seconds, 1e-9)
    return rate


def holds_data(feed: Feed | None) -> bool:
    """Whether the process holds its few data from the start: nothing is loaded while it runs."""
    return feed is not None and (feed.format == "memory" or feed.stored_bytes <= HELD_DATA_BYTES)


def training_vcpus(feed: Feed | None) -> float:
    """vCPUs that a device in training needs at least."""
    return HELD_DATA_VCPUS if holds_data(feed) else TRAINING_VCPUS


def vcpus_for(feed: Feed | None, machines: Machines, rate: Floats, devices: Floats, floor: Floats) -> Floats:
    """vCPUs that bring in ``rate`` samples a second, at least the floor per device."""
    least = floor * np.maximum(devices, 1.0)
    if feed is None:
        return np.ceil(least)
    cores = rate * feed.core_seconds / machines.core_speed
    return np.ceil(np.fmax(least, cores * (machines.vcpus / machines.cores)))  # an unknown rate asks for no more


def cached(feed: Feed, machines: Machines, process_gib: Floats, nodes: Floats) -> Flags:
    """Whether one machine's part of the data stays in page cache after the first pass."""
    room = (machines.memory_gib - process_gib - SYSTEM_GIB) * CACHE_MARGIN
    return feed.stored_bytes / nodes / GIB <= room


def kept_gib(job: Job) -> float:
    """Page cache that pays: data read again; a mapped database grows with what has been read of it (S3-04, S3-07)."""
    feed = job.feed
    if feed is None:
        return 0.0
    whole = feed.stored_bytes / GIB
    if feed.passes > 1:
        return whole
    if job.mapped_share > 0:
        return job.mapped_share * whole * feed.passes
    return whole if np.isnan(job.samples) else 0.0


def read_rate(feed: Feed, disk: Disk) -> Floats:
    """Samples a second that one machine's disk delivers: by throughput, and by requests where reads are random."""
    by_bytes = disk.mib_s * MIB / max(feed.bytes_per_sample, 1e-9)
    request = READ_BYTES if feed.sequential else max(min(feed.bytes_per_sample, READ_BYTES), 1.0)
    by_requests = disk.iops * request / max(feed.bytes_per_sample, 1e-9)
    rate: Floats = np.minimum(by_bytes, by_requests)
    return rate


def wait(step: Floats, feeding: Floats) -> Floats:
    """Seconds of a step that must also be fed: the soft maximum of both."""
    longest = np.maximum(step, feeding)
    smaller = np.minimum(step, feeding) / np.maximum(longest, 1e-30)
    return longest * (1 + smaller**WAIT_NORM) ** (1 / WAIT_NORM)


def process_gib(job: Job, devices: Floats, batch: Floats, workers: Floats) -> tuple[Floats, dict[str, Floats]]:
    """Host memory of the process at its peak: framework, loaders, pinned batches, data that it holds."""
    required, parts = loaderless_gib(job, devices, batch)
    parts["loaders"] = loaders_gib(job, workers)
    return required + parts["loaders"], parts


def loaderless_gib(job: Job, devices: Floats, batch: Floats) -> tuple[Floats, dict[str, Floats]]:
    """The same before there are loaders."""
    feed = job.feed
    processes = np.maximum(devices, 1.0)
    parts = {
        "system": np.full(len(processes), SYSTEM_GIB),
        "framework": job.host_base_gib * processes,
        "loaders": np.zeros(len(processes)),
    }
    if feed is not None:
        parts["pinned_batches"] = PINNED_BATCHES * batch * processes * (feed.bytes_per_sample / GIB)
        held = job.host_bytes_per_data_byte * feed.stored_bytes / GIB
        if held > 0:
            parts["data"] = np.full(len(processes), held)
    return reduce(np.add, parts.values()), parts


def loaders_gib(job: Job, workers: Floats) -> Floats:
    """Host memory of so many loaders; data that the process holds from the start need none."""
    return np.zeros_like(workers) if holds_data(job.feed) else LOADER_GIB * workers


def workers_within(machines: Machines, wanted: Floats, other_gib: Floats, each_gib: float) -> Floats:
    """As many of the wanted workers as memory leaves room for, at least one; more cores than that stay idle."""
    room = machines.memory_gib * TRAINING_MEMORY.recommend_other - other_gib
    able: Floats = np.minimum(wanted, np.maximum(np.floor(room / each_gib), 1.0))
    return able


def devices_within(job: Job, machines: Machines) -> Floats:
    """Devices whose processes host memory can hold, at least one; more devices than that stay idle."""
    devices = machines.devices
    rows = np.flatnonzero(devices > 1)  # one device takes part on any machine
    several, each = machines.take(rows), job.host_base_gib + LOADER_GIB
    able = workers_within(several, several.devices, np.full(len(rows), SYSTEM_GIB), each)
    return with_rows(devices, rows, np.fmin(several.devices, able))


def disk_need(job: Job, nodes: Floats, model_bytes: float, checkpoints_gib: float) -> Floats:
    """GiB of one machine's disk: image, its data and prepared copy, weights, checkpoints, and room to spare."""
    feed = job.feed
    data = 0.0 if feed is None else (feed.stored_bytes + feed.written_bytes) / GIB
    size: Floats = SPARE * (IMAGE_GIB + data / nodes + model_bytes / GIB + checkpoints_gib)
    return size


def plain_disk_need(job: Job, nodes: Floats) -> Floats:
    """The same of work without a model: checkpoints only where the user gives their size."""
    return disk_need(job, nodes, 0.0, CHECKPOINTS_KEPT * (job.workload.checkpoint_gib or 0.0))


def disk_of(job: Job, machines: Machines, size_gib: Floats, volume: Volume) -> Disk:
    """The disk that the job runs on: local NVMe where asked, for ``auto`` the faster of local NVMe and a volume."""
    kind = job.workload.disk.type
    mib_s = np.fmin(volume.mib_s, machines.disk_mib_s)  # as if not limited where it is unknown
    iops, latency_s = volume.iops, volume.latency_s
    local = np.zeros(len(machines), dtype=bool)
    if kind in ("nvme", "auto"):
        rows = np.flatnonzero(machines.local_nvme)
        drive_gb = machines.local_disk_gb[rows]
        # The image lies on the volume that the machine starts from.
        able = drive_gb * GB / GIB >= size_gib[rows] - SPARE * IMAGE_GIB
        if kind == "auto":
            able &= drive_gb * NVME_MIB_S_PER_GB >= mib_s[rows]
        chosen, drive_gb = rows[able], drive_gb[able]
        local[chosen] = True
        mib_s[chosen] = drive_gb * NVME_MIB_S_PER_GB
        iops = with_rows(iops, chosen, drive_gb * NVME_IOPS_PER_GB)
        latency_s = with_rows(latency_s, chosen, np.full(len(chosen), NVME_LATENCY_S))
    return Disk(mib_s, iops, latency_s, local, fits=local if kind == "nvme" else None)


def with_rows(column: Floats, rows: NDArray[np.intp], values: Floats) -> Floats:
    """A copy of the column with other values in those rows."""
    fresh = column.copy()
    fresh[rows] = values
    return fresh
