"""The whole answer to a job: selection, order, frontier, and what to loosen where nothing is left."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.answer import Answer, CatalogStamp
from plimsoll_service.engine.choice import ranking
from plimsoll_service.engine.choice.answered import answer_of
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.own import own_machines
from plimsoll_service.engine.choice.selection import Selection, select
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.outcome import take as options_subset
from plimsoll_service.engine.hardware import Ints
from plimsoll_service.engine.workload import Query


def recommend(query: Query, market: Market, stamp: CatalogStamp) -> Answer:
    """Ranked recommendations for an admitted query."""
    job = job_of(query)
    own = own_machines(query.constraints.own_machines or (), market)
    chosen = select(job, market, own)
    objective = query.objective or ranking.default_objective(job)
    best = ranked(job, chosen, objective, query.limit)
    return answer_of(query, job, market, own, chosen, best, objective, stamp)


def ranked(job: Job, chosen: Selection, objective: str, limit: int | None = None) -> Ints:
    """Rows of options, feasible ones only, best first; all of them, or at least the first ``limit``."""
    rows = chosen.feasible
    if limit is not None and len(rows) > limit:
        scores = ranking.rounded(ranking.score(job, chosen.scored, options_subset(chosen.options, rows), objective))
        rows = rows[scores <= np.partition(scores, limit - 1)[limit - 1]]
    order = ranking.order(job, chosen.scored, options_subset(chosen.options, rows), objective, chosen.name_order)
    best: Ints = rows[order]
    return best
