"""From a job to the feasible options: constraints first, then estimates, offers, and the limits on the answer.

Every candidate that drops out is counted once, under the first that it fails.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.choice.candidates import most_nodes
from plimsoll_service.engine.choice.contenders import Field, field_of
from plimsoll_service.engine.choice.limits import limit_masks
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.options import Options, options_of
from plimsoll_service.engine.choice.own import OwnMachines
from plimsoll_service.engine.choice.sales import sales_of
from plimsoll_service.engine.choice.scoring import Scored, scored_of
from plimsoll_service.engine.choice.terms import OwnPrices
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.device_memory import recommended_share
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.estimate.outcome import OBSTACLES
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
def select(job: Job, market: Market, own: OwnMachines, ground: Groundwork | None = None) -> Selection:
    """Evaluates the whole catalog, and the user's own machines, for a job; ``ground`` is that of such jobs."""
    ground = Groundwork(job) if ground is None else ground
    field = ground.of(lambda plain: field_of(plain, market, own), "field")
    counts = field.rejected.copy()
    scored = scored_of(job, field.contenders, market.prices.disks, ground)
    keep = np.flatnonzero(_possible(job, scored, field.quota, counts)).astype(np.int32)
    options, failing = _options(job, market, own, field, scored, keep)
    masks = {**failing, **limit_masks(job, scored, options)}
    feasible, lost = _count(options, masks, len(scored.nodes))
    counts.update(lost)
    rejected = dict(sorted(counts.items()))
    return Selection(scored, field.machine_row, options, feasible, rejected, field.name_order, field.prices)


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
    job: Job, market: Market, own: OwnMachines, field: Field, scored: Scored, keep: Ints
) -> tuple[Options, dict[str, Flags]]:
    """Candidates × purchase options at the cheapest allowed offer; and why some have none."""
    sales = sales_of(job, market, own, field.prices, field.machine_row[keep], scored.nodes[keep])
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
