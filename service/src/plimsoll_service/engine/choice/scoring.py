"""From a job and candidates to outcomes: the one place that knows which estimate belongs to which kind of work."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from plimsoll_service.engine.choice.candidates import Candidates
from plimsoll_service.engine.choice.contenders import Contenders, contenders_of
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
from plimsoll_service.engine.estimate.feeding import CHECKPOINTS_KEPT, Volume, disk_need
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.job_time import checkpoint_size_gib, model_bytes
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import Outcome, take
from plimsoll_service.engine.estimate.splits import UNSAID, Splits
from plimsoll_service.engine.hardware import Disks, Floats, Ints, known_or

ESTIMATES = {
    kind.TABULAR_TRAINING: tabular.training,
    kind.PREPROCESSING: preprocessing.estimate,
    kind.HPC: hpc.estimate,
}


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
    ground = Groundwork(job)
    contenders = contenders_of(ground.job, machines, cloud, candidates, products, splits)
    return scored_of(job, contenders, disks, ground, splits)


def scored_of(job: Job, those: Contenders, disks: Disks, ground: Groundwork, splits: Splits = UNSAID) -> Scored:
    """Scores the contenders, with the disks that they would order; ``ground`` is that of the job on just them."""
    machines, product = those.machines, those.product
    volume = take(_volumes(job, those, disks), those.volume)
    outcome, nodes = _estimated(job, those, volume, ground, splits)
    need = outcome.disk
    most_mib_s = np.fmin(volume.mib_s, machines.disk_mib_s)  # what the machine cannot move is not bought
    iops, mib_s = (
        np.fmin(known_or(need.iops), volume.iops),
        np.fmin(known_or(need.throughput_mib_s), most_mib_s),
    )
    ordered = volumes.size_moving(disks, product, need.size_gib, iops, mib_s)
    order = volumes.hourly_usd(disks, product, ordered, iops, mib_s)
    size_gib = np.where(outcome.local_disk, need.size_gib, ordered)
    outcome = replace(outcome, disk=replace(need, size_gib=size_gib))
    paid = np.where(outcome.local_disk, 0.0, order)
    return Scored(machines, nodes, outcome, product, paid)


def _volumes(job: Job, those: Contenders, disks: Disks) -> Volume:
    """What each kind of volume among the contenders can move at the most."""
    rows = those.volumes
    product, described = those.product[rows], those.described[rows]
    size = disk_need(job, those.nodes[rows], model_bytes(job), CHECKPOINTS_KEPT * checkpoint_size_gib(job))
    return volumes.limits(disks, product, volumes.largest_gib(disks, product, size), described=described)


def _estimated(
    job: Job, those: Contenders, volume: Volume, ground: Groundwork, splits: Splits
) -> tuple[Outcome, Floats]:
    """The outcome, and the machines that it takes."""
    machines, nodes = those.machines, those.nodes
    if job.kind == kind.SAMPLE_TRAINING:
        return sample_training.estimate(job, machines, nodes, volume, ground), nodes
    if job.kind == kind.TOKEN_TRAINING:
        return token_training.estimate(job, machines, nodes, volume, ground, splits), nodes
    if job.kind in ESTIMATES:
        return ESTIMATES[job.kind](job, machines, nodes, volume), nodes
    fixed = None if those.sized else nodes
    if job.kind == kind.SERVING:
        return serving.estimate(job, machines, fixed, volume, ground, splits)
    if job.kind == kind.INFERENCE:
        return inference.estimate(job, machines, fixed, volume, ground)
    return tabular.inference(job, machines, fixed, volume)
