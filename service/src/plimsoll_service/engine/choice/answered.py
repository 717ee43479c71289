"""From a selection to the whole answer: what is listed, the frontier, and what to loosen where nothing is left."""

from __future__ import annotations

from plimsoll_service.engine.answer import Answer, CatalogStamp
from plimsoll_service.engine.choice import ranking
from plimsoll_service.engine.choice.assumed import assumed_of_job
from plimsoll_service.engine.choice.echo import echo
from plimsoll_service.engine.choice.interruptions import spots_of
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.own import OwnMachines
from plimsoll_service.engine.choice.present import frontier_point, recommendation
from plimsoll_service.engine.choice.relax import Choose, relaxations
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Ints
from plimsoll_service.engine.workload import Query


def answer_of(
    query: Query, job: Job, market: Market, own: OwnMachines, chosen: Selection, best: Ints, objective: str,
    stamp: CatalogStamp, choose: Choose,
) -> Answer:  # fmt: skip
    """The answer to a query with these options, the feasible ranked as ``best``; ``choose`` tries looser queries."""
    listed, front = best[: query.limit].tolist(), frontier_of(job, chosen).tolist()
    spots = spots_of(job, market, chosen.prices, chosen.scored, chosen.options, {*listed, *front})
    return Answer(
        catalog=stamp,
        workload=echo(job.workload),
        assumptions=assumed_of_job(job, market),
        recommendations=tuple(
            recommendation(job, market, own, chosen, option, place + 1, objective, spots.get(option))
            for place, option in enumerate(listed)
        ),
        frontier=tuple(frontier_point(job, market, own, chosen, option, spots.get(option)) for option in front),
        rejected=chosen.rejected,
        relax=() if listed else relaxations(query, choose),
        objective=objective,
    )


def frontier_of(job: Job, chosen: Selection) -> Ints:
    """Rows of the feasible options that no other beats on both cost and time."""
    options, feasible = chosen.options, chosen.feasible
    time = ranking.duration(job, chosen.scored, options)[feasible]
    names = chosen.name_order[options.candidate[feasible]]
    front: Ints = feasible[ranking.frontier(options.cost[feasible], time, names)]
    return front
