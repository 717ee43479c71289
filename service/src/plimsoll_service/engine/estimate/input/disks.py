"""Disks for the data: volumes of the asked class, and the machines' own NVMe.

Candidates have few groups of disks: figures have a row for each group, and ``of`` is the group of each candidate.
"""

from __future__ import annotations

import numpy as np

from ...clusters import Drives, OwnDrives, machines_of_each
from ...columns import Column, Lazy, Lookup, columnar
from ...demand.job import Feed, Job
from ...demand.kind import INFERENCE
from ...hardware import Flags, Floats, Places
from ...machines import Machines
from ...units import GB, GIB, MIB
from ..outcome import DiskColumns

# i3.16xlarge: 16 GB/s from 15.2 TB; denser drives move less a GB, smaller ones more.
NVME_MIB_S_PER_GB = 16_000.0 / 15_200.0 / 1.048576
NVME_IOPS_PER_GB = 3.3e6 / 15_200.0  # the same: 3.3 million 4 KiB reads a second
NVME_WRITING = 1.4 / 3.3  # of the speed of reading: the same, 1.4 million 4 KiB writes a second
NVME_LATENCY_S = 1e-4  # of one read from a local drive: providers say tens to hundreds of microseconds
IMAGE_GIB = 30.0  # system and a framework's container image
SPARE = 1.2  # space left free on a volume
BEING_WRITTEN = 1.0  # checkpoint, while the last good one of each experiment stays
# A volume is ordered as fast as writes a checkpoint in a minute, a sixtieth of the usual interval, or reads published
# weights in one: its throughput costs far less than a GPU machine that stands still.
CHECKPOINT_SECONDS = 60.0


def own_drives(machines: Machines, alone: Flags | bool = False) -> OwnDrives:
    """Those of the machines, of which no volume is known beside those that are ``alone``."""
    drive_gb = machines.local_disk_gb
    return OwnDrives(
        disk_mib_s=machines.disk_mib_s,
        nvme_gib=np.where(machines.local_nvme, drive_gb * GB / GIB, -1.0),
        nvme_mib_s=drive_gb * NVME_MIB_S_PER_GB,
        nvme_iops=drive_gb * NVME_IOPS_PER_GB,
        alone=np.full(len(machines), alone),
    )


@columnar
class Disk:
    """The chosen disk, a row for each group: of the asked class, or the faster of NVMe and volumes for ``auto``."""

    size_gib: Floats  # that it must hold
    root_gib: Floats  # of the volume that a machine with the data on its own NVMe starts from
    mib_s: Floats
    iops: Floats
    latency_s: Floats  # of one request
    local: Flags  # on the machine's own NVMe
    written_mib_s: Floats  # to a volume, at the speed that is ordered for checkpoints
    fits: Flags | None  # None where a volume of any size can be ordered
    nodes: Floats  # machines that share the data
    of: Places  # the group of every candidate

    @property
    def filling_mib_s(self) -> Floats:
        """MiB/s at which what comes from elsewhere is written; nothing waits for a described machine's volume."""
        onto_nvme = np.where(self.local, self.mib_s * NVME_WRITING, self.written_mib_s)
        return np.where(np.isinf(self.mib_s), self.mib_s, onto_nvme)

    @property
    def included_mib_s(self) -> Floats:
        """MiB/s that nothing is paid for beside the size, or that is ordered for checkpoints anyway."""
        return np.where(self.local | np.isinf(self.mib_s), self.mib_s, self.written_mib_s)

    @property
    def lacking(self) -> Flags | None:
        """Candidates without room for the data; None where a volume of any size can be ordered."""
        return None if self.fits is None else ~self.fits.take(self.of)


@columnar
class Room:
    """GiB that one machine needs: of all disks, and of the volume that it starts from, for all but the data."""

    size_gib: Floats
    root_gib: Floats


def disk_need(job: Job, nodes: Floats, model_bytes: float, checkpoint_gib: float) -> Room:
    """Room for the image, the machine's data and prepared copy or answers, weights, checkpoints, and some to spare.

    A machine that trains holds all the data that it may read, unless they are sharded; one that prepares data holds its
    part. Experiments on one machine read the same data, and the last checkpoint of each stays.
    """
    feed = job.feed
    data = 0.0 if feed is None else ((0.0 if streams(job) else feed.stored_bytes) + feed.written_bytes) / GIB
    data += job.answer_bytes / GIB
    part = data / machines_of_each(job.experiments, nodes) if job.data_apart else data
    # Of the experiments of the machine with the most of them, at once or one after another.
    checkpoints_gib = (np.ceil(job.experiments / nodes) + BEING_WRITTEN) * checkpoint_gib
    root_gib = SPARE * (IMAGE_GIB + model_bytes / GIB + checkpoints_gib)
    return Room(SPARE * part + root_gib, root_gib)


def streams(job: Job) -> bool:
    """Whether samples come from the region's storage as they are read: once each, where no disk or place is stated.

    Rule: disk-size.
    """
    feed = job.feed
    once = job.kind == INFERENCE and not job.serves and feed is not None and feed.format != "memory"
    placed = job.workload.dataset.region is not None
    return once and not placed and any(one.field == "disk.type" for one in job.assumptions)


def disk_of(job: Job, drives: Drives, room: Room, moved_gib: float | None = None) -> Disk:
    """The disk that the job runs on: local NVMe where asked, for ``auto`` the faster of local NVMe and a volume.

    Checkpoints, of the stated size where none is given, go to a volume at its ordered speed: it outlives the machine.
    """
    kind, own, volume, size_gib = job.workload.disk.type, drives.own, drives.volume, room.size_gib
    nodes = machines_of_each(job.experiments, drives.nodes)
    mib_s = np.fmin(volume.mib_s, own.disk_mib_s)  # as if not limited where it is unknown
    stated = job.workload.checkpoint_gib or 0.0
    ordered = checkpoint_mib_s(stated if moved_gib is None else moved_gib)
    written = np.fmin(np.fmax(volume.included_mib_s, ordered), mib_s)
    # The image lies on the volume that the machine starts from.
    local = own.nvme_gib >= size_gib - SPARE * IMAGE_GIB
    if kind not in ("nvme", "auto"):
        local &= own.alone
    if kind == "auto":  # what an interruption takes with it would have to be staged again; weights are at each start
        interrupted = "spot" in (job.query.constraints.purchase or ()) and job.workload.task != "inference"
        local &= (own.nvme_mib_s >= mib_s) & (not interrupted)
    return Disk(
        size_gib=size_gib,
        root_gib=room.root_gib,
        mib_s=np.where(local, own.nvme_mib_s, mib_s),
        iops=np.where(local, own.nvme_iops, volume.iops),
        latency_s=np.where(local, NVME_LATENCY_S, volume.latency_s),
        local=local,
        written_mib_s=written,
        fits=local if kind == "nvme" else None,
        nodes=nodes,
        of=drives.of,
    )


def checkpoint_mib_s(moved_gib: float) -> float:
    """MiB/s that a volume is ordered with for checkpoints, or weights to start from, of this size."""
    return moved_gib * GIB / MIB / CHECKPOINT_SECONDS


READ_BYTES = 256 * 1024.0  # a sequential reader's request


def read_rate(feed: Feed, disk: Disk, mib_s: Floats | None = None) -> Floats:
    """Samples a second that one machine's disk delivers: by throughput, and by requests where reads are random.

    ``mib_s``: a throughput below the most that can be bought.
    """
    by_bytes = (disk.mib_s if mib_s is None else mib_s) * MIB / max(feed.bytes_per_sample, 1e-9)
    return np.minimum(by_bytes, disk.iops * _request_bytes(feed) / max(feed.bytes_per_sample, 1e-9))


def _request_bytes(feed: Feed) -> float:
    return READ_BYTES if feed.sequential else max(min(feed.bytes_per_sample, READ_BYTES), 1.0)


def filled_mib_s(disk: Disk, ordered: DiskColumns) -> Lazy:
    """MiB/s at which data from elsewhere are written: to local NVMe, else to a volume as it is ordered."""

    def written(rows: Places) -> Floats:
        of, most = disk.of[rows], disk.mib_s[disk.of[rows]]
        volume = np.fmin(np.fmax(disk.written_mib_s[of], ordered.throughput_mib_s[rows]), most)
        return np.where(disk.local[of] | np.isinf(most), disk.filling_mib_s[of], volume)

    return Lazy(written)


def disk_columns(job: Job, disk: Disk, rate: Column, moved_gib: float = 0.0) -> DiskColumns:
    """Size and speed of the disk at which nothing waits for it, at that rate of one machine."""
    feed, written = job.feed, checkpoint_mib_s(moved_gib)
    size, root = Lookup(disk.size_gib, disk.of), Lookup(disk.root_gib, disk.of)
    if feed is None or streams(job):
        return DiskColumns(size, root, np.zeros(len(disk.of)), 0.0, 0.0, written)
    each_written = feed.written_bytes / feed.samples
    requests = feed.bytes_per_sample / _request_bytes(feed) + each_written / READ_BYTES
    return DiskColumns(size, root, rate, requests, (feed.bytes_per_sample + each_written) / MIB, written)
