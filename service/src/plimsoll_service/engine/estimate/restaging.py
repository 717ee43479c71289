"""What a restart on a machine of its own stages anew: weights with the state of the run, and the data."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.demand.kind import INFERENCE_KINDS
from plimsoll_service.engine.estimate.adapters import adapted
from plimsoll_service.engine.estimate.job_time import checkpoint_size_gib, model_bytes
from plimsoll_service.engine.estimate.outcome import Outcome
from plimsoll_service.engine.hardware import Flags, Floats, Places
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.units import BITS_PER_BYTE, GIB, MIB, SECONDS_PER_HOUR

# Most that one machine reads from object storage, however fast its network to other machines (Amazon S3 user guide,
# optimizing performance, read on 2026-11-23). Taken for every cloud.
STORAGE_GBPS = 100.0


def storage_gbps(machines: Machines) -> Floats:
    """What each machine reads from object storage in its region; NaN where its network is unknown."""
    return np.minimum(machines.network_gbps, STORAGE_GBPS)


def data_bytes(job: Job, nodes: Floats) -> Floats:
    """Bytes of the data on each of ``nodes`` machines: all that it may read, or its part where they are split."""
    stored = 0.0 if job.feed is None else job.feed.stored_bytes
    apart = bool(job.workload.dataset.sharded) or not job.training
    return stored / (nodes if apart else np.ones(len(nodes)))


def restaging_hours(
    job: Job, machines: Machines, nodes: Floats, outcome: Outcome, rows: Places, volumes_stay: Flags
) -> Floats:
    """Hours in which a new machine reads all that it needs, at the speed of its disk and of its network.

    ``volumes_stay``: an interruption leaves the volumes in place; data on them are not staged again. Local drives are
    always empty. Inference reads each sample once, where the data lie unless their place says that they are moved.
    """
    if outcome.filled_mib_s is None:
        return np.zeros(len(rows))
    # Weights to start from are read at each start, and so counted there.
    again = adapted(job) or job.kind in INFERENCE_KINDS
    state = checkpoint_size_gib(job) * GIB if again else max(model_bytes(job), checkpoint_size_gib(job) * GIB)
    kept = volumes_stay & ~outcome.local_disk[rows]
    if not job.training and job.workload.dataset.region is None:
        kept = np.ones(len(rows), dtype=bool)
    staged = state + np.where(kept, 0.0, data_bytes(job, nodes[rows]))
    by_disk = staged / (outcome.filled_mib_s[rows] * MIB)
    by_network = staged * BITS_PER_BYTE / (storage_gbps(machines)[rows] * 1e9)
    return np.fmax(by_disk, by_network) / SECONDS_PER_HOUR
