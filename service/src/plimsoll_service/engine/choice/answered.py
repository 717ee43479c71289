"""From a selection to the whole answer: what is listed, the frontier, and what to loosen where nothing is left."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.answer import Answer, CatalogStamp
from plimsoll_service.engine.choice import ranking
from plimsoll_service.engine.choice.assumed import assumed_of_job
from plimsoll_service.engine.choice.echo import echo
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.own_machines import OwnMachines
from plimsoll_service.engine.choice.present import points_of, recommendations_of
from plimsoll_service.engine.choice.relax import Choose, relaxations
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Ints, Places
from plimsoll_service.engine.workload import Query


def answer_of(
    query: Query, job: Job, market: Market, own: OwnMachines, chosen: Selection, best: Ints, objective: str,
    stamp: CatalogStamp, choose: Choose,
) -> Answer:  # fmt: skip
    """The answer to a query with these options, the feasible ranked as ``best``; ``choose`` tries looser queries."""
    listed, front = best[: query.limit].tolist(), frontier_of(job, chosen).tolist()
    points = points_of(job, market, own, chosen, tuple(dict.fromkeys((*listed, *front))))
    return Answer(
        catalog=stamp,
        workload=echo(job.workload),
        assumptions=assumed_of_job(job, market),
        recommendations=recommendations_of(job, market, chosen, listed, points, objective),
        frontier=tuple(points[option] for option in front),
        rejected=chosen.rejected,
        relax=() if listed else relaxations(query, choose),
        objective=objective,
    )


def frontier_of(job: Job, chosen: Selection) -> Places:
    """Rows of the feasible options that no other beats on both cost and time."""
    options, feasible = chosen.options, chosen.feasible.astype(np.intp)
    time = ranking.duration(job, chosen.estimates, options)
    few = feasible.take(ranking.ahead(options.cost.take(feasible), time.take(feasible)))
    front: Places = few.take(ranking.frontier(options.cost[few], time[few], options.priced.name_order[few]))
    return front
