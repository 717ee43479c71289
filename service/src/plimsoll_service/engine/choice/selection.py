"""Selection of the feasible options of a job: constraints first, then estimates, offers and limits.

Every rejected candidate is counted once, under the first check that it fails.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from functools import partial
from operator import attrgetter

import numpy as np

from ..columns import columnar
from ..demand.job import Job, most_nodes
from ..demand.kind_of_work import OF_SALE, kind_key, without_amounts
from ..estimate import work
from ..estimate.requirements import recommended_memory_share, recommended_usable_share
from ..hardware import Flags, Floats, Places
from ..obstacles import OBSTACLES
from ..spreads import BASES
from .candidates import candidates_of
from .estimating import Estimates, Prepared, estimated_of, prepared_of
from .kept import Kept
from .limits import limit_masks
from .market import Market
from .options import Options, options_of
from .own_machines import OwnMachines
from .priced_options import PricedOptions, priced_options_of
from .pricing_agreements import AgreedPrices, agreed_prices
from .staging import Moves, at_best_regions, moves_of, regions_at

# Fields that a priced option depends on, besides its candidate.
_SALE_KEY = attrgetter(*(name for name in OF_SALE if name != "max_usd_per_hour"))


@columnar
class Selection:
    """Basis of a choice: the estimated candidates, their options, and the feasible ones among them."""

    estimates: Estimates
    possible: Flags  # candidates that can run the work with the margin of a recommendation
    tight: Flags  # those that could but for that margin
    options: Options
    feasible: Places  # rows of options
    rejected: dict[str, int]
    prices: AgreedPrices
    masks: dict[str, Flags]  # options that pass each limit


Named = Callable[[Selection, int], str]  # machines of an option in words


@np.errstate(divide="ignore", invalid="ignore", over="ignore")  # unknown figures are NaN and stay so
def select(job: Job, market: Market, own: OwnMachines, kept: Kept | None = None) -> Selection:
    """Evaluate the whole catalog and the user's own machines for a job; ``kept`` belongs to this market."""
    kept = kept or Kept()
    prepared = prepared_in(job, market, own, kept)
    candidates = prepared.candidates
    counts = defaultdict(int, candidates.rejected)
    plan_key = work.plan_key(job, prepared.estimate)
    plan = kept.of("plan", (prepared, plan_key), lambda: work.plan(prepared.estimate, plan_key))
    estimated = estimated_of(job, prepared, plan)
    possible, tight = _possible(job, estimated, counts)
    prices = agreed_prices(job.query.constraints, market)

    def priced_for(nodes: Floats, job: Job = job) -> PricedOptions:
        return priced_options_of(job, market, own, candidates, prices, nodes)

    if candidates.sized and prices.committed:  # the price depends on how many machines the work takes
        priced = priced_for(estimated.nodes)
    else:
        sale = (_SALE_KEY(job.query.constraints), job.workload.interruptions_per_hour)
        priced = kept.of("priced", (prepared, sale), lambda: priced_for(candidates.nodes))
    moves = moves_of(job, market, estimated.machines, estimated.nodes, estimated.outcome)
    if moves is not None:
        priced = _beside_data(job, market, estimated, moves, priced, priced_for, kept, prepared)
    fitting = possible | tight
    worth_a_disk = fitting & priced.available if priced.purchases == 1 else fitting
    estimates = estimated.with_disks(worth_a_disk.nonzero()[0])
    staging = None if moves is None else moves.to(market, priced.offer, priced.candidate)
    options = options_of(job, estimates, priced, fitting, staging)
    masks = {**priced.masks, **limit_masks(job, estimates, options)}
    if priced.rationed:
        masks = {"quota": options.each(estimates.nodes) <= priced.quota} | masks
    feasible = _feasible(options, options.each(possible), masks, counts)
    return Selection(estimates, possible, tight, options, feasible, dict(sorted(counts.items())), prices, masks)


def prepared_in(job: Job, market: Market, own: OwnMachines, kept: Kept) -> Prepared:
    """Return what no amounts of the job decide."""

    def prepare() -> Prepared:
        return prepared_of(job, candidates_of(without_amounts(job), market, own), market.prices.disks)

    return kept.of("prepared", kind_key(job), prepare)


def _beside_data(
    job: Job, market: Market, estimated: Estimates, moves: Moves, priced: PricedOptions,
    priced_for: Callable[[Floats, Job], PricedOptions], kept: Kept, key: Hashable,
) -> PricedOptions:  # fmt: skip
    """The options at the regions where they cost least with the data."""
    sale, several = (_SALE_KEY(job.query.constraints), job.workload.interruptions_per_hour), [priced]
    for regions in regions_at(moves, job, market):
        make = partial(priced_for, estimated.nodes, replace(job, query=job.query.within(regions=regions)))
        several.append(kept.of("priced there", (key, sale, regions), make))
    return at_best_regions(job, market, moves, estimated.nodes, estimated.outcome, several)


def _possible(job: Job, estimated: Estimates, counts: defaultdict[str, int]) -> tuple[Flags, Flags]:
    """Candidates that can run the work with the margin of a recommendation, and without it; others are counted."""
    outcome = estimated.outcome
    alive: Flags = outcome.obstacle == 0
    unmargined = alive & outcome.device.within(1.0) & outcome.host.roomy(1.0)
    for name, many in zip(OBSTACLES, np.bincount(outcome.obstacle, minlength=len(OBSTACLES)).tolist(), strict=True):
        if name:
            _counted(counts, name, many, 0)
    left = int(np.count_nonzero(alive))
    margins = [
        # Without a device the need is unknown.
        ("accelerator_memory", outcome.device.within(recommended_usable_share(job))),
        ("memory", outcome.host.roomy(recommended_memory_share(job))),
    ]
    checks = list(_asked(job, estimated))
    if outcome.together is not None:
        checks.append(("global_batch_size", outcome.together.sensible))
    if job.serves:  # for other work, no larger node counts are tried
        checks.append(("max_nodes", estimated.nodes <= most_nodes(job)))
    for name, passing in (*margins, *checks):
        alive &= passing
        left = _counted(counts, name, left, int(np.count_nonzero(alive)))
    for _, passing in checks:
        unmargined &= passing
    return alive, unmargined & ~alive


def _asked(job: Job, estimated: Estimates) -> Iterator[tuple[str, Flags]]:
    """Constraints on the estimate: its basis, and the accelerators of all machines together."""
    constraints, machines = job.query.constraints, estimated.machines
    if constraints.basis:
        yield "basis", np.array([name in constraints.basis for name in BASES])[machines.shown_basis]
    if constraints.max_total_accelerators is not None:
        yield "max_total_accelerators", machines.count * estimated.nodes <= constraints.max_total_accelerators


def _feasible(options: Options, alive: Flags, masks: dict[str, Flags], counts: defaultdict[str, int]) -> Places:
    """Feasible options; a candidate without any is counted under the first limit that all its options fail."""
    priced, alive = options.priced, alive.copy()
    left = priced.candidates_left(alive)
    for name, passing in masks.items():
        alive &= passing
        left = _counted(counts, name, left, priced.candidates_left(alive))
    return alive.nonzero()[0]


def _counted(counts: defaultdict[str, int], name: str, before: int, after: int) -> int:
    """Return the number left; count the others under the name."""
    if after < before:
        counts[name] += before - after
    return after
