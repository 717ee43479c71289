"""From a job to the feasible options: constraints first, then estimates, offers, and the limits on the answer.

Every candidate that drops out is counted once, under the first that it fails.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.choice.candidates import most_nodes
from plimsoll_service.engine.choice.contenders import field_of
from plimsoll_service.engine.choice.kept import Kept
from plimsoll_service.engine.choice.left_out import Meets, price_limits, standing
from plimsoll_service.engine.choice.limits import limit_masks
from plimsoll_service.engine.choice.listing import Memories
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.options import Options, options_of
from plimsoll_service.engine.choice.own import OwnMachines
from plimsoll_service.engine.choice.scoring import Estimated, Scored, estimated_of, offered_of
from plimsoll_service.engine.choice.shelf import enough, shelf_key, shelf_of
from plimsoll_service.engine.choice.stock import Stock, stock_of
from plimsoll_service.engine.choice.terms import OwnPrices
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.demand.kind_of_work import kind_key, without_amounts
from plimsoll_service.engine.estimate import work
from plimsoll_service.engine.estimate.outcome import OBSTACLES
from plimsoll_service.engine.estimate.requirements import recommended_part, recommended_share
from plimsoll_service.engine.hardware import Flags, Ints, Places


@dataclass(frozen=True, eq=False)
class Selection:
    """All that a choice is made of: the scored candidates, their options, and which of those are feasible."""

    scored: Scored
    possible: Flags  # candidates that can run the work, with the margin that a recommendation keeps
    options: Options
    feasible: Ints  # rows of options
    rejected: dict[str, int]
    prices: OwnPrices


@np.errstate(divide="ignore", invalid="ignore", over="ignore")  # unknown figures are NaN and stay so
def select(job: Job, market: Market, own: OwnMachines, kept: Kept | None = None, limit: int | None = None) -> Selection:
    """Evaluates the whole catalog, and the user's own machines, for a job; ``kept`` is of this market.

    Where no more than ``limit`` options will be listed, types that are alike but dearer need not be among them.
    """
    kept, of_kind = Kept() if kept is None else kept, kind_key(job)
    most = None if limit is None else enough(job, market, limit)
    sale = shelf_key(job, most)
    said = _said(job, kept)
    shelf = kept.of(("shelf", sale), lambda: shelf_of(job, market, most, said))
    field = kept.of(("field", of_kind, most), lambda: field_of(without_amounts(job), market, own, shelf, kept))
    counts = field.rejected.copy()
    lineup, contenders = field.lineup, field.contenders
    offered = kept.of(("offered", lineup.key), lambda: offered_of(contenders, market.prices.disks))
    prepared = kept.of(
        ("prepared", of_kind, lineup.key), lambda: work.prepare(job, lineup.machines, contenders.given_nodes)
    )
    key = work.plan_key(job, prepared)
    plan = None if key is None else kept.of(("plan", of_kind, lineup.key, key), lambda: work.plan(prepared, key))
    estimated = estimated_of(job, contenders, offered, prepared, plan)
    possible = _possible(job, estimated, lineup.types, counts)
    if field.sized and shelf.prices.committed:  # the price depends on how many machines the work takes
        stock = stock_of(job, market, own, lineup, shelf, estimated.nodes)
    else:
        stock = kept.of(("stock", lineup.key, sale), lambda: stock_of(job, market, own, lineup, shelf, lineup.nodes))
    scored = estimated.scored(_worth_a_disk(job, estimated, stock, possible))
    options = options_of(job, scored, stock, possible)
    masks = {**_quota_mask(options, scored), **stock.masks, **limit_masks(job, scored, options)}
    feasible = _feasible(options, options.each(possible), masks, price_limits(job, scored, options), counts)
    return Selection(scored, possible, options, feasible, dict(sorted(counts.items())), shelf.prices)


def _said(job: Job, kept: Kept) -> Memories:
    """What was said of offers under the same terms, wherever and for whatever work."""
    constraints = job.query.constraints
    return kept.of(("said", constraints.discounts or (), constraints.commitments or ()), Memories)


def _quota_mask(options: Options, scored: Scored) -> dict[str, Flags]:
    stock = options.stock
    return {"quota": options.each(scored.nodes) <= stock.quota} if stock.rationed else {}


def _worth_a_disk(job: Job, estimated: Estimated, stock: Stock, possible: Flags) -> Places:
    """Candidates whose cost may matter: to be had, and in time where no limit on the price is counted before that."""
    deadline, hourly = job.workload.deadline_hours, job.query.constraints.max_usd_per_hour
    worth = possible.copy()
    if stock.aligned and stock.purchases == 1:
        worth &= stock.to_be_had
        if deadline is not None and hourly is None and not stock.on_spot:  # its times are others
            worth &= estimated.outcome.hours_high[:] <= deadline
    return np.flatnonzero(worth)


def _possible(job: Job, scored: Estimated, types: Ints | None, counts: Counter[str]) -> Flags:
    """Candidates that can run the work, with the margin that a recommendation keeps; the ``types`` of others count."""
    outcome = scored.outcome
    alive: Flags = outcome.obstacle == 0
    lost = np.flatnonzero(~alive)
    weights = None if types is None else types.take(lost)
    obstructed = np.bincount(outcome.obstacle.take(lost), weights, len(OBSTACLES)).astype(np.intp).tolist()
    for name, many in zip(OBSTACLES, obstructed, strict=True):
        _counted(counts, name, many, 0)
    left = _stand_for(alive, types)
    checks = [
        ("accelerator_memory", _within_margin(job, scored)),
        ("memory", outcome.host.required <= outcome.host.usable * recommended_share(job)),
    ]
    if job.kind in kind.INFERENCE_KINDS:  # else no more are tried than are allowed
        checks.append(("max_nodes", scored.nodes <= most_nodes(job)))
    for name, passing in checks:
        alive &= passing
        left = _counted(counts, name, left, _stand_for(alive, types))
    return alive


def _stand_for(alive: Flags, types: Ints | None) -> int:
    """How many types those candidates stand for."""
    return int(np.count_nonzero(alive) if types is None else types @ alive)


def _within_margin(job: Job, scored: Estimated) -> Flags:
    return scored.outcome.device.within(recommended_part(job))  # without a device the need is unknown


def _feasible(
    options: Options, alive: Flags, masks: dict[str, Flags], prices: dict[str, Meets], counts: Counter[str]
) -> Ints:
    """Feasible options; types that have none are counted, each under the first limit that all its options fail."""
    stock, alive = options.stock, alive.copy()
    stands_for = stock.stands_for
    left = stock.survivors(alive, stands_for)
    for name, passing in masks.items():
        alive &= passing
        if name in prices and len(stock.left_out):
            stands_for = np.minimum(stands_for, standing(options, prices[name]))
        left = _counted(counts, name, left, stock.survivors(alive, stands_for))
    return np.flatnonzero(alive).astype(np.int32)


def _counted(counts: Counter[str], name: str, before: int, after: int) -> int:
    """What is left; what is not is counted under the name."""
    if after < before:
        counts[name] += before - after
    return after
