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
from plimsoll_service.engine.choice.market import Market, Sold, sold
from plimsoll_service.engine.choice.options import Options, options_of
from plimsoll_service.engine.choice.own import OwnMachines
from plimsoll_service.engine.choice.scoring import Scored, score
from plimsoll_service.engine.choice.software import runs_on
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.device_memory import recommended_share
from plimsoll_service.engine.estimate.machines import concatenate
from plimsoll_service.engine.estimate.outcome import OBSTACLES
from plimsoll_service.engine.estimate.volumes import product_rows
from plimsoll_service.engine.hardware import PURCHASE_NAMES, Flags, Floats, Ints


@dataclass(frozen=True, eq=False)
class Selection:
    """All that a choice is made of: the scored candidates, their options, and which of those are feasible."""

    scored: Scored
    machine_row: Ints  # per candidate its machine: a catalog type, or len(types) + own machine
    options: Options
    feasible: Ints  # rows of options
    rejected: dict[str, int]
    name_order: Ints  # per candidate


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
    products = product_rows(
        market.catalog.disks, market.catalog.instance_types.cloud.words, job.workload.disk.type or "auto"
    )
    scored = score(job, machines, cloud, candidates, market.catalog.disks, products)
    keep = np.flatnonzero(_possible(job, scored, limit[candidates.row], counts)).astype(np.int32)
    options, failing = _options(job, market, own, scored, candidates, keep)
    masks = {**failing, **limit_masks(job, scored, options)}
    feasible, lost = _count(options, masks, len(candidates))
    counts.update(lost)
    order = np.concatenate([market.name_order, len(market.name_order) + np.arange(len(own), dtype=np.int32)])
    return Selection(scored, candidates.row, options, feasible, dict(sorted(counts.items())), order[candidates.row])


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
    job: Job, market: Market, own: OwnMachines, scored: Scored, candidates: Candidates, keep: Ints
) -> tuple[Options, dict[str, Flags]]:
    """Candidates × purchase options at the cheapest allowed offer; and why some have none."""
    wanted = job.query.constraints.purchase or ("on_demand",)
    prices = machine_constraints.offer_prices(job.query.constraints, market)
    types = len(market.catalog.instance_types)
    parts = [(code, _sold(job, market, code, prices)) for code, name in enumerate(PURCHASE_NAMES) if name in wanted]
    rows = candidates.row[keep]
    mine = rows >= types
    columns = [_column(code, sold, rows, mine, own, prices, types) for code, sold in parts]
    candidate = np.concatenate([keep for _ in columns]).astype(np.int32)
    offer = np.concatenate([column[0] for column in columns])
    price = np.concatenate([column[1] for column in columns])
    purchase = np.concatenate([np.full(len(keep), code, dtype=np.int32) for code, *_ in parts])
    masks = {name: np.concatenate([column[2][name] for column in columns]) for name in ("price", "purchase", "regions")}
    return options_of(job, scored, candidate, purchase, offer, price), masks


def _sold(job: Job, market: Market, purchase: int, prices: Floats) -> Sold:
    """What is sold under a purchase option; the answer for plain questions was found when the catalog was loaded."""
    constraints = job.query.constraints
    names_retired = constraints.instance_types or constraints.instance_families or constraints.retired
    if not (constraints.regions or constraints.discounts or names_retired):
        return market.sold[purchase]
    named = machine_constraints.asked_for(constraints, market) | bool(constraints.retired)
    current = market.offers.current | named[market.offers.instance_type]
    allowed = machine_constraints.region_mask(constraints, market)[market.offers.region]
    return sold(market.offers, market.first_offer, purchase, current, allowed, prices)


def _column(
    code: int, on_sale: Sold, rows: Ints, mine: Flags, own: OwnMachines, prices: Floats, types: int
) -> tuple[Ints, Floats, dict[str, Flags]]:
    """Of one purchase option: the offer and price of each candidate, and which have none for which reason."""
    row = np.where(mine, 0, rows)
    offer = np.where(mine, -1, on_sale.cheapest[row]).astype(np.int32)
    own_price = own.usd_per_hour[np.where(mine, rows - types, 0)] if len(own) else np.full(len(rows), np.nan)
    price = np.where(offer >= 0, prices[np.maximum(offer, 0)], np.where(mine & (code == 0), own_price, np.nan))
    masks = {
        "price": mine | on_sale.priced[row],
        "purchase": np.where(mine, code == 0, on_sale.offered[row]),
        "regions": mine | (offer >= 0),
    }
    return offer, price, masks


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
