"""Who may do a job before the amount of its work counts: machines, in numbers that may be rented."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TypeAlias, cast

import numpy as np

from plimsoll_service.engine.choice.candidates import Candidates, NodeCounts, candidates_of, node_counts
from plimsoll_service.engine.choice.constant import Column
from plimsoll_service.engine.choice.kept import Kept
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.own import OwnMachines
from plimsoll_service.engine.choice.shelf import Shelf
from plimsoll_service.engine.choice.software import runs_on
from plimsoll_service.engine.columns import Kinds, kinds_of
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.requirements import most_together
from plimsoll_service.engine.hardware import Flags, Floats, Ints, Places
from plimsoll_service.engine.machines import Machines, concatenate
from plimsoll_service.engine.workload import Hardware

# What a line-up depends on: numbers of machines, own machines, disks, digest of the shapes, how many types of each and
# the most machines of each.
LineupKey: TypeAlias = tuple[NodeCounts, tuple[Hardware, ...], bytes, bytes]


@dataclass(frozen=True, eq=False)
class Lineup:
    """One row a candidate: its machine, how many, and the volume product that it would order.

    Jobs of many kinds have the same.
    """

    key: LineupKey | None  # equal for equal line-ups on one market
    machines: Machines
    nodes: Floats
    described: Flags  # machines of one's own, which are no cloud's
    product: Ints  # row of the catalog's disks; -1 where the cloud's are unknown
    volumes: Kinds  # of disks: candidates with the same product, share of the data, and drives of their own
    shape: Places  # per candidate: a shape of the market, or len(shapes) + own machine
    types: Ints | None  # per candidate: how many types of the shape are on the shelf; None for one each


@dataclass(frozen=True, eq=False)
class Contenders:
    """A line-up for a job."""

    machines: Machines
    nodes: Floats
    sized: bool  # the estimate itself sets the number of machines
    described: Flags
    product: Ints
    volumes: Places  # a row for each of the few kinds of disks
    volume: Places  # per candidate its kind: place in ``volumes``

    @property
    def given_nodes(self) -> Floats | None:
        """The numbers of machines, where the estimate does not set them."""
        return None if self.sized else self.nodes


@dataclass(frozen=True, eq=False)
class Field:
    """All contenders among the shapes on the shelf and one's own machines, and how many types were left out for what.

    A candidate stands for every type of its shape that is on the shelf.
    """

    lineup: Lineup
    sized: bool
    rejected: Counter[str]

    @property
    def contenders(self) -> Contenders:
        """The line-up for the job."""
        return _contenders(self.lineup, self.sized)


def field_of(job: Job, market: Market, own: OwnMachines, shelf: Shelf, kept: Kept) -> Field:
    """Who may do the job, of what is on the shelf and of the user's own machines."""
    stocked = np.bincount(shelf.shape, weights=shelf.stands_for, minlength=len(market.shapes)).astype(np.int32)
    rejected: Counter[str] = Counter()
    eligible = _eligible(job, market, shelf, stocked, rejected)
    counts, several = node_counts(job), stocked.take(eligible)
    most = _most(job, market, eligible, several, rejected)
    key = (counts, own.hardware, shelf.product.tobytes(), _digest(eligible, several, most))
    lineup = kept.of(("lineup", key), lambda: _lineup(key, market, own, shelf.product, eligible, several, most))
    return Field(lineup, job.kind in kind.INFERENCE_KINDS, rejected)


def _digest(*columns: Ints | Floats) -> bytes:
    """The same for the same columns alone."""
    return blake2b(b"".join(column.tobytes() for column in columns), digest_size=16).digest()


def _lineup(
    key: LineupKey, market: Market, own: OwnMachines, products: Ints, eligible: Ints, several: Ints, most: Floats
) -> Lineup:
    shapes = market.shapes
    machines = concatenate([market.shape_machines, own.machines]) if len(own) else market.shape_machines
    mine, single = len(shapes) + np.arange(len(own), dtype=np.int32), np.ones(len(own), dtype=np.int32)
    limit = np.full(len(shapes), np.inf)  # a quota is counted, not skipped
    limit[eligible] = most
    row, nodes = candidates_of(key[0], machines, behind(eligible, mine), behind(limit, own.max_nodes))
    cloud = behind(market.catalog.instance_types.cloud.codes[shapes.row], -single)
    stocked = np.zeros(len(shapes), dtype=np.int32)
    stocked[eligible] = several
    types = behind(stocked, single).take(row)
    found = lineup_of(machines, cloud, row, nodes, products)
    return replace(found, key=key, types=None if np.all(types == 1) else types)


def behind(column: Column, own: Column) -> Column:
    """A column of what the market has, and behind it that of one's own machines."""
    return cast(Column, np.concatenate([column, own])) if len(own) else column


def lineup_of(machines: Machines, cloud: Ints, row: Ints, nodes: Floats, products: Ints) -> Lineup:
    """So many of the machines in each row; ``cloud`` is each machine's (-1: own), ``products`` the disks' per cloud."""
    rows = row.astype(np.intp)
    clouds = cloud.take(rows)
    product = np.where(clouds >= 0, products[np.maximum(clouds, 0)], -1).astype(np.int32)
    described = clouds < 0
    codes = (nodes.astype(np.int64) * (int(products.max(initial=-1)) + 2) + product + 1) * 2 + described
    chosen = machines.take(rows)
    own = machines.disk_alike.take(rows)  # which nobody asks for again
    volumes = kinds_of(kinds_of(codes).of * (int(own.max(initial=0)) + 1) + own)
    return Lineup(None, chosen, nodes, described, product, volumes, rows, None)


def contenders_of(machines: Machines, cloud: Ints, candidates: Candidates, products: Ints) -> Contenders:
    """Candidates as contenders (see ``lineup_of``)."""
    lineup = lineup_of(machines, cloud, candidates.row, candidates.nodes, products)
    return _contenders(lineup, candidates.sized)


def _contenders(lineup: Lineup, sized: bool) -> Contenders:
    kinds = lineup.volumes
    return Contenders(lineup.machines, lineup.nodes, sized, lineup.described, lineup.product, kinds.rows, kinds.of)


def _eligible(job: Job, market: Market, shelf: Shelf, stocked: Ints, counts: Counter[str]) -> Ints:
    """Shapes of which a type is on the shelf, and on which the work can run; the rest is counted."""
    counts_of = node_counts(job)
    accelerated = len(counts_of.of_devices)
    plain = accelerated if counts_of.of_all else 1
    for lost in shelf.lost:
        _count(counts, lost.constraint, lost.plain * plain + lost.accelerated * accelerated)
    machines = market.shape_machines
    weight = stocked * np.where(machines.has_accelerator(), accelerated, plain)
    alive = stocked > 0
    masks = [*runs_on(job, machines, market.catalog)]
    if job.workload.disk.type == "nvme":
        masks.append(("disk", machines.local_nvme))
    if job.kind == kind.TOKEN_TRAINING:
        masks.append(("accelerators", machines.has_accelerator()))
    for name, passing in masks:
        _count(counts, name, int(weight[alive & ~passing].sum()))
        alive &= passing
    return np.flatnonzero(alive).astype(np.int32)


def _most(job: Job, market: Market, eligible: Ints, several: Ints, rejected: Counter[str]) -> Floats:
    """The most machines of each shape that may share the work; larger numbers of them are counted."""
    if not job.training:
        return np.full(len(eligible), np.inf)
    machines, counts = market.shape_machines.take(eligible), node_counts(job).of_devices
    most = most_together(job, machines)
    beyond = len(counts) - np.searchsorted(counts, most, side="right")
    _count(rejected, "network", int(several[machines.has_accelerator()] @ beyond[machines.has_accelerator()]))
    return most


def _count(counts: Counter[str], name: str, lost: int) -> None:
    if lost:
        counts[name] += lost
