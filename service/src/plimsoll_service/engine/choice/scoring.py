"""From a job and candidates to outcomes and the disks that they order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plimsoll_service.engine.choice.candidates import Candidates
from plimsoll_service.engine.choice.contenders import Contenders, contenders_of
from plimsoll_service.engine.columns import paired
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate import work
from plimsoll_service.engine.estimate.input.disk_orders import Ceilings, Orders, Terms, ceilings, ceilings_of, terms_of
from plimsoll_service.engine.estimate.input.disks import Drives, OwnDrives, disk_need, own_drives
from plimsoll_service.engine.estimate.job_time import checkpoint_size_gib, model_bytes
from plimsoll_service.engine.estimate.outcome import DiskColumns, Outcome
from plimsoll_service.engine.estimate.parallelism import UNSAID, Splits
from plimsoll_service.engine.hardware import Disks, Floats, Ints, Places
from plimsoll_service.engine.machines import Machines


@dataclass(frozen=True, eq=False)
class Scored:
    """Candidates with their outcome, machines needed, and the volume product that each would order."""

    machines: Machines  # one row a candidate
    nodes: Floats
    outcome: Outcome
    product: Ints  # row of the catalog's disks; -1 where the cloud's are unknown
    disk_usd_per_hour: Floats  # of one machine


@dataclass(frozen=True, eq=False)
class Estimated:
    """Candidates with their outcome and machines needed, before disks are ordered for those that are worth it."""

    machines: Machines
    nodes: Floats
    outcome: Outcome
    product: Ints
    orders: Orders

    def scored(self, rows: Places | None = None) -> Scored:
        """With their disks; where only some rows are worth it, those of others are unknown."""
        need, found = self.outcome.disk, self.orders.of(self.outcome, rows)
        outcome = self.outcome.changed(disk=DiskColumns(found.size_gib, need.rate, need.requests, need.mib))
        return Scored(self.machines, self.nodes, outcome, self.product, found.usd_per_hour)


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


def offered_of(those: Contenders, disks: Disks) -> Offered:
    """What these may order, whatever the job."""
    rows = those.volumes
    product, described, nodes = those.product[rows], those.described[rows], those.nodes[rows]
    alike = paired((product + 1) * 2 + described, nodes)
    some, owned = product[alike.rows], described[alike.rows]
    known = ceilings(disks, some, owned) if owned.any() else ceilings_of(disks, some)
    return Offered(
        terms_of(disks).of(product), own_drives(those.machines.take(rows)), nodes, alike.of, known, nodes[alike.rows]
    )


def score(job: Job, machines: Machines, cloud: Ints, candidates: Candidates, disks: Disks, products: Ints,
          splits: Splits = UNSAID) -> Scored:  # fmt: skip
    """Scores all candidates at once; ``cloud`` is each machine row's (-1: own), ``products`` the row per cloud."""
    contenders = contenders_of(machines, cloud, candidates, products)
    prepared = work.prepare(job, contenders.machines, contenders.given_nodes, splits)
    plan = work.plan(prepared, work.plan_key(job, prepared))
    return estimated_of(job, contenders, offered_of(contenders, disks), prepared, plan).scored()


def estimated_of(job: Job, those: Contenders, offered: Offered, prepared: work.Prepared, plan: Any) -> Estimated:
    """Estimates the contenders."""
    size = disk_need(job, offered.sharing, model_bytes(job), checkpoint_size_gib(job))
    volume = offered.ceilings.limits(offered.ceilings.largest_gib(size))
    drives = Drives(volume.of(offered.volume), offered.own, offered.nodes, those.volume)
    outcome, nodes = work.estimate(job, prepared, plan, drives)
    return Estimated(
        prepared.machines, nodes, outcome, those.product, Orders(offered.terms, drives, job.feed is not None)
    )
