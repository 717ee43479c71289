"""What brings the data to the devices: processors that decode, disks that read, memory that caches.

A step that waits for its input takes the soft maximum (T⁴ + feed⁴)^(1/4) (throughput study, section 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.coefficients import TRAINING_MEMORY
from plimsoll_service.engine.demand.job import Feed, Job
from plimsoll_service.engine.estimate.drives import Disk
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import Column, Worked
from plimsoll_service.engine.estimate.soft_maximum import soft_maximum
from plimsoll_service.engine.hardware import Flags, Floats
from plimsoll_service.engine.units import GIB, MIB

Array = TypeVar("Array", bound=NDArray[Any])
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
READ_BYTES = 256 * 1024.0  # a sequential reader's request


def reference_cores(machines: Machines) -> Floats:
    """A machine's cores, in cores of the speed that a loader's seconds are counted on."""
    cores: Floats = machines.cores * machines.core_speed
    return cores


def decode_rate(feed: Feed, cores: Floats) -> Floats:
    """Samples a second that so many cores bring in."""
    rate: Floats = cores / max(feed.core_seconds, 1e-9)
    return rate


def decode_seconds(feed: Feed, cores: Floats) -> Floats:
    """Seconds a sample at that rate."""
    seconds: Floats = max(feed.core_seconds, 1e-9) / cores
    return seconds


def holds_data(feed: Feed | None) -> bool:
    """Whether the process holds its few data from the start: nothing is loaded while it runs."""
    return feed is not None and (feed.format == "memory" or feed.stored_bytes <= HELD_DATA_BYTES)


def training_vcpus(feed: Feed | None) -> float:
    """vCPUs that a device in training needs at least."""
    return HELD_DATA_VCPUS if holds_data(feed) else TRAINING_VCPUS


def busy_vcpus(machines: Machines, core_seconds: Floats) -> Floats:
    """vCPUs that so many seconds of a core, each second, keep busy."""
    busy: Floats = core_seconds / machines.core_speed * (machines.vcpus / machines.cores)
    return busy


def least_vcpus(devices: Floats, floor: float) -> Floats:
    """vCPUs of a machine whose devices need ``floor`` each; one where it has none."""
    return np.maximum(floor * devices, 1.0)


def vcpus_for(busy: Floats | None, least: Floats | float) -> Floats:
    """vCPUs that a machine needs: at least so many, and as many as its data keep busy; none where there are no data."""
    return np.ceil(least) if busy is None else np.ceil(np.fmax(least, busy))  # an unknown rate asks for no more


def cached(machines: Machines, process_gib: Floats, part_gib: Floats) -> Flags:
    """Whether one machine's part of the data stays in page cache after the first pass."""
    room = machines.memory_gib - process_gib
    room -= SYSTEM_GIB
    room *= CACHE_MARGIN
    return part_gib <= room


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
    return soft_maximum(step, feeding, WAIT_NORM)


@dataclass(frozen=True, eq=False)
class Process:
    """Host memory of a process at its peak but its loaders: GiB that no data decide, and samples that are pinned."""

    devices: Floats
    fixed_gib: Floats
    pinned: Floats
    model_gib: Column | None

    def gib(self, job: Job) -> Floats:
        """Framework, pinned batches, data that it holds."""
        feed = job.feed
        if feed is None:
            return self.fixed_gib
        required: Floats = self.pinned * (feed.bytes_per_sample / GIB)
        required += self.fixed_gib
        held = held_gib(job)
        return required + held if held > 0 else required

    def parts(self, job: Job, loaders: Column) -> dict[str, Column]:
        """What it is made of; worked out where it is shown."""
        feed, held = job.feed, held_gib(job)
        parts: dict[str, Column] = {
            "system": Worked(lambda rows: SYSTEM_GIB + 0.0 * rows),
            "framework": Worked(lambda rows: job.host_base_gib * np.maximum(self.devices[rows], 1.0)),
            "loaders": loaders,
        }
        if feed is not None:
            sample_gib = feed.bytes_per_sample / GIB
            parts["pinned_batches"] = Worked(lambda rows: self.pinned[rows] * sample_gib)
        if held > 0:
            parts["data"] = Worked(lambda rows: held + 0.0 * rows)
        if self.model_gib is not None:
            parts["model"] = self.model_gib
        return parts


def process_of(job: Job, devices: Floats, batch: Floats | float, model_gib: Column | None = None) -> Process:
    """The process that feeds so many devices, and has the model in its memory too where there is none."""
    processes = np.maximum(devices, 1.0)
    fixed = SYSTEM_GIB + job.host_base_gib * processes
    if model_gib is not None:
        fixed += model_gib[:]
    return Process(devices, fixed, PINNED_BATCHES * batch * processes, model_gib)


def held_gib(job: Job) -> float:
    """Data that the process holds."""
    return 0.0 if job.feed is None else job.host_bytes_per_data_byte * job.feed.stored_bytes / GIB


def process_gib(job: Job, devices: Floats, batch: Floats | float, workers: Floats) -> Floats:
    """Host memory of the process at its peak, with so many loaders."""
    return process_of(job, devices, batch).gib(job) + loaders_gib(job, workers)


def loaders_gib(job: Job, workers: Floats) -> Floats:
    """Host memory of so many loaders; data that the process holds from the start need none."""
    return np.zeros_like(workers) if holds_data(job.feed) else LOADER_GIB * workers


def workers_within(machines: Machines, wanted: Floats, other_gib: Floats | float, each_gib: float) -> Floats:
    """As many of the wanted workers as memory leaves room for, at least one; more cores than that stay idle."""
    room = machines.memory_gib * TRAINING_MEMORY.recommend_other
    room -= other_gib
    room /= each_gib
    able: Floats = np.minimum(wanted, np.maximum(np.floor(room, out=room), 1.0, out=room))
    return able


def devices_within(job: Job, machines: Machines) -> Floats:
    """Devices whose processes host memory can hold, at least one; more devices than that stay idle."""
    devices = machines.devices
    rows = np.flatnonzero(devices > 1)  # one device takes part on any machine
    several, each = machines.take(rows), job.host_base_gib + LOADER_GIB
    able = workers_within(several, several.devices, np.full(len(rows), SYSTEM_GIB), each)
    return with_rows(devices, rows, np.fmin(several.devices, able))


def with_rows(column: Array, rows: NDArray[np.intp], values: Array) -> Array:
    """A copy of the column with other values in those rows."""
    fresh: Array = column.copy()
    fresh[rows] = values
    return fresh
