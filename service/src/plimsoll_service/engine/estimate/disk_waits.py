"""What waiting for a disk costs in each phase of the work, as one study measured it class by class.

Throughput and latency are the disks' own; what no data sheet says is how much of the reading is hidden behind other
work. Each phase has one constant for that, fitted to the measured losses (S3-05, S3-08, S3-10) and to nothing else.
"""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.estimate.outcome import bottleneck
from plimsoll_service.engine.estimate.soft_maximum import soft_maximum
from plimsoll_service.engine.hardware import Flags, Floats, Ints

# S3-05: an efficiency disk, six tenths used by GoogLeNet on a P100, cost training 1%.
READ_NORM = 5.5
# S3-08: the same disk cost inference 15% where it reads at half the device's speed; the set lay mostly in page cache.
COLD_SHARE = 0.18
# S3-10: NVMe 25% before SSD, SSD 10% before efficiency: requests a file that neither read-ahead nor write-back hides.
UNHIDDEN_REQUESTS = 0.6
# S3-10 calls a phase bound by input and output where the class of the disk decides a tenth of its time.
DISK_BOUND_SHARE = 0.1
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


def disk_bound(seconds: Floats, without_disk: Floats) -> Flags:
    """Whether the disk takes so much of the time that it is what limits."""
    bound: Flags = seconds - without_disk >= DISK_BOUND_SHARE * seconds
    return bound


def named(by_throughput: Flags) -> Ints:
    """The bottleneck's code where the disk limits: by what it moves, or by its requests."""
    return np.where(by_throughput, THROUGHPUT, REQUESTS)
