"""Candidates: eligible machines for a job, in each eligible node count, before the amount of work is known.

Node counts are nested, so a wider limit keeps every candidate of a narrower one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ..columns import Groups, groups_of
from ..demand import kind
from ..demand.job import Job, most_nodes
from ..estimate.requirements import most_together
from ..hardware import Flags, Floats, Ints
from ..machines import Machines, concatenate
from .constraints import alone, asked_by_device, asked_for, has_price, linked, machine_masks
from .market import Market
from .own_machines import OwnMachines
from .software import Grounds, allowed, grounds_of, no_grounds

NODE_COUNTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
# Formats of one file, which one process writes. Rule: one-writer.
ONE_WRITER = ("lmdb", "recordio")
# Several machines share this work. For the rest, a candidate is one machine (or as many as a rate needs).
SPLIT_KINDS = (*kind.NEURAL_TRAINING, kind.PREPROCESSING)
# Several machines share this work where a number of them is asked for: that the program can run on several is unknown.
ASKED_KINDS = (kind.HPC,)

NOTHING_REJECTED: Mapping[str, int] = {}

Column = TypeVar("Column", bound=NDArray[Any])


@dataclass(frozen=True, eq=False)
class Candidates:
    """One row per candidate: its machine, node count and volume product."""

    machines: Machines
    row: Ints  # of the catalog's types; those of the user's own machines follow
    nodes: Floats
    sized: bool  # the estimate itself sets the number of machines
    described: Flags  # machines of the user's own, which belong to no cloud
    product: Ints  # row of the catalog's disks; -1 where the cloud's are unknown
    volumes: Groups  # of disks: candidates with the same product, share of the data, and drives of their own
    grounds: Grounds  # whether the software runs there
    rejected: Mapping[str, int]  # machines and node counts that are excluded, by the failed constraint

    def __len__(self) -> int:
        return len(self.row)

    @property
    def fixed_nodes(self) -> Floats | None:
        """The numbers of machines, where the estimate does not set them."""
        return None if self.sized else self.nodes


@dataclass(frozen=True)
class NodeCounts:
    """Numbers of machines that may share the work, and whether machines without devices may share it too."""

    of_devices: tuple[int, ...]
    of_all: bool

    def number(self, with_devices: Flags) -> Ints:
        """Return the number of node counts of each machine."""
        several = len(self.of_devices)
        return np.where(with_devices, several, several if self.of_all else 1)


def node_counts(job: Job) -> NodeCounts:
    """Return the node counts for the work; only machines with accelerators share training."""
    split, most = job.kind in SPLIT_KINDS or ends_in_parts(job), most_nodes(job)
    if job.kind in ASKED_KINDS:
        split = job.query.constraints.max_nodes is not None
    if job.kind == kind.TABULAR_TRAINING and job.divides_rows:
        split = True
    elif job.kind == kind.TABULAR_TRAINING:  # each experiment runs on one machine
        split, most = job.experiments > 1, min(most, job.experiments)
    if not split or (job.kind == kind.PREPROCESSING and job.workload.output_format in ONE_WRITER):
        return NodeCounts((1,), False)
    counts = tuple(count for count in NODE_COUNTS if count <= most)
    return NodeCounts(counts, job.kind not in kind.NEURAL_TRAINING)


def ends_in_parts(job: Job) -> bool:
    """Return whether the work is inference with an end, whose requests machines share without a network."""
    return job.kind in kind.INFERENCE_KINDS and not job.serves


def candidates_of(job: Job, market: Market, own: OwnMachines) -> Candidates:
    """Return all candidates for a job, from the catalog and the user's own machines."""
    counts, rejected = node_counts(job), Counter[str]()
    machines = concatenate([market.machines, own.machines]) if len(own) else market.machines
    grounds = grounds_of(job, machines, market.catalog)
    may = allowed(grounds, _named(job, market, own), job.query.constraints)
    types = _eligible_types(job, market, counts, may[: len(market.machines)], rejected)
    limit = np.full(len(market.machines), np.inf)  # a quota is counted, not skipped
    limit[types] = _most_nodes_together(job, market, types, counts, rejected)
    mine = _eligible_own(job, own, len(market.machines), counts, may, rejected)
    cloud = _followed(market.disk_sellers, np.full(len(own), -1, dtype=np.int32))
    row, nodes = _in_numbers(counts, machines, _followed(types, mine), _followed(limit, own.max_nodes))
    sized = job.serves
    products = market.products(job)
    return candidates_among(machines, cloud, row, nodes, products, grounds, sized=sized, rejected=rejected)


def candidates_among(
    machines: Machines, cloud: Ints, row: Ints, nodes: Floats, products: Ints, grounds: Grounds | None = None, *,
    sized: bool = False, rejected: Mapping[str, int] = NOTHING_REJECTED,
) -> Candidates:  # fmt: skip
    """Return ``nodes`` of the machines in each row.

    ``cloud`` says who sells the disks of each machine (-1: the user's own), and ``products`` the row of theirs.
    """
    clouds = cloud.take(row)
    described = clouds < 0
    product = np.where(described, -1, products[np.maximum(clouds, 0)]).astype(np.int32)
    chosen = machines.take(row)
    codes = (nodes.astype(np.int64) * (int(products.max(initial=-1)) + 2) + product + 1) * 2 + described
    drives = chosen.disk_alike
    volumes = groups_of(groups_of(codes).of * (int(drives.max(initial=0)) + 1) + drives)
    runs = no_grounds(len(row)) if grounds is None else grounds.take(row)
    return Candidates(chosen, row, nodes, sized, described, product, volumes, runs, rejected)


def _named(job: Job, market: Market, own: OwnMachines) -> Flags:
    """Machines that the request names, by software, type, family or accelerator; the user's own are named."""
    constraints = job.query.constraints
    named = (
        asked_for(constraints, market)
        | asked_by_device(constraints, market)
        | job.coefficients.support.of_platform(job.program)
    )
    return _followed(named, np.ones(len(own), dtype=bool))


def _eligible_own(
    job: Job, own: OwnMachines, first: int, counts: NodeCounts, may: Flags, rejected: Counter[str]
) -> Ints:
    """Rows of the user's own machines, from ``first`` on, that run the software wired as asked; the rest is counted."""
    if own.types is None:
        return np.empty(0, dtype=np.int32)
    weight, runs = counts.number(own.machines.has_accelerator()), may[first:]
    wired = linked(own.types) | alone(own.types) | (job.query.constraints.interconnect != "nvlink")
    _count(rejected, "interconnect", int(weight[~wired].sum()))
    _count(rejected, "software", int(weight[wired & ~runs].sum()))
    return (first + np.flatnonzero(wired & runs)).astype(np.int32)


def _eligible_types(job: Job, market: Market, counts: NodeCounts, may: Flags, rejected: Counter[str]) -> Ints:
    """Types that pass the constraints on machines and ``may`` run the work; the rest is counted."""
    machines = market.machines
    weight, alive = counts.number(machines.has_accelerator()), np.ones(len(machines), dtype=bool)
    constraints = job.query.constraints
    masks = [*machine_masks(constraints, market, job.training), ("price", has_price(constraints, market))]
    masks.append(("software", may))
    if job.workload.disk.type == "nvme":
        masks.append(("disk", machines.local_nvme))
    if job.kind == kind.TOKEN_TRAINING:
        masks.append(("accelerators", machines.has_accelerator()))
    for name, passing in masks:
        _count(rejected, name, int(weight[alive & ~passing].sum()))
        alive &= passing
    return np.flatnonzero(alive).astype(np.int32)


def _most_nodes_together(job: Job, market: Market, types: Ints, counts: NodeCounts, rejected: Counter[str]) -> Floats:
    """Largest number of machines of each type that may share the work; larger node counts are counted."""
    if not job.training and job.kind not in ASKED_KINDS:
        return np.full(len(types), np.inf)
    machines = market.machines.take(types)
    most = most_together(job, machines)
    beyond = len(counts.of_devices) - np.searchsorted(counts.of_devices, most, side="right")
    several = machines.has_accelerator() | counts.of_all
    _count(rejected, "network", int(beyond[several].sum()))
    return most


def _in_numbers(counts: NodeCounts, machines: Machines, rows: Ints, limit: Floats) -> tuple[Ints, Floats]:
    """Row and node count of each candidate in the given rows; a node count is at most the limit of its row."""
    if len(counts.of_devices) == 1:
        return rows, np.ones(len(rows))
    splits = np.ones(len(rows), dtype=bool) if counts.of_all else machines.has_accelerator()[rows]
    able = rows[splits]
    most = limit[able]
    parts = [rows, *(able[most >= count] for count in counts.of_devices[1:])]
    nodes = np.repeat(np.array(counts.of_devices, dtype=np.float64), [len(part) for part in parts])
    return np.concatenate(parts), nodes


def _followed(column: Column, own: Column) -> Column:
    """Column of the catalog's machines, followed by that of the user's own."""
    return cast(Column, np.concatenate([column, own])) if len(own) else column


def _count(counts: Counter[str], name: str, lost: int) -> None:
    if lost:
        counts[name] += lost
