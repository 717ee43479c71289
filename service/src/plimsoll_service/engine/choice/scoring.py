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
)
from plimsoll_service.engine.estimate.feeding import CHECKPOINTS_KEPT, Volume, disk_need
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.job_time import checkpoint_size_gib, model_bytes, retimed
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.outcome import DiskColumns, Outcome
from plimsoll_service.engine.estimate.splits import UNSAID, Splits
from plimsoll_service.engine.estimate.volumes import (
    Ceilings,
    Terms,
    ceilings,
    ceilings_of,
    hourly_usd,
    size_moving,
    terms_of,
)
from plimsoll_service.engine.hardware import Disks, Floats, Ints

ESTIMATES = {
    kind.TABULAR_TRAINING: tabular.training,
    kind.PREPROCESSING: preprocessing.estimate,
    kind.HPC: hpc.estimate,
}
DATALESS = (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING)  # where the data are not said


@dataclass(frozen=True, eq=False)
class Scored:
    """Candidates with their outcome, machines needed, and the volume product that each would order."""

    machines: Machines  # one row a candidate
    nodes: Floats
    outcome: Outcome
    product: Ints  # row of the catalog's disks; -1 where the cloud's are unknown
    disk_usd_per_hour: Floats  # of one machine


@dataclass(frozen=True, eq=False)
class _Offered:
    """What the contenders may order: terms of each product, and ceilings of each kind of volume."""

    terms: Terms
    ceilings: Ceilings


def _offered(those: Contenders, disks: Disks) -> _Offered:
    product, described = those.product[those.volumes], those.described[those.volumes]
    known = ceilings(disks, product, described) if described.any() else ceilings_of(disks, product)
    return _Offered(terms_of(disks), known)


def score(job: Job, machines: Machines, cloud: Ints, candidates: Candidates, disks: Disks, products: Ints,
          splits: Splits = UNSAID) -> Scored:  # fmt: skip
    """Scores all candidates at once; ``cloud`` is each machine row's (-1: own), ``products`` the row per cloud."""
    ground = Groundwork(job)
    contenders = contenders_of(ground.job, machines, cloud, candidates, products, splits)
    return scored_of(job, contenders, disks, ground, splits)


def scored_of(job: Job, those: Contenders, disks: Disks, ground: Groundwork, splits: Splits = UNSAID) -> Scored:
    """Scores the contenders, with the disks that they would order; ``ground`` is that of the job on just them."""
    if not _only_longer(job):
        return _scored(job, those, disks, ground, splits)
    some = ground.of(lambda plain: _scored(plain, those, disks, Groundwork(plain), splits), "scored")
    return replace(some, outcome=retimed(job, some.machines, some.nodes, some.outcome))


def _only_longer(job: Job) -> bool:
    """Whether more of the work takes longer and changes nothing else: it reads no data and is told by no ratio."""
    return job.feed is None and (job.kind in DATALESS or (job.kind == kind.HPC and job.workload.bytes is None))


def _scored(job: Job, those: Contenders, disks: Disks, ground: Groundwork, splits: Splits) -> Scored:
    machines = those.machines
    offered = ground.of(lambda _: _offered(those, disks), "offered")
    size = disk_need(job, those.nodes[those.volumes], model_bytes(job), CHECKPOINTS_KEPT * checkpoint_size_gib(job))
    most = offered.ceilings.limits(offered.ceilings.largest_gib(size))
    volume = Volume(*(column.take(those.volume) for column in (most.mib_s, most.iops, most.latency_s)))
    outcome, nodes = _estimated(job, those, volume, ground, splits)
    if job.feed is None:
        size_gib, paid = ground.of(lambda _: _ordered(those, offered.terms, volume, outcome), "ordered")
    else:
        size_gib, paid = _ordered(those, offered.terms, volume, outcome)
    need = outcome.disk
    outcome = outcome.changed(disk=DiskColumns(size_gib, need.iops, need.throughput_mib_s))
    return Scored(machines, nodes, outcome, those.product, paid)


def _ordered(those: Contenders, products: Terms, volume: Volume, outcome: Outcome) -> tuple[Floats, Floats]:
    """GiB of the volume of each machine, and USD an hour for it; a local disk is as large as it must be, and paid."""
    need, terms = outcome.disk, products.of(those.product)
    most_mib_s = np.fmin(volume.mib_s, those.machines.disk_mib_s)  # what the machine cannot move is not bought
    iops = np.fmin(np.fmax(need.iops, 0.0), volume.iops)  # nothing where it is unknown
    mib_s = np.fmin(np.fmax(need.throughput_mib_s, 0.0), most_mib_s)
    size_gib = size_moving(terms, need.size_gib, iops, mib_s)
    paid = hourly_usd(terms, size_gib, iops, mib_s)
    if outcome.local_disk.any():
        size_gib, paid = np.where(outcome.local_disk, need.size_gib, size_gib), np.where(outcome.local_disk, 0.0, paid)
    return size_gib, paid


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
        return ESTIMATES[job.kind](job, machines, nodes, volume, ground), nodes
    fixed = None if those.sized else nodes
    if job.kind == kind.SERVING:
        return serving.estimate(job, machines, fixed, volume, ground, splits)
    if job.kind == kind.INFERENCE:
        return inference.estimate(job, machines, fixed, volume, ground)
    return tabular.inference(job, machines, fixed, volume, ground)
