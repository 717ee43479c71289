"""How data come to the devices of a candidate, and what waiting for them makes of their rate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import disk_waits, feeding
from plimsoll_service.engine.estimate.drives import Disk
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import bottleneck
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.units import GIB, MIB

# What limits where data are decoded too slowly, without and with devices that wait for it.
ON_CORES, BEFORE_DEVICES = np.int32(bottleneck("cpu_compute")), np.int32(bottleneck("input_pipeline"))


@dataclass(frozen=True, eq=False)
class Fed:
    """A rate after its input: samples a second of the candidate, and what limits it."""

    rate: Floats
    bottleneck: Ints
    step: Floats  # seconds a sample if no pass ever waited for the disk


@dataclass(frozen=True, eq=False)
class Supply:
    """How a candidate's data come in, whatever its devices take: seconds a sample, and what limits where that does."""

    decode: Floats
    read: Floats
    part_gib: Floats  # of the data, on each machine
    decode_limit: Ints
    read_limit: Ints


@dataclass(frozen=True, eq=False)
class Input:
    """What brings the data to the devices of each candidate: its cores and its disks."""

    job: Job
    machines: Machines
    cores: Floats  # of all its machines, of the speed that a loader's seconds are counted on
    disk: Disk

    @cached_property
    def supply(self) -> Supply:
        """The same at every rate of the devices."""
        feed, disk = self.job.feed, self.disk
        assert feed is not None
        decode = feeding.decode_seconds(feed, self.cores)
        kept = feed.format == "memory"  # already in the process: nothing is read
        read = 1 / (feeding.read_rate(feed, disk) * disk.nodes)
        by_throughput = feed.sequential | (disk.mib_s * MIB <= disk.iops * feeding.READ_BYTES)
        return Supply(
            decode=decode,
            read=np.zeros_like(decode) if kept else read.take(disk.of),
            part_gib=(feed.stored_bytes / disk.nodes / GIB).take(disk.of),
            decode_limit=np.where(self.machines.has_accelerator(), BEFORE_DEVICES, ON_CORES),
            read_limit=disk_waits.named(by_throughput).take(disk.of),
        )

    def fed(self, device_rate: Floats, limit: Ints, host: Floats) -> Fed:
        """The devices' rate, held up by decoding and, in passes that read from disk, by the disk.

        ``host`` is what the process takes of the memory of each machine.
        """
        feed = self.job.feed
        if feed is None:
            return Fed(device_rate, limit, 1 / device_rate)
        supply, compute = self.supply, 1 / device_rate
        step = feeding.wait(compute, supply.decode)
        on_device = self.machines.has_accelerator()
        if not on_device.all():
            step = np.where(on_device, step, compute + supply.decode)
        from_disk = disk_waits.reading(step, supply.read)
        cached = feeding.cached(self.machines, host, supply.part_gib)
        if np.isnan(self.job.samples):
            mean = disk_waits.without_end(from_disk, step, cached)
        else:
            mean = disk_waits.over_passes(from_disk, step, cached, max(feed.passes, 1.0))
        input_limit = np.where(supply.decode > compute, supply.decode_limit, limit)
        return Fed(1 / mean, np.where(disk_waits.disk_bound(mean, step), supply.read_limit, input_limit), step)
