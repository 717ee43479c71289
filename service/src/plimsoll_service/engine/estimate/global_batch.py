"""The global batch of a training: how large it may be, and whether a plan needs a larger one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.columns import Column
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Flags, Floats

# Share of its speed that a device keeps where its batch shrinks to keep the global batch sensible: with less, it
# idles more than it works.
LEAST_SPEED = 0.5


@dataclass(frozen=True, eq=False)
class GlobalBatch:
    """Samples of a step over all devices of a run, and whether that is sensible; a row a candidate."""

    samples: Column
    sensible: Flags


def chosen(job: Job) -> bool:
    """Whether the estimate chooses the batch: a stated one is followed, however large the global batch."""
    return job.workload.batch_size is None and job.workload.global_batch_size is None


def divisible(job: Job, replicas: Floats) -> Flags:
    """Whether so many replicas can each take an equal part of a stated global batch."""
    stated = job.workload.global_batch_size
    return np.ones(len(replicas), dtype=bool) if stated is None else stated % np.maximum(replicas, 1.0) == 0


def share_of(job: Job, devices: Floats) -> Floats:
    """The largest power of two that so many devices can each take; at least one sample."""
    return 2.0 ** np.floor(np.log2(np.maximum(job.batch_limit / np.maximum(devices, 1.0), 1.0)))
