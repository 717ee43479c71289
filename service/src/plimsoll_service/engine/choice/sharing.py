"""Answers to many queries over one market: those that differ in their limits alone share their estimates."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace

from plimsoll_service.engine.answer import Answer, CatalogStamp, Recommendation
from plimsoll_service.engine.choice import ranking
from plimsoll_service.engine.choice.answered import answer_of
from plimsoll_service.engine.choice.kept import Kept
from plimsoll_service.engine.choice.limited import limited, without_limits
from plimsoll_service.engine.choice.limits import limit_masks
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.own import OwnMachines, own_machines
from plimsoll_service.engine.choice.present import points_of, recommendations_of
from plimsoll_service.engine.choice.recommend import ranked
from plimsoll_service.engine.choice.selection import Selection, select
from plimsoll_service.engine.choice.terms import ON_DEMAND
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Ints
from plimsoll_service.engine.workload import Query

MOST_KEPT = 4  # lines come sorted by what they share; each is a few megabytes, and the fewer, the warmer the caches


@dataclass(frozen=True, eq=False)
class Considered:
    """What a query without its limits leads to."""

    job: Job
    own: OwnMachines
    chosen: Selection


class Sharing:
    """Answers admitted queries over one market, and keeps what the last few kinds of them led to."""

    def __init__(self, market: Market) -> None:
        self._market = market
        self._kept: OrderedDict[str, Considered] = OrderedDict()
        self._made = Kept()

    def best(self, query: Query, key: str | None = None) -> Recommendation | None:
        """The first recommendation, the same as ``recommend``'s; ``key`` is the query's ``shared_key``, where known."""
        common = self._considered(query, shared_key(query) if key is None else key)
        job, chosen = limited(query, common.job, common.chosen)
        objective, best = _ranked(query, job, chosen, 1)
        first = best[:1].tolist()
        if not first:
            return None
        points = points_of(job, self._market, common.own, chosen, first)
        return recommendations_of(job, self._market, chosen, first, points, objective)[0]

    def answer(self, query: Query, stamp: CatalogStamp, key: str | None = None) -> Answer:
        """The whole answer, the same as ``recommend``'s."""
        common = self._considered(query, shared_key(query) if key is None else key)
        job, chosen = limited(query, common.job, common.chosen)
        chosen = replace(chosen, rejected=_rejected(job, common))
        objective, best = _ranked(query, job, chosen, query.limit)
        return answer_of(query, job, self._market, common.own, chosen, best, objective, stamp, self._choose)

    def _choose(self, query: Query) -> tuple[Job, Selection]:
        common = self._considered(query, shared_key(query))
        return limited(query, common.job, common.chosen)

    def _considered(self, query: Query, key: str) -> Considered:
        found = self._kept.get(key)
        if found is None:
            plain = shared_part(query)
            job = job_of(plain)
            hardware = job.query.constraints.own_machines or ()
            own = self._made.of(("own", hardware), lambda: own_machines(hardware, self._market))
            chosen = select(job, self._market, own, self._made)
            found = self._kept[key] = Considered(job, own, chosen)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return found


def shared_key(query: Query) -> str:
    """Equal for queries that share all but the choice; sorted by it, such queries stand together."""
    return repr(shared_part(query))


def shared_part(query: Query) -> Query:
    """The part of a query that decides about estimates and offers: limits on time and price only choose among them.

    So does the objective, but for ``time``, under which a service is estimated otherwise (see ``lone_requests``).
    """
    return replace(without_limits(query), objective="time" if query.objective == "time" else None, limit=1)


def _ranked(query: Query, job: Job, chosen: Selection, limit: int) -> tuple[str, Ints]:
    objective = query.objective or ranking.default_objective(job)
    return objective, ranked(job, chosen, objective, limit)


def _rejected(job: Job, common: Considered) -> dict[str, int]:
    """As ``select`` counts: each candidate without an option that is left, under the first limit that all fail."""
    chosen, options = common.chosen, common.chosen.options
    masks = limit_masks(job, chosen.scored, options)
    counts = {name: count for name, count in chosen.rejected.items() if name not in masks}
    mine = options.each(chosen.scored.machines.catalog_row < 0)
    # What the machines themselves and the offers left; the limits come after them.
    alive = options.each(chosen.possible) & ((options.offer >= 0) | (mine & (options.purchase == ON_DEMAND)))
    left = options.stock.survivors(alive, options.stock.stands_for)
    for name, passing in masks.items():
        alive &= passing
        after = options.stock.survivors(alive, options.stock.stands_for)
        if after < left:
            counts[name] = left - after
        left = after
    return dict(sorted(counts.items()))
