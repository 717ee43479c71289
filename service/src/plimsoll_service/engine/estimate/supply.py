"""How data come to the devices of a candidate, and what waiting for them makes of their rate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import disk_waits, feeding
from plimsoll_service.engine.estimate.drives import Disk
from plimsoll_service.engine.estimate.machines import Machines, Places
from plimsoll_service.engine.estimate.outcome import Gathered, Worked, bottleneck
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.units import GIB, MIB

# What limits where data are decoded too slowly, without and with devices that wait for it.
ON_CORES, BEFORE_DEVICES = np.int32(bottleneck("cpu_compute")), np.int32(bottleneck("input_pipeline"))


@dataclass(frozen=True, eq=False)
class Fed:
    """A rate after its input: samples a second of the candidate, and what limits it."""

    rate: Floats
    bottleneck: Ints | Gathered | Worked
    step: Floats  # seconds a sample if no pass ever waited for the disk


@dataclass(frozen=True, eq=False)
class Supply:
    """How a candidate's data come in, whatever its devices take: seconds a sample."""

    decode: Floats
    read: Floats
    part_gib: Floats  # of the data, on each machine


@dataclass(frozen=True, eq=False)
class Input:
    """What brings the data to the devices of each candidate: its cores and its disks."""

    job: Job
    machines: Machines
    cores: Floats  # of all its machines, of the speed that a loader's seconds are counted on
    disk: Disk
    working: Floats | float = 1.0  # of its machines, at the pace of the one with the most to do

    @cached_property
    def delivered(self) -> Gathered:
        """Samples a second that the disk of one machine delivers, whatever it is asked for; without end if no data."""
        feed, disk = self.job.feed, self.disk
        rate = np.full(len(disk.nodes), np.inf) if feed is None else feeding.read_rate(feed, disk)
        return Gathered(rate, disk.of)

    @cached_property
    def supply(self) -> Supply:
        """The same at every rate of the devices."""
        feed, disk = self.job.feed, self.disk
        assert feed is not None
        decode = feeding.decode_seconds(feed, self.cores)
        kept = feed.format == "memory"  # already in the process: nothing is read
        read = 1 / (self.delivered.all() * self.working)
        return Supply(
            decode=decode,
            read=np.zeros_like(decode) if kept else read,
            part_gib=(feed.stored_bytes / disk.nodes / GIB).take(disk.of),
        )

    @cached_property
    def on_device(self) -> Places | None:
        """Rows with devices, which wait for their input; ``None`` where all have some."""
        on_device = self.machines.has_accelerator()
        return None if on_device.all() else np.flatnonzero(on_device)

    def fed(self, device_rate: Floats, limit: Ints | Gathered, host: Floats) -> Fed:
        """The devices' rate, held up by decoding and, in passes that read from disk, by the disk.

        ``host`` is what the process takes of the memory of each machine.
        """
        feed = self.job.feed
        if feed is None:
            return Fed(device_rate, limit, 1 / device_rate)
        supply, compute = self.supply, 1 / device_rate
        step = self._decoded(compute)
        from_disk = disk_waits.reading(step, supply.read)
        cached = feeding.cached(self.machines, host, supply.part_gib)
        if np.isnan(self.job.samples):
            mean = disk_waits.without_end(from_disk, step, cached)
        else:
            mean = disk_waits.over_passes(from_disk, step, cached, max(feed.passes, 1.0))
        return Fed(1 / mean, Worked(lambda rows: self._limits(compute, step, mean, limit, rows)), step)

    def _decoded(self, compute: Floats) -> Floats:
        """Seconds of a step with its decoding, of which devices see the part that is longer than their own work."""
        decode, rows = self.supply.decode, self.on_device
        if rows is None:
            return feeding.wait(compute, decode)
        step: Floats = compute + decode
        step[rows] = feeding.wait(compute.take(rows), decode.take(rows))
        return step

    def _limits(self, compute: Floats, step: Floats, mean: Floats, limit: Ints | Gathered, rows: Any) -> Ints:
        """What limits those rows: the disk, decoding, or what limits their devices."""
        feed, disk, kinds = self.job.feed, self.disk, self.disk.of[rows]
        assert feed is not None
        by_throughput = feed.sequential | (disk.mib_s[kinds] * MIB <= disk.iops[kinds] * feeding.READ_BYTES)
        decoding = np.where(self.machines.has_accelerator()[rows], BEFORE_DEVICES, ON_CORES)
        before_disk = np.where(self.supply.decode[rows] > compute[rows], decoding, limit[rows])
        return np.where(disk_waits.disk_bound(mean[rows], step[rows]), disk_waits.named(by_throughput), before_disk)
