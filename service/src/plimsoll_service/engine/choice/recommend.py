"""The whole answer to a job: selection, order, frontier, and what to loosen where nothing is left."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.answer import Answer, CatalogStamp
from plimsoll_service.engine.choice import ranking
from plimsoll_service.engine.choice.answered import answer_of
from plimsoll_service.engine.choice.kept import Kept
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.own import own_machines
from plimsoll_service.engine.choice.selection import Selection, select
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.workload import Query


def recommend(query: Query, market: Market, stamp: CatalogStamp, kept: Kept | None = None) -> Answer:
    """Ranked recommendations for an admitted query; ``kept`` is of this market, where anything is."""
    own = own_machines(query.constraints.own_machines or (), market)
    known = Kept() if kept is None else kept

    def choose(asked: Query) -> tuple[Job, Selection]:
        job = job_of(asked)
        return job, select(job, market, own, known, asked.limit)

    job, chosen = choose(query)
    objective = query.objective or ranking.default_objective(job)
    best = ranked(job, chosen, objective, query.limit)
    return answer_of(query, job, market, own, chosen, best, objective, stamp, choose)


@np.errstate(divide="ignore", invalid="ignore", over="ignore")  # what is not feasible may be unknown
def ranked(job: Job, chosen: Selection, objective: str, limit: int | None = None) -> Ints:
    """Rows of options, feasible ones only, best first; all of them, or at least the first ``limit``."""
    rows, scores = chosen.feasible, ranking.score(job, chosen.scored, chosen.options, objective)
    if limit is not None and len(rows) > limit:
        rows = _foremost(rows, limit, scores)
    return ranking.order(job, chosen.scored, chosen.options, rows, scores)


def _foremost(rows: Ints, limit: int, scores: Floats) -> Ints:
    """At least the first ``limit`` of the rows by their rounded scores, with all that may round to the last of them."""
    mine = scores.take(rows)
    last = np.partition(mine, limit - 1)[limit - 1]
    foremost: Ints = rows[mine <= last + abs(last) * ranking.ROUNDING]
    return foremost
