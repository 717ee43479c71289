"""From a job and candidates to outcomes: the one place that knows which estimate belongs to which kind of work."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plimsoll_service.engine.choice.candidates import Candidates
from plimsoll_service.engine.columns import paired
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.input.disk_orders import (
    Ceilings,
    Ordered,
    Orders,
    Terms,
    ceilings,
    ceilings_of,
    terms_of,
)
from plimsoll_service.engine.estimate.input.disks import Drives, OwnDrives, disk_need, own_drives
from plimsoll_service.engine.estimate.job_time import checkpoint_size_gib, model_bytes, retimed
from plimsoll_service.engine.estimate.non_neural import hpc, preprocessing, tabular
from plimsoll_service.engine.estimate.outcome import DiskColumns, Outcome
from plimsoll_service.engine.estimate.parallelism import UNSAID, Splits
from plimsoll_service.engine.estimate.samples import inference as samples_inference
from plimsoll_service.engine.estimate.samples import training as samples_training
from plimsoll_service.engine.estimate.serving import estimate as serving_estimate
from plimsoll_service.engine.estimate.token_training import estimate as token_training_estimate
from plimsoll_service.engine.hardware import Disks, Floats, Ints, Places
from plimsoll_service.engine.machines import Machines

ESTIMATES = {
    kind.TABULAR_TRAINING: tabular.training,
    kind.PREPROCESSING: preprocessing.estimate,
    kind.HPC: hpc.estimate,
}
DATALESS = (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING)  # where the data are not said


@dataclass(frozen=True, eq=False)
class Estimates:
    """Candidates with their outcome, machines needed, and the volume product that each would order."""

    machines: Machines  # one row a candidate
    nodes: Floats
    outcome: Outcome
    product: Ints  # row of the catalog's disks; -1 where the cloud's are unknown
    disk_usd_per_hour: Floats  # of one machine


@dataclass(frozen=True, eq=False)
class BeforeDisks:
    """Candidates with their outcome and machines needed, before disks are ordered for those that are worth it."""

    machines: Machines
    nodes: Floats
    outcome: Outcome
    product: Ints
    orders: Orders
    ordered: Ordered | None  # where no amount of the work decides it

    def with_disks(self, rows: Places | None = None) -> Estimates:
        """With their disks; where only some rows are worth it, those of others are unknown."""
        need, found = self.outcome.disk, self.ordered or self.orders.of(self.outcome, rows)
        outcome = self.outcome.changed(disk=DiskColumns(found.size_gib, need.rate, need.requests, need.mib))
        return Estimates(self.machines, self.nodes, outcome, self.product, found.usd_per_hour)


@dataclass(frozen=True, eq=False)
class Offered:
    """What the contenders may order: volumes of each product and share of the work, and which of them each kind of
    disks has beside its machine's own."""

    terms: Terms  # a row for each kind of disks
    own: OwnDrives
    nodes: Floats
    volume: Places
    ceilings: Ceilings  # a row for each volume
    sharing: Floats  # machines that share the work


def offered_of(candidates: Candidates, disks: Disks) -> Offered:
    """What these may order, whatever the job."""
    rows = candidates.volumes.rows
    product, described, nodes = candidates.product[rows], candidates.described[rows], candidates.nodes[rows]
    alike = paired((product + 1) * 2 + described, nodes)
    some, owned = product[alike.rows], described[alike.rows]
    known = ceilings(disks, some, owned) if owned.any() else ceilings_of(disks, some)
    own = own_drives(candidates.machines.take(rows))
    return Offered(terms_of(disks).of(product), own, nodes, alike.of, known, nodes[alike.rows])


def estimates_of(job: Job, candidates: Candidates, disks: Disks, splits: Splits = UNSAID) -> Estimates:
    """The estimates of all candidates, nothing of which is kept."""
    ground, offered = Groundwork(job), offered_of(candidates, disks)
    return estimated_of(job, candidates, offered, ground, splits).with_disks()


def estimated_of(
    job: Job, those: Candidates, offered: Offered, ground: Groundwork, splits: Splits = UNSAID
) -> BeforeDisks:
    """Estimates the contenders; ``ground`` is that of the job on just them."""
    if not _only_longer(job):
        return _estimated_of(job, those, offered, ground, splits)
    some = ground.of(lambda plain: _estimated_of(plain, those, offered, Groundwork(plain), splits), "estimated")
    return replace(some, outcome=retimed(job, some.machines, some.nodes, some.outcome))


def _only_longer(job: Job) -> bool:
    """Whether more of the work takes longer and changes nothing else: it reads no data and is told by no ratio."""
    return job.feed is None and (job.kind in DATALESS or (job.kind == kind.HPC and job.workload.bytes is None))


def _estimated_of(job: Job, those: Candidates, offered: Offered, ground: Groundwork, splits: Splits) -> BeforeDisks:
    size = disk_need(job, offered.sharing, model_bytes(job), checkpoint_size_gib(job))
    volume = offered.ceilings.limits(offered.ceilings.largest_gib(size))
    drives = Drives(volume.of(offered.volume), offered.own, offered.nodes, those.volumes.of)
    outcome, nodes = _estimated(job, those, drives, ground, splits)
    orders = Orders(offered.terms, drives, reads=job.feed is not None)
    ordered = None if orders.reads else ground.of(lambda _: orders.of(outcome), "ordered")
    return BeforeDisks(those.machines, nodes, outcome, those.product, orders, ordered)


def _estimated(
    job: Job, those: Candidates, drives: Drives, ground: Groundwork, splits: Splits
) -> tuple[Outcome, Floats]:
    """The outcome, and the machines that it takes."""
    machines, nodes = those.machines, those.nodes
    if job.kind == kind.SAMPLE_TRAINING:
        return samples_training.estimate(job, machines, nodes, drives, ground), nodes
    if job.kind == kind.TOKEN_TRAINING:
        return token_training_estimate.estimate(job, machines, nodes, drives, ground, splits), nodes
    if job.kind in ESTIMATES:
        return ESTIMATES[job.kind](job, machines, nodes, drives, ground), nodes
    fixed = None if those.sized else nodes
    if job.kind == kind.SERVING:
        return serving_estimate.estimate(job, machines, fixed, drives, ground, splits)
    if job.kind == kind.INFERENCE:
        return samples_inference.estimate(job, machines, fixed, drives, ground)
    return tabular.inference(job, machines, fixed, drives, ground)
