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
from plimsoll_service.engine.choice.scoring import Scored, scored_of
from plimsoll_service.engine.choice.stock import Stock, stock_of
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
    possible: Flags  # candidates that can run the work, with the margin that a recommendation keeps
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
    possible = _possible(job, scored, field.quota, counts)
    stock = _stock(market, own, field, scored, ground)
    options = options_of(job, scored, stock, possible)
    masks = {**stock.masks, **limit_masks(job, scored, options)}
    feasible = _feasible(options.each(possible), masks, len(possible), counts)
    rejected = dict(sorted(counts.items()))
    return Selection(scored, field.machine_row, possible, options, feasible, rejected, field.name_order, field.prices)


def _stock(market: Market, own: OwnMachines, field: Field, scored: Scored, ground: Groundwork) -> Stock:
    """What the candidates may be rented at; under a commitment it depends on how many machines the work takes."""
    if field.contenders.sized and field.prices.committed:
        return stock_of(ground.job, market, own, field, scored.nodes)
    return ground.of(lambda plain: stock_of(plain, market, own, field, field.contenders.nodes), "stock")


def _possible(job: Job, scored: Scored, quota: Floats, counts: Counter[str]) -> Flags:
    """Candidates that can run the work, with the margin that a recommendation keeps."""
    outcome = scored.outcome
    alive: Flags = outcome.obstacle == 0
    obstructed = np.bincount(outcome.obstacle, minlength=len(OBSTACLES)).tolist()
    counts.update({name: lost for name, lost in zip(OBSTACLES[1:], obstructed[1:], strict=True) if lost})
    checks = (
        ("accelerator_memory", _within_margin(job, scored)),
        ("memory", outcome.host.required <= outcome.host.usable * recommended_share(job)),
        ("max_nodes", scored.nodes <= most_nodes(job)),
        ("quota", scored.nodes <= quota),
    )
    left = obstructed[0]
    for name, passing in checks:
        alive &= passing
        left = _counted(counts, name, left, int(np.count_nonzero(alive)))
    return alive


def _within_margin(job: Job, scored: Scored) -> Flags:
    device = scored.outcome.device
    share = 1.0 if job.kind == kind.SERVING else recommended_share(job)  # a server fills its device by design
    return ~scored.machines.has_accelerator() | np.isnan(device.required) | (device.required <= device.usable * share)


def _feasible(alive: Flags, masks: dict[str, Flags], candidates: int, counts: Counter[str]) -> Ints:
    """Feasible options; candidates that have none are counted, each under the first limit that all its options fail."""
    alive = alive.copy()
    left = survivors(alive, candidates)
    for name, passing in masks.items():
        alive &= passing
        left = _counted(counts, name, left, survivors(alive, candidates))
    return np.flatnonzero(alive).astype(np.int32)


def survivors(alive: Flags, candidates: int) -> int:
    """How many candidates have an option that is alive; the options come in a block for each purchase option."""
    blocks = alive.reshape(-1, candidates) if candidates else alive
    return int(np.count_nonzero(blocks if len(blocks) == 1 else blocks.any(axis=0)))


def _counted(counts: Counter[str], name: str, before: int, after: int) -> int:
    """What is left; what is not is counted under the name."""
    if after < before:
        counts[name] += before - after
    return after
