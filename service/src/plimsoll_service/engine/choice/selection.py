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
from plimsoll_service.engine.choice.market import Market, cheapest
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
    failed: dict[str, Flags]  # per limit the options that pass, in order
    name_order: Ints  # per candidate


def select(job: Job, market: Market, own: OwnMachines) -> Selection:
    """Evaluates the whole catalog, and the user's own machines, for a job."""
    counts: Counter[str] = Counter()
    machines = concatenate([market.machines, own.machines]) if len(own) else market.machines
    rows = _eligible(job, market, own, counts)
    limit = np.concatenate([machine_constraints.quota_nodes(job.query.constraints, market), own.max_nodes])
    candidates = candidates_of(job, machines, rows, np.where(limit < 1, np.inf, limit))
    cloud = np.concatenate([market.catalog.instance_types.cloud.codes, np.full(len(own), -1, dtype=np.int32)])
    products = product_rows(market.catalog.disks, market.catalog.instance_types.cloud.words, job.workload.disk.type or "auto")
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # unknown figures are NaN and stay so
        scored = score(job, machines, cloud, candidates, market.catalog.disks, products)
    keep = np.flatnonzero(_possible(job, scored, limit[candidates.row], counts))
    options, failing = _options(job, market, own, scored, candidates, keep)
    masks = {**failing, **limit_masks(job, scored, options)}
    feasible, lost = _count(options, masks)
    counts.update(lost)
    order = np.concatenate([market.name_order, len(market.name_order) + np.arange(len(own), dtype=np.int32)])
    return Selection(scored, candidates.row, options, feasible, dict(sorted(counts.items())), masks, order[candidates.row])


def _eligible(job: Job, market: Market, own: OwnMachines, counts: Counter[str]) -> Ints:
    """Machine rows that pass the constraints on the machine; own machines are never filtered by the catalog's words."""
    alive = np.ones(len(market.catalog.instance_types), dtype=bool)
    weight = _nodes_possible(job, market)
    for name, passing in machine_constraints.machine_masks(job.query.constraints, market):
        _drop(alive, passing, name, weight, counts)
    for name, passing in runs_on(job, market.machines, market.catalog):
        _drop(alive, passing, name, weight, counts)
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
    alive = outcome.obstacle == 0
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
        alive = alive & passing
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
    constraints = job.query.constraints
    wanted = constraints.purchase or ("on_demand",)
    prices = machine_constraints.offer_prices(constraints, market)
    named = machine_constraints.asked_for(constraints, market) | bool(constraints.retired)
    sold = market.offers.current | named[market.offers.instance_type]
    in_region = machine_constraints.region_mask(constraints, market)[market.offers.region]
    types = len(market.catalog.instance_types)
    parts = []
    for code, name in enumerate(PURCHASE_NAMES):
        if name not in wanted:
            continue
        bought = market.offers.purchase == code
        best = cheapest(market, sold & in_region & bought, prices)
        anywhere = np.bincount(market.offers.instance_type[sold], minlength=types) > 0
        elsewhere = np.bincount(market.offers.instance_type[sold & bought], minlength=types) > 0
        parts.append((code, best, anywhere, elsewhere))
    rows = candidates.row[keep]
    mine = rows >= types
    columns = [_column(code, best, anywhere, elsewhere, rows, mine, own, prices, types) for code, best, anywhere, elsewhere in parts]
    candidate = np.concatenate([keep for _ in columns]).astype(np.int32)
    offer = np.concatenate([column[0] for column in columns])
    price = np.concatenate([column[1] for column in columns])
    purchase = np.concatenate([np.full(len(keep), code, dtype=np.int32) for code, *_ in parts])
    masks = {name: np.concatenate([column[2][name] for column in columns]) for name in ("price", "purchase", "regions")}
    return options_of(job, scored, candidate, purchase, offer, price), masks


def _column(
    code: int, best: Ints, anywhere: Flags, elsewhere: Flags, rows: Ints, mine: Flags, own: OwnMachines, prices: Floats, types: int
) -> tuple[Ints, Floats, dict[str, Flags]]:
    """Of one purchase option: the offer and price of each candidate, and which have none for which reason."""
    row = np.where(mine, 0, rows)
    offer = np.where(mine, -1, best[row]).astype(np.int32)
    own_price = own.usd_per_hour[np.where(mine, rows - types, 0)] if len(own) else np.full(len(rows), np.nan)
    price = np.where(offer >= 0, prices[np.maximum(offer, 0)], np.where(mine & (code == 0), own_price, np.nan))
    masks = {
        "price": mine | anywhere[row],
        "purchase": np.where(mine, code == 0, elsewhere[row]),
        "regions": mine | (offer >= 0),
    }
    return offer, price, masks


def _count(options: Options, masks: dict[str, Flags]) -> tuple[Ints, Counter[str]]:
    """Feasible options, and the candidates that have none, each under the first limit that all its options fail."""
    alive = np.ones(len(options), dtype=bool)
    lost: Counter[str] = Counter()
    survivors = _distinct(options.candidate[alive])
    for name, passing in masks.items():
        alive &= passing
        left = _distinct(options.candidate[alive])
        if left < survivors:
            lost[name] += survivors - left
        survivors = left
    return np.flatnonzero(alive).astype(np.int32), lost


def _distinct(candidates: Ints) -> int:
    return len(np.unique(candidates))
