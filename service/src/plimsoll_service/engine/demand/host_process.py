"""The process on the host that feeds devices: its vCPUs, its memory, and the page cache that its data fill."""

from __future__ import annotations

import numpy as np

from ..coefficients import TRAINING_MEMORY
from ..columns import Column, Lazy, columnar, with_rows
from ..hardware import Flags, Floats
from ..machines import Machines
from ..units import GIB
from .job import Feed, Job

TRAINING_VCPUS = 4.0  # per device, S3-03
HELD_DATA_VCPUS = 2.0  # per device, where the data are a few megabytes that the process holds: S3-06
HELD_DATA_BYTES = 1e8  # data of which that is said: S3-06 had 5 MB; MNIST and CIFAR are of that size too
INFERENCE_VCPUS = 2.0  # per device, S3-07 and S3-09
# A loader's worker process with its queue of decoded batches: about a quarter of S3-04's 5 GB over 16 workers.
LOADER_GIB = 0.25
SYSTEM_GIB = 1.0  # kernel and system services
PINNED_BATCHES = 4.0  # two being filled, one being copied, one in use
CACHE_MARGIN = 0.9  # share of free memory that page cache can fill


def holds_data(feed: Feed | None) -> bool:
    """Whether the process holds its few data from the start: nothing is loaded while it runs."""
    return feed is not None and (feed.format == "memory" or feed.stored_bytes <= HELD_DATA_BYTES)


def busy_vcpus(machines: Machines, core_seconds: Floats) -> Floats:
    """vCPUs that so many seconds of a core, each second, keep busy."""
    return core_seconds / machines.loading_speed() * (machines.vcpus / machines.cores)


def least_vcpus(devices: Floats, floor: float) -> Floats:
    """vCPUs of a machine whose devices need ``floor`` each; one where it has none."""
    return np.maximum(floor * devices, 1.0)


ROUNDING = 1 - 1e-9  # keeps vCPUs that are just busy from asking for one more


def vcpus_for(busy: Floats | None, least: Floats | float) -> Floats:
    """vCPUs that a machine needs: at least so many, and as many as its data keep busy; none where there are no data."""
    return np.ceil(least) if busy is None else np.ceil(np.fmax(least, busy * ROUNDING))  # an unknown rate asks for none


def data_bytes(job: Job, nodes: Floats) -> Floats:
    """Bytes of the data on each of ``nodes`` machines: all that it may read, or its part where they are split."""
    stored = 0.0 if job.feed is None else job.feed.stored_bytes
    return stored / nodes if job.data_apart else np.full(len(nodes), stored)


def stays_cached(machines: Machines, process_gib: Floats, part_gib: Floats) -> Flags:
    """Whether one machine's part of the data stays in page cache after the first pass."""
    room = machines.memory_gib - process_gib
    room -= SYSTEM_GIB
    room *= CACHE_MARGIN
    return part_gib <= room


def page_cache_gib(job: Job) -> float:
    """Page cache that is of use: data read again; a mapped database grows with the data read of it (S3-04, S3-07)."""
    feed = job.feed
    if feed is None:
        return 0.0
    whole = feed.stored_bytes / GIB
    if feed.passes > 1:
        return whole
    if job.mapped_share > 0:
        return job.mapped_share * whole * feed.passes
    return whole if np.isnan(job.samples) and feed.format != "memory" else 0.0


def mapped_gib(job: Job) -> float:
    """Page cache that a mapped database fills in a service that reads its data over and over (S3-07)."""
    feed = job.feed
    return 0.0 if feed is None or not np.isnan(job.samples) else job.mapped_share * feed.stored_bytes / GIB


@columnar
class Process:
    """Host memory of a process at its peak but its loaders: GiB that no data decide, and samples that are pinned."""

    devices: Floats
    fixed_gib: Floats
    pinned: Floats
    model_gib: Column | None
    loading_gib: Floats | float = 0.0  # weights that pass through on their way to the devices, before the data come

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
        """Its parts."""
        feed, held = job.feed, held_gib(job)
        parts: dict[str, Column] = {
            "system": Lazy(lambda rows: SYSTEM_GIB + 0.0 * rows),
            "framework": Lazy(lambda rows: job.host_base_gib * np.maximum(self.devices[rows], 1.0)),
            "loaders": loaders,
        }
        if feed is not None:
            sample_gib = feed.bytes_per_sample / GIB
            parts["pinned_batches"] = Lazy(lambda rows: self.pinned[rows] * sample_gib)
        if held > 0:
            parts["data"] = Lazy(lambda rows: held + 0.0 * rows)
        if self.model_gib is not None:
            parts["model"] = self.model_gib
        return parts


def process_of(
    job: Job, devices: Floats, batch: Floats | float, model_gib: Column | None = None, loading_gib: Floats | float = 0.0
) -> Process:
    """The process that feeds so many devices, and has the model in its memory too where there is none."""
    processes = np.maximum(devices, 1.0)
    fixed = SYSTEM_GIB + job.host_base_gib * processes
    if model_gib is not None:
        fixed += model_gib[:]
    return Process(devices, fixed, PINNED_BATCHES * batch * processes, model_gib, loading_gib)


def held_gib(job: Job) -> float:
    """Data that the process holds."""
    return 0.0 if job.feed is None else job.host_bytes_per_data_byte * job.feed.stored_bytes / GIB


def process_gib(job: Job, devices: Floats, batch: Floats | float, workers: Floats) -> Floats:
    """Host memory of the process at its peak, with so many loaders."""
    return process_of(job, devices, batch).gib(job) + loaders_gib(job, workers)


def loaders_gib(job: Job, workers: Floats) -> Floats:
    """Host memory of so many loaders; data that the process holds from the start need none."""
    return np.zeros_like(workers) if holds_data(job.feed) else LOADER_GIB * workers


def workers_within(machines: Machines, wanted: Floats, other_gib: Floats | float, each_gib: Floats | float) -> Floats:
    """As many of the wanted workers as memory leaves room for, at least one; more cores than that stay idle."""
    room = machines.memory_gib * TRAINING_MEMORY.recommend_other
    room -= other_gib
    room /= each_gib
    return np.minimum(wanted, np.maximum(np.floor(room, out=room), 1.0, out=room))


def devices_within(job: Job, machines: Machines) -> Floats:
    """Devices whose processes host memory can hold, at least one; more devices than that stay idle."""
    devices = machines.devices
    rows = np.flatnonzero(devices > 1)  # one device takes part on any machine
    several, each = machines.take(rows), job.host_base_gib + LOADER_GIB
    able = workers_within(several, several.devices, np.full(len(rows), SYSTEM_GIB), each)
    return with_rows(devices, rows, np.fmin(several.devices, able))
