"""Selections and preferences of a question, for tests that compare two questions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import HealthCheck, Phase, settings
from tests.service.engine.catalogs import bundled_market
from tests.service.fitted import job_of

from plimsoll_service.engine.choice import ranking
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.scores import expected_of, score
from plimsoll_service.engine.choice.selection import Selection, select
from plimsoll_service.engine.workload import Query

PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink)  # explaining a failure takes a minute
law = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.filter_too_much], phases=PHASES)


def selected(query: Query, market: Market | None = None) -> Selection:
    market = market or bundled_market()
    return select(job_of(query), market, own_machines(query.constraints.own_machines or (), market))


def keys(query: Query, chosen: Selection, options) -> list[tuple[int, int, int]]:
    """(machine, machines of it, purchase option); a service's count follows from the estimate and is left out."""
    counted = not job_of(query).serves
    candidate = chosen.options.candidate[options]
    nodes = chosen.estimates.nodes[candidate] if counted else np.ones(len(candidate))
    purchase = chosen.options.purchase[options]
    return list(
        zip(chosen.options.priced.machine_row[options].tolist(), nodes.tolist(), purchase.tolist(), strict=True)
    )


def best(query: Query, chosen: Selection) -> tuple[tuple[int, int, int], float] | None:
    """The first recommendation's key and score."""
    job = job_of(query)
    objective = query.objective or ranking.default_objective(job)
    found = ranking.scored(job, chosen, objective)
    if not len(found.rows):
        return None
    first = ranking.ranked(job, chosen, found)[:1]
    return keys(query, chosen, found.rows[first])[0], float(found.scores[first[0]])


def least_score(query: Query) -> float:
    """The best score of what could be recommended, before an option with another score is put first for a reason."""
    job, chosen = job_of(query), selected(query)
    parts = chosen.estimates, chosen.options
    means = expected_of(job, *parts, chosen.feasible)
    objective = query.objective or ranking.default_objective(job)
    return float(score(job, *parts, objective, chosen.feasible, means).min())


def with_workload(query: Query, **changes: object) -> Query:
    return replace(query, workload=replace(query.workload, **changes))


def with_constraints(query: Query, **changes: object) -> Query:
    return replace(query, constraints=replace(query.constraints, **changes))
