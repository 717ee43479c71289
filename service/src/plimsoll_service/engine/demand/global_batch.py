"""The global batch of a training: how large it may be, and whether a plan needs a larger one."""

from __future__ import annotations

from functools import lru_cache
from math import inf, isqrt

import numpy as np

from ..hardware import Flags, Floats
from .job import Job

# Share of its speed that a device keeps where its batch shrinks to keep the global batch sensible: with less, it
# idles more than it works.
LEAST_SPEED = 0.5
DIVISORS_KEPT = 64  # global batches whose divisors are remembered


def chosen(job: Job) -> bool:
    """Whether the estimate chooses the batch of each device: a stated one is followed."""
    return job.workload.batch_size is None and job.workload.global_batch_size is None


def sensible(job: Job, samples: Floats, replicas: Floats) -> Flags:
    """Whether the global batch of so many replicas is sensible; a stated one is if they can share it equally.

    The stated batch of one replica always is. Rule: global-batch.
    """
    if job.workload.global_batch_size is not None:
        return divisible(job, replicas)
    return samples <= max(job.batch_limit, float(job.workload.batch_size or 0))


def divisible(job: Job, replicas: Floats) -> Flags:
    """Whether so many replicas can each take an equal part of a stated global batch, in whole stated batches."""
    stated, each = job.workload.global_batch_size, job.workload.batch_size or 1
    if stated is None:
        return np.ones(len(replicas), dtype=bool)
    parts: Flags = stated % (np.maximum(replicas, 1.0) * each) == 0
    return parts


def equal_micro_batches(together: int, replicas: Floats, most: Floats) -> Floats:
    """The largest batch of at most ``most`` samples, several of which make up each replica's part of the global batch.

    Where the replicas cannot share it equally, as many samples of their part as fit.
    """
    parts = np.maximum(1.0, np.floor(together / replicas))
    fitting = np.minimum(parts, np.maximum(most, 1.0))
    sizes = _divisors(together)
    whole = (parts[:, None] % sizes == 0) & (sizes <= fitting[:, None])
    equal = np.where(whole, sizes, 1.0).max(axis=1)
    return np.where(together % np.maximum(replicas, 1.0) == 0, equal, fitting)


@lru_cache(maxsize=DIVISORS_KEPT)
def _divisors(number: int) -> Floats:
    low = np.arange(1, isqrt(number) + 1)
    low = low[number % low == 0]
    return np.unique(np.concatenate([low, number // low])).astype(float)


def share_of(job: Job, devices: Floats) -> Floats:
    """The largest power of two that so many devices can each take of a usual or sensible step; at least one sample."""
    most = min(job.batch_limit, job.usual_batch or inf)
    return 2.0 ** np.floor(np.log2(np.maximum(most / np.maximum(devices, 1.0), 1.0)))
