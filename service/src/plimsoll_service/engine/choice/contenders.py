"""Who may do a job before the amount of its work counts: machines, in numbers that may be rented."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.choice.candidates import NODE_COUNTS, SPLIT_KINDS, Candidates, candidates_of, most_nodes
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.own import OwnMachines
from plimsoll_service.engine.choice.shelf import Shelf
from plimsoll_service.engine.choice.software import runs_on
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.basis import basis
from plimsoll_service.engine.estimate.feeding import devices_within
from plimsoll_service.engine.estimate.kinds import kinds_of
from plimsoll_service.engine.estimate.machines import Machines, Places, concatenate
from plimsoll_service.engine.estimate.splits import UNSAID, Splits
from plimsoll_service.engine.hardware import Flags, Floats, Ints

Column = TypeVar("Column", bound=NDArray[Any])
# Work that runs a process of its own for each device.
DEVICE_PROCESSES = (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING, kind.INFERENCE, kind.SERVING)


@dataclass(frozen=True, eq=False)
class Contenders:
    """One row a candidate: its machine as the job uses it, how many, and the volume product that it would order."""

    machines: Machines
    nodes: Floats
    sized: bool  # the estimate itself sets the number of machines
    described: Flags  # machines of one's own, which are no cloud's
    product: Ints  # row of the catalog's disks; -1 where the cloud's are unknown
    volumes: Places  # a row for each of the few kinds of volume: product and share of the data
    volume: Places  # per candidate its kind: place in ``volumes``


@dataclass(frozen=True, eq=False)
class Field:
    """All contenders among the shapes on the shelf and one's own machines, and how many types were left out for what.

    A candidate stands for every type of its shape that is on the shelf.
    """

    contenders: Contenders
    shape: Ints  # per candidate: a shape of the market, or len(shapes) + own machine
    types: Ints | None  # per candidate: how many types of the shape are on the shelf; None for one each
    rejected: Counter[str]


def field_of(job: Job, market: Market, own: OwnMachines, shelf: Shelf) -> Field:
    """Who may do the job, of what is on the shelf and of the user's own machines."""
    shapes, types = market.shapes, market.catalog.instance_types
    machines = concatenate([market.shape_machines, own.machines]) if len(own) else market.shape_machines
    stocked = np.bincount(shelf.shape, weights=shelf.stands_for, minlength=len(shapes)).astype(np.int32)
    counts: Counter[str] = Counter()
    eligible = _eligible(job, market, shelf, stocked, counts)
    mine, single = len(shapes) + np.arange(len(own), dtype=np.int32), np.ones(len(own), dtype=np.int32)
    most = np.full(len(shapes), np.inf)  # a quota is counted, not skipped
    candidates = candidates_of(job, machines, behind(eligible, mine), behind(most, own.max_nodes))
    cloud = behind(types.cloud.codes[shapes.row], -single)
    several = behind(stocked, single).take(candidates.row)
    return Field(
        contenders=contenders_of(job, machines, cloud, candidates, shelf.product),
        shape=candidates.row,
        types=None if np.all(several == 1) else several,
        rejected=counts,
    )


def behind(column: Column, own: Column) -> Column:
    """A column of what the market has, and behind it that of one's own machines."""
    return cast(Column, np.concatenate([column, own])) if len(own) else column


def contenders_of(
    job: Job, machines: Machines, cloud: Ints, candidates: Candidates, products: Ints, splits: Splits = UNSAID
) -> Contenders:
    """The candidates; ``cloud`` is each machine row's (-1: own), ``products`` the row of the disks per cloud."""
    chosen = machines.take(candidates.row)
    chosen = chosen.changed(basis=basis(job, chosen))
    if job.kind in DEVICE_PROCESSES and not splits.stated:
        chosen = chosen.changed(devices=devices_within(job, chosen))
    clouds = cloud.take(candidates.row)
    product = np.where(clouds >= 0, products[np.maximum(clouds, 0)], -1).astype(np.int32)
    described = clouds < 0
    codes = (candidates.nodes.astype(np.int64) * (int(products.max(initial=-1)) + 2) + product + 1) * 2 + described
    kinds = kinds_of(codes)
    return Contenders(chosen, candidates.nodes, candidates.sized, described, product, kinds.rows, kinds.of)


def _eligible(job: Job, market: Market, shelf: Shelf, stocked: Ints, counts: Counter[str]) -> Ints:
    """Shapes of which a type is on the shelf, and on which the work can run; the rest is counted."""
    plain, accelerated = _node_counts(job)
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


def _count(counts: Counter[str], name: str, lost: int) -> None:
    if lost:
        counts[name] += lost


def _node_counts(job: Job) -> tuple[int, int]:
    """How many candidates (numbers of machines) a type without and one with accelerators stands for."""
    several = sum(count <= most_nodes(job) for count in NODE_COUNTS) if job.kind in SPLIT_KINDS else 1
    return several if job.kind == kind.PREPROCESSING else 1, several
