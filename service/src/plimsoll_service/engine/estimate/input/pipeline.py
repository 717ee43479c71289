"""The input pipeline: processors that decode, disks that read, memory that caches, and the wait for them.

A step that waits for its input takes the soft maximum (T⁴ + feed⁴)^(1/4) (throughput study, section 5). How much of
the reading is hidden behind other work has one constant for each phase, fitted to the losses that one study measured
class by class (S3-05, S3-08, S3-10) and to nothing else; throughput and latency are the disks' own.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ...columns import Lazy, Lookup, columnar
from ...demand.host_process import data_bytes, stays_cached
from ...demand.job import Feed, Job
from ...hardware import Flags, Floats, Ints
from ...machines import Machines
from ...obstacles import bottleneck
from ...units import BITS_PER_BYTE, GIB, GIGA, MIB, TINY
from . import disks
from .disks import Disk

# Most that one machine reads from object storage, however fast its network to other machines (Amazon S3 user guide,
# optimizing performance, read on 2026-11-23). Taken for every cloud.
STORAGE_GBPS = 100.0
# A share of the longer time that adds less than 2^-54 to 1, once raised, leaves the sum of doubles as it is.
LOST_BITS = 54


def soft_maximum(first: Floats, second: Floats, norm: float) -> Floats:
    """The longer of both times, and up to 2^(1/p) of it where the shorter one counts."""
    longest = np.maximum(first, second)
    share = np.minimum(first, second)
    share /= np.maximum(longest, TINY)
    counts = share > 2.0 ** (-LOST_BITS / norm)
    if 2 * np.count_nonzero(counts) > counts.size:  # few more are cheaper than to pick the others out
        longest *= _factor(share, norm)
        return longest
    rows = np.nonzero(counts)
    longest[rows] *= _factor(share[rows], norm)
    return longest


def _factor(share: Floats, norm: float) -> Floats:
    """(1 + share^p)^(1/p), written over the shares."""
    if norm == 4:  # squares and their roots: several times as fast
        np.square(share, out=share)
        np.square(share, out=share)
        share += 1
        np.sqrt(share, out=share)
        return np.sqrt(share, out=share)
    share **= norm
    share += 1
    share **= 1 / norm
    return share


WAIT_NORM = 4.0


def reference_cores(machines: Machines) -> Floats:
    """A machine's cores, in cores of the speed that a loader's seconds are counted on."""
    return machines.cores * machines.loading_speed()


def decode_seconds(feed: Feed, cores: Floats) -> Floats:
    """Seconds a sample that so many cores bring in."""
    return max(feed.core_seconds, 1e-9) / cores


def wait(step: Floats, feeding: Floats) -> Floats:
    """Seconds of a step that must also be fed: the soft maximum of both."""
    return soft_maximum(step, feeding, WAIT_NORM)


# S3-05: an efficiency disk, seven tenths used by GoogLeNet on a P100, cost training 1%.
READ_NORM = 7.2
# S3-08: the same disk cost inference 15% where it reads at half the device's speed; the set lay mostly in page cache.
COLD_SHARE = 0.145
# S3-10: NVMe 25% before SSD, SSD 10% before efficiency: requests a file that neither read-ahead nor write-back hides.
UNHIDDEN_REQUESTS = 0.6
# S3-10 calls a phase bound by input and output where the class of the disk decides a tenth of its time.
DISK_BOUND_SHARE = 0.1
NOTICEABLE = 0.01  # S3-05 calls a loss of 1% not sensitive
NETWORK = np.int32(bottleneck("network"))
THROUGHPUT, REQUESTS = np.int32(bottleneck("disk_throughput")), np.int32(bottleneck("disk_iops"))


def reading(step: Floats, read: Floats) -> Floats:
    """Seconds of a step whose data are read ahead of it: the soft maximum (step^p + read^p)^(1/p)."""
    return soft_maximum(step, read, READ_NORM)


def over_passes(from_disk: Floats, in_memory: Floats, cached: Flags, passes: float) -> Floats:
    """Mean seconds of a step over all passes: those after the first read from memory where the data stay there."""
    later = in_memory if cached.all() else np.where(cached, in_memory, from_disk)
    seconds: Floats = from_disk - later
    seconds /= passes
    seconds += later
    return seconds


def without_end(from_disk: Floats, in_memory: Floats, cached: Flags) -> Floats:
    """Mean seconds of a step of a service that answers on: where the data stay in memory a share is still read."""
    mixed: Floats = COLD_SHARE * from_disk + (1 - COLD_SHARE) * in_memory
    return np.where(cached, mixed, from_disk)


def pays(from_disk: Floats, in_memory: Floats) -> Flags:
    """Whether it pays to keep the data in memory: reading them again would slow a pass."""
    return from_disk > (1 + NOTICEABLE) * in_memory


def disk_bound(seconds: Floats, without_disk: Floats) -> Flags:
    """Whether the disk takes so much of the time that it is the bottleneck."""
    return seconds - without_disk >= DISK_BOUND_SHARE * seconds


def named(by_throughput: Flags) -> Ints:
    """The bottleneck's code where it is the disk: throughput or requests."""
    return np.where(by_throughput, THROUGHPUT, REQUESTS)


# Bottlenecks where data are decoded too slowly, without and with devices that wait.
ON_CORES, BEFORE_DEVICES = np.int32(bottleneck("cpu_compute")), np.int32(bottleneck("input_pipeline"))


@columnar
class FedRate:
    """A rate with its input: samples a second of the candidate, and the bottleneck."""

    rate: Floats
    bottleneck: Ints | Lookup | Lazy
    step: Floats  # seconds a sample if no pass ever waited for the disk
    cache_gib: Lazy | None = None  # page cache of one machine that pays: its part of the data, where disks slow a pass


@columnar
class InputSeconds:
    """Seconds a sample of a candidate's input, whatever the rate of its devices."""

    decode: Floats
    read: Floats
    part_gib: Floats  # of the data, that each machine may read


@columnar
class InputPipeline:
    """The input pipeline of each candidate: its cores and its disks."""

    job: Job
    machines: Machines
    cores: Floats  # of all its machines, of the speed that a loader's seconds are counted on
    disk: Disk
    working: Floats | float = 1.0  # machines, as long as the one with the most to do works

    @cached_property
    def delivered(self) -> Lookup:
        """Samples a second that the disk of one machine can deliver; infinite without data."""
        feed, disk = self.job.feed, self.disk
        rate = np.full(len(disk.nodes), np.inf) if feed is None else disks.read_rate(feed, disk)
        return Lookup(rate, disk.of)

    @cached_property
    def supply(self) -> InputSeconds:
        """Seconds to decode and to read a sample, which hold at every rate of the devices."""
        feed, disk = self.job.feed, self.disk
        assert feed is not None
        decode = decode_seconds(feed, self.cores)
        kept = feed.format == "memory"  # already in the process: nothing is read
        read = self._streamed(feed) if self.streamed else 1 / (self.delivered[:] * self.working)
        return InputSeconds(
            decode=decode,
            read=np.zeros_like(decode) if kept else read,
            part_gib=(data_bytes(self.job, disk.nodes) / GIB).take(disk.of),
        )

    @cached_property
    def streamed(self) -> bool:
        """Whether samples come over the network, past the disk."""
        return disks.streams(self.job)

    def _streamed(self, feed: Feed) -> Floats:
        """Seconds in which a sample comes out of storage, over the machine's network, if that is known."""
        gbps = np.fmin(self.machines.network_gbps, STORAGE_GBPS)
        seconds = feed.bytes_per_sample * BITS_PER_BYTE / (gbps * GIGA)
        return np.where(np.isnan(seconds), 0.0, seconds)

    def fed(self, device_rate: Floats, limit: Ints | Lookup, host: Floats) -> FedRate:
        """The devices' rate, slowed by decoding and, in passes that read from disk, by the disk.

        ``host`` is the memory of the process on each machine, GiB.
        """
        feed = self.job.feed
        if feed is None:
            return FedRate(device_rate, limit, 1 / device_rate)
        supply, compute = self.supply, 1 / device_rate
        step = self._decoded(compute)
        from_disk = reading(step, supply.read)
        cached = stays_cached(self.machines, host, supply.part_gib)
        if np.isnan(self.job.samples):
            mean = without_end(from_disk, step, cached)
        else:
            mean = over_passes(from_disk, step, cached, max(feed.passes, 1.0))
        slowed = feed.passes > 1
        return FedRate(
            1 / mean,
            Lazy(lambda rows: self._limits(compute, step, mean, limit, rows)),
            step,
            Lazy(lambda rows: np.where(slowed & pays(from_disk[rows], step[rows]), supply.part_gib[rows], 0.0)),
        )

    def _decoded(self, compute: Floats) -> Floats:
        """Seconds of a step with its decoding, of which devices see the part that is longer than their own work."""
        decode, rows = self.supply.decode, self.machines.with_devices
        if len(rows) == len(compute):
            return wait(compute, decode)
        step: Floats = compute + decode
        step[rows] = wait(compute.take(rows), decode.take(rows))
        return step

    def _limits(self, compute: Floats, step: Floats, mean: Floats, limit: Ints | Lookup, rows: Any) -> Ints:
        """The bottleneck of those rows: the disk, decoding, or that of their devices."""
        feed, disk, groups = self.job.feed, self.disk, self.disk.of[rows]
        assert feed is not None
        by_throughput = feed.sequential | (disk.mib_s[groups] * MIB <= disk.iops[groups] * disks.READ_BYTES)
        decoding = np.where(self.machines.accelerator[rows] >= 0, BEFORE_DEVICES, ON_CORES)
        before_disk = np.where(self.supply.decode[rows] > compute[rows], decoding, limit[rows])
        read_from = NETWORK if self.streamed else named(by_throughput)
        return np.where(disk_bound(mean[rows], step[rows]), read_from, before_disk)
