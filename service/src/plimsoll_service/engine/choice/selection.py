"""From a job to the feasible options: constraints first, then estimates, offers, and the limits on the answer.

Every candidate that drops out is counted once, under the first that it fails.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.choice import constraints as machine_constraints
from plimsoll_service.engine.choice.candidates import NODE_COUNTS, Candidates, candidates_of, most_nodes
from plimsoll_service.engine.choice.limits import limit_masks
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.options import Options, options_of
from plimsoll_service.engine.choice.own import OwnMachines
from plimsoll_service.engine.choice.sales import sales_of
from plimsoll_service.engine.choice.scoring import Scored, score
from plimsoll_service.engine.choice.software import runs_on
from plimsoll_service.engine.choice.terms import OwnPrices, own_prices
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.device_memory import recommended_share
from plimsoll_service.engine.estimate.machines import concatenate
from plimsoll_service.engine.estimate.outcome import OBSTACLES
from plimsoll_service.engine.estimate.volumes import product_rows
from plimsoll_service.engine.hardware import Flags, Floats, Ints


@dataclass(frozen=True, eq=False)
class Selection:
    """All that a choice is made of: the scored candidates, their options, and which of those are feasible."""

    scored: Scored
    machine_row: Ints  # per candidate its machine: a catalog type, or len(types) + own machine
    options: Options
    feasible: Ints  # rows of options
    rejected: dict[str, int]
    name_order: Ints  # per candidate
    prices: OwnPrices


@np.errstate(divide="ignore", invalid="ignore", over="ignore")  # unknown figures are NaN and stay so
def select(job: Job, market: Market, own: OwnMachines) -> Selection:
    """Evaluates the whole catalog, and the user's own machines, for a job."""
    counts: Counter[str] = Counter()
    machines = concatenate([market.machines, own.machines]) if len(own) else market.machines
    rows = _eligible(job, market, own, counts)
    limit = np.concatenate([machine_constraints.quota_nodes(job.query.constraints, market), own.max_nodes])
    most = np.concatenate(
        [np.full(len(market.catalog.instance_types), np.inf), own.max_nodes]
    )  # a quota is counted, not skipped
    candidates = candidates_of(job, machines, rows, most)
    cloud = np.concatenate([market.catalog.instance_types.cloud.codes, np.full(len(own), -1, dtype=np.int32)])
    disks = market.prices.disks
    products = product_rows(disks, market.catalog.instance_types.cloud.words, job.workload.disk.type or "auto")
    scored = score(job, machines, cloud, candidates, disks, products)
    keep = np.flatnonzero(_possible(job, scored, limit[candidates.row], counts)).astype(np.int32)
    prices = own_prices(job.query.constraints, market)
    options, failing = _options(job, market, own, prices, scored, candidates, keep)
    masks = {**failing, **limit_masks(job, scored, options)}
    feasible, lost = _count(options, masks, len(candidates))
    counts.update(lost)
    order = np.concatenate([market.name_order, len(market.name_order) + np.arange(len(own), dtype=np.int32)])
    rejected = dict(sorted(counts.items()))
    return Selection(scored, candidates.row, options, feasible, rejected, order[candidates.row], prices)


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


def _possible(job: Job, scored: Scored, quota: Floats, counts: Counter[str]) -> Flags:
    """Candidates that can run the work, with the margin that a recommendation keeps."""
    outcome = scored.outcome
    alive: Flags = outcome.obstacle == 0
    for code, name in enumerate(OBSTACLES[1:], start=1):
        _add(counts, name, outcome.obstacle == code)
    checks = (
        ("accelerator_memory", _within_margin(job, scored)),
        ("memory", outcome.host.required <= outcome.host.usable * recommended_share(job)),
        ("max_nodes", scored.nodes <= most_nodes(job)),
        ("quota", scored.nodes <= quota),
    )
    for name, passing in checks:
        _add(counts, name, alive & ~passing)
        alive &= passing
    return alive


def _within_margin(job: Job, scored: Scored) -> Flags:
    device = scored.outcome.device
    share = 1.0 if job.kind == kind.SERVING else recommended_share(job)  # a server fills its device by design
    return ~scored.machines.has_accelerator() | np.isnan(device.required) | (device.required <= device.usable * share)


def _add(counts: Counter[str], name: str, lost: Flags) -> None:
    if lost.any():
        counts[name] += int(lost.sum())


def _options(
    job: Job, market: Market, own: OwnMachines, prices: OwnPrices, scored: Scored, candidates: Candidates, keep: Ints
) -> tuple[Options, dict[str, Flags]]:
    """Candidates × purchase options at the cheapest allowed offer; and why some have none."""
    sales = sales_of(job, market, own, prices, candidates.row[keep], scored.nodes[keep])
    candidate = np.concatenate([keep for _ in sales]).astype(np.int32)
    offer = np.concatenate([sale.offer for sale in sales])
    price = np.concatenate([sale.usd_per_hour for sale in sales])
    purchase = np.concatenate([np.full(len(keep), sale.purchase, dtype=np.int32) for sale in sales])
    masks = {name: np.concatenate([sale.masks[name] for sale in sales]) for name in sales[0].masks}
    return options_of(job, scored, market.prices, candidate, purchase, offer, price), masks


def _count(options: Options, masks: dict[str, Flags], candidates: int) -> tuple[Ints, Counter[str]]:
    """Feasible options, and the candidates that have none, each under the first limit that all its options fail."""
    alive = np.ones(len(options), dtype=bool)
    lost: Counter[str] = Counter()
    survivors = _distinct(options.candidate, candidates)
    for name, passing in masks.items():
        alive &= passing
        left = _distinct(options.candidate[alive], candidates)
        if left < survivors:
            lost[name] += survivors - left
        survivors = left
    return np.flatnonzero(alive).astype(np.int32), lost


def _distinct(named: Ints, candidates: int) -> int:
    seen = np.zeros(candidates, dtype=bool)
    seen[named] = True
    return int(seen.sum())
