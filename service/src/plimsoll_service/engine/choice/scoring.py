"""From a job and candidates to outcomes: the one place that knows which estimate belongs to which kind of work."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from plimsoll_service.engine.choice.candidates import Candidates
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import (
    hpc,
    inference,
    preprocessing,
    sample_training,
    serving,
    tabular,
    token_training,
    volumes,
)
from plimsoll_service.engine.estimate.basis import basis
from plimsoll_service.engine.estimate.feeding import CHECKPOINTS_KEPT, Volume, devices_within, disk_need
from plimsoll_service.engine.estimate.job_time import checkpoint_size_gib, model_bytes
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import Outcome
from plimsoll_service.engine.estimate.splits import UNSAID, Splits
from plimsoll_service.engine.hardware import Disks, Floats, Ints, known_or

ESTIMATES = {
    kind.SAMPLE_TRAINING: sample_training.estimate,
    kind.TABULAR_TRAINING: tabular.training,
    kind.PREPROCESSING: preprocessing.estimate,
    kind.HPC: hpc.estimate,
}
# Work that runs a process of its own for each device.
DEVICE_PROCESSES = (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING, kind.INFERENCE, kind.SERVING)


@dataclass(frozen=True, eq=False)
class Scored:
    """Candidates with their outcome, machines needed, and the volume product that each would order."""

    machines: Machines  # one row a candidate
    nodes: Floats
    outcome: Outcome
    product: Ints  # row of the catalog's disks; -1 where the cloud's are unknown
    disk_usd_per_hour: Floats  # of one machine


def score(job: Job, machines: Machines, cloud: Ints, candidates: Candidates, disks: Disks, products: Ints,
          splits: Splits = UNSAID) -> Scored:  # fmt: skip
    """Scores all candidates at once; ``cloud`` is each machine row's (-1: own), ``products`` the row per cloud."""
    chosen = machines.take(candidates.row)
    chosen = replace(chosen, basis=basis(job, chosen))
    if job.kind in DEVICE_PROCESSES and not splits.stated:
        chosen = replace(chosen, devices=devices_within(job, chosen))
    clouds = cloud[candidates.row]
    product = np.where(clouds >= 0, products[np.maximum(clouds, 0)], -1).astype(np.int32)
    size = disk_need(job, candidates.nodes, model_bytes(job), CHECKPOINTS_KEPT * checkpoint_size_gib(job))
    volume = volumes.limits(disks, product, volumes.largest_gib(disks, product, size), described=clouds < 0)
    nodes = candidates.nodes
    if job.kind == kind.TOKEN_TRAINING:
        outcome = token_training.estimate(job, chosen, nodes, volume, splits)
    elif job.kind in ESTIMATES:
        outcome = ESTIMATES[job.kind](job, chosen, nodes, volume)
    else:
        outcome, nodes = _served(job, chosen, None if candidates.sized else nodes, volume, splits)
    need = outcome.disk
    most_mib_s = np.fmin(volume.mib_s, chosen.disk_mib_s)  # what the machine cannot move is not bought
    iops, mib_s = (
        np.fmin(known_or(need.iops), volume.iops),
        np.fmin(known_or(need.throughput_mib_s), most_mib_s),
    )
    ordered = volumes.size_moving(disks, product, need.size_gib, iops, mib_s)
    order = volumes.hourly_usd(disks, product, ordered, iops, mib_s)
    size_gib = np.where(outcome.local_disk, need.size_gib, ordered)
    outcome = replace(outcome, disk=replace(need, size_gib=size_gib))
    paid = np.where(outcome.local_disk, 0.0, order)
    return Scored(chosen, nodes, outcome, product, paid)


def _served(
    job: Job, machines: Machines, nodes: Floats | None, volume: Volume, splits: Splits
) -> tuple[Outcome, Floats]:
    if job.kind == kind.SERVING:
        return serving.estimate(job, machines, nodes, volume, splits)
    if job.kind == kind.INFERENCE:
        return inference.estimate(job, machines, nodes, volume)
    return tabular.inference(job, machines, nodes, volume)
