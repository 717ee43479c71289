"""Who may do a job before the amount of its work counts: machines, in numbers that may be rented."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from plimsoll_service.engine.choice import constraints as machine_constraints
from plimsoll_service.engine.choice.candidates import NODE_COUNTS, Candidates, candidates_of, most_nodes
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.own import OwnMachines
from plimsoll_service.engine.choice.software import runs_on
from plimsoll_service.engine.choice.terms import OwnPrices, own_prices
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.basis import basis
from plimsoll_service.engine.estimate.feeding import devices_within
from plimsoll_service.engine.estimate.machines import Machines, concatenate
from plimsoll_service.engine.estimate.splits import UNSAID, Splits
from plimsoll_service.engine.estimate.volumes import product_rows
from plimsoll_service.engine.hardware import Flags, Floats, Ints

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
    volumes: Ints  # a row for each of the few kinds of volume: product and share of the data
    volume: Ints  # per candidate its kind: place in ``volumes``


@dataclass(frozen=True, eq=False)
class Field:
    """All contenders of the catalog and of one's own machines, and how many were left out for which reason."""

    contenders: Contenders
    machine_row: Ints  # per candidate: a catalog type, or len(types) + own machine
    quota: Floats  # machines that may be had
    name_order: Ints
    prices: OwnPrices
    rejected: Counter[str]


def field_of(job: Job, market: Market, own: OwnMachines) -> Field:
    """Who may do the job, from the whole catalog and the user's own machines."""
    counts: Counter[str] = Counter()
    types = market.catalog.instance_types
    machines = concatenate([market.machines, own.machines]) if len(own) else market.machines
    rows = _eligible(job, market, own, counts)
    quota = np.concatenate([machine_constraints.quota_nodes(job.query.constraints, market), own.max_nodes])
    most = np.concatenate([np.full(len(types), np.inf), own.max_nodes])  # a quota is counted, not skipped
    candidates = candidates_of(job, machines, rows, most)
    cloud = np.concatenate([types.cloud.codes, np.full(len(own), -1, dtype=np.int32)])
    products = product_rows(market.prices.disks, types.cloud.words, job.workload.disk.type or "auto")
    order = np.concatenate([market.name_order, len(market.name_order) + np.arange(len(own), dtype=np.int32)])
    return Field(
        contenders=contenders_of(job, machines, cloud, candidates, products),
        machine_row=candidates.row,
        quota=quota[candidates.row],
        name_order=order[candidates.row],
        prices=own_prices(job.query.constraints, market),
        rejected=counts,
    )


def contenders_of(
    job: Job, machines: Machines, cloud: Ints, candidates: Candidates, products: Ints, splits: Splits = UNSAID
) -> Contenders:
    """The candidates; ``cloud`` is each machine row's (-1: own), ``products`` the row of the disks per cloud."""
    chosen = machines.take(candidates.row)
    chosen = replace(chosen, basis=basis(job, chosen))
    if job.kind in DEVICE_PROCESSES and not splits.stated:
        chosen = replace(chosen, devices=devices_within(job, chosen))
    clouds = cloud[candidates.row]
    product = np.where(clouds >= 0, products[np.maximum(clouds, 0)], -1).astype(np.int32)
    described = clouds < 0
    codes = (candidates.nodes.astype(np.int64) * (int(products.max(initial=-1)) + 2) + product + 1) * 2 + described
    _, kinds, each = np.unique(codes, return_index=True, return_inverse=True)
    return Contenders(chosen, candidates.nodes, candidates.sized, described, product, kinds, each)


def _eligible(job: Job, market: Market, own: OwnMachines, counts: Counter[str]) -> Ints:
    """Machine rows that pass the constraints on the machine; own machines are never filtered by the catalog's words."""
    alive = np.ones(len(market.catalog.instance_types), dtype=bool)
    weight = _nodes_possible(job, market)
    for name, passing in machine_constraints.machine_masks(job.query.constraints, market):
        _drop(alive, passing, name, weight, counts)
    for name, passing in runs_on(job, market.machines, market.catalog):
        _drop(alive, passing, name, weight, counts)
    if job.workload.disk.type == "nvme":
        _drop(alive, market.machines.local_nvme, "disk", weight, counts)
    if job.kind == kind.TOKEN_TRAINING:
        _drop(alive, market.machines.has_accelerator(), "accelerators", weight, counts)
    types = np.flatnonzero(alive).astype(np.int32)
    return np.concatenate([types, len(alive) + np.arange(len(own), dtype=np.int32)])


def _drop(alive: Flags, passing: Flags, name: str, weight: Ints, counts: Counter[str]) -> None:
    lost = int(weight[alive & ~passing].sum())
    if lost:
        counts[name] += lost
    alive &= passing


def _nodes_possible(job: Job, market: Market) -> Ints:
    """How many candidates (node counts) each type stands for."""
    if job.kind not in (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING, kind.PREPROCESSING):
        return np.ones(len(market.catalog.instance_types), dtype=np.int64)
    several = sum(count <= most_nodes(job) for count in NODE_COUNTS)
    splits = market.machines.has_accelerator() | (job.kind == kind.PREPROCESSING)
    return np.where(splits, several, 1)
