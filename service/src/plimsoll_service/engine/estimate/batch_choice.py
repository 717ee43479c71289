"""The batch of a training that is counted in samples: as asked, else what fits well and still gains."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.device_memory import DeviceNeed
from plimsoll_service.engine.estimate.feeding import held_gib, holds_data
from plimsoll_service.engine.estimate.job_time import largest_within
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.models.families import family_of
from plimsoll_service.engine.models.profile import ModelProfile

# Largest batch that is chosen unasked, per device: beyond it the published rows gain under 5%.
CUSTOMARY_BATCH = 256.0
CUSTOMARY_TOKENS = 16_384.0  # the same for sequences: batch × length
CUSTOMARY_ROWS = 65_536.0  # and for rows of a table


def choose_batch(
    job: Job, profile: ModelProfile, machines: Machines, need: DeviceNeed, devices: Floats
) -> tuple[Floats, Floats]:
    """The batch per device: as asked, else the largest power of two that fits well; and the largest that fits."""
    largest = largest_within(job, machines, need)
    if job.workload.batch_size is not None:
        return np.full(len(machines), float(job.workload.batch_size)), largest
    if job.workload.global_batch_size is not None:
        wanted = np.maximum(1.0, np.floor(job.workload.global_batch_size / devices))
        return np.minimum(wanted, np.maximum(largest, 1.0)), largest
    room = np.minimum(np.maximum(largest, 1.0), _most(job, profile))
    return 2.0 ** np.floor(np.log2(room)), largest


def data_that_decide(job: Job, profile: ModelProfile) -> Hashable:
    """What of a job's data the batches depend on: equal for jobs of one kind that choose the same."""
    feed = job.feed
    if feed is None:
        return None
    return feed.bytes_per_sample, held_gib(job), holds_data(feed), _most(job, profile)


def _most(job: Job, profile: ModelProfile) -> float:
    """The largest batch that is chosen unasked; of fewer samples there is none."""
    most = customary_batch(profile)
    return max(most if job.feed is None else min(most, job.feed.samples), 1.0)


def customary_batch(profile: ModelProfile) -> float:
    """The largest batch taken unasked."""
    if profile.script_batch is not None:
        return float(profile.script_batch)
    if family_of(profile.family).data == "table":
        return CUSTOMARY_ROWS
    length = profile.reference.sequence_length
    if profile.transformer is not None and length and profile.reference.image_size is None:
        return max(1.0, CUSTOMARY_TOKENS / length)
    return CUSTOMARY_BATCH
