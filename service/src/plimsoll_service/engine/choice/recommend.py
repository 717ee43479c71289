"""Answer to a query: ranked options, the frontier, and relaxations if no option is left."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..answer import Answer, Assumption, CatalogStamp
from ..demand import kind
from ..demand.job import Job
from ..demand.requests import with_assumed_target
from ..hardware import Floats, Ints, Places
from ..rules import Remark
from ..workload import Query
from . import near_misses, ranking
from .anchoring import anchored_job_of, anchors_said
from .beside_cards import own_beside_cards
from .comparing import faster_note, preferred_note
from .engines import engine_note
from .kept import Kept
from .market import Market
from .own_machines import own_machines
from .present import points_of, recommendations_of
from .relax import relaxations
from .scores import ROUNDING, Scored, duration, rounded
from .selection import Selection, select
from .understood import assumed_of_job, echo

ON_EVERY_CORE = Assumption(
    "tuning",
    "tuned",
    "one process a machine would take several machines; shards can be converted side by side on one as well",
)


def recommend(query: Query, market: Market, stamp: CatalogStamp, kept: Kept | None = None) -> Answer:
    """Return ranked recommendations for an admitted query; ``kept`` belongs to this market."""
    described = own_machines(query.constraints.own_machines or (), market)

    def choose(asked: Query) -> tuple[Job, Selection]:
        job = anchored_job_of(asked, market, kept)
        return job, select(job, market, own_beside_cards(job, market, described), kept)

    job, chosen = choose(query)
    own = own_beside_cards(job, market, described)
    objective = query.objective or ranking.default_objective(job)
    found = ranking.scored(job, chosen, objective)
    assumed: tuple[Assumption, ...] = ()
    if _spread_as_installed(query, job, chosen, found):
        tuned = query.asking(tuning="tuned")
        on_every_core = choose(tuned)
        if len(on_every_core[1].feasible):
            query, (job, chosen), assumed = tuned, on_every_core, (ON_EVERY_CORE,)
            found = ranking.scored(job, chosen, objective)
    named = partial(near_misses.in_words, market, own)
    # The first is told apart from the next, even if it alone is listed.
    choices = ranking.choices(job, market, chosen, found, max(query.limit, 2), query.group != "none")
    listed = found.rows[[choice.place for choice in choices]].tolist()
    front = frontier_of(job, chosen).tolist()
    points = points_of(job, market, own, chosen, tuple(dict.fromkeys((*listed, *front))))
    beside: tuple[Remark, ...] = ()
    if listed:
        near_miss = near_misses.near_miss_note(job, market, own, kept, chosen, found, listed[0])
        remedy = near_misses.remedy_note(job, choose, named, objective, chosen, listed[0])
        left_out = near_misses.own_notes(job, market, own, kept, chosen, objective)
        engine = engine_note(query, job, choose, named, found, listed[0])
        fleet = near_misses.larger_fleet_note(query, job, choose, named, objective, chosen, listed[0])
        assumed = assumed if fleet is None else (*assumed, near_misses.DEFAULT_NODES)
        faster = faster_note(job, chosen, found, listed[0], named)
        put = preferred_note(job, found, listed[0], partial(named, chosen))
        told = (near_miss, fleet, faster, remedy, engine, *left_out, put)
        beside = tuple(note for note in told if note is not None)
    else:
        assumed = (*assumed, *near_misses.assumed_against_all(query, job, chosen))
    return Answer(
        catalog=stamp,
        workload=echo(job.workload),
        assumptions=(*assumed_of_job(job, market), *assumed),
        recommendations=recommendations_of(job, market, own, chosen, found, choices, points, beside),
        frontier=tuple(points[option] for option in front),
        rejected=chosen.rejected,
        relax=() if listed else relaxations(with_assumed_target(query, job), choose, named),
        objective=objective,
        anchors=anchors_said(job),
    )


def _spread_as_installed(query: Query, job: Job, chosen: Selection, found: Scored) -> bool:
    """Whether converters, left as they come, run one process on each of several machines. Rule: stock-converter."""
    if job.kind != kind.PREPROCESSING or query.workload.tuning is not None or job.tuned:
        return False
    first = ranking.first_of(job, chosen, found)
    return first is None or bool(chosen.estimates.nodes[chosen.options.candidate[first]] != 1)


def frontier_of(job: Job, chosen: Selection) -> Places:
    """Return the rows of the feasible options that no other beats on both cost and time."""
    options, feasible = chosen.options, chosen.feasible
    time = duration(job, chosen.estimates, options)
    few = feasible.take(ahead(options.cost.take(feasible), time.take(feasible)))
    return few.take(frontier(options.cost[few], time[few], options.priced.name_order[few]))


def frontier(cost: Floats, time: Floats, name_order: Ints) -> Ints:
    """Return the rows that no other beats on shown cost and time, cheapest first; of equals, the first by name."""
    cost, time = rounded(np.array([cost, time]))
    by_cost = np.lexsort((name_order, time, cost))
    fastest = np.minimum.accumulate(time[by_cost])
    before = np.concatenate(([np.inf], fastest[:-1]))
    return by_cost[time[by_cost] < before].astype(np.int32)


def ahead(cost: Floats, time: Floats) -> Places:
    """Return a superset of the frontier; all rows if a figure is unknown.

    It omits rows that one of three rows beats on both: the cheapest, the fastest, or, of the rest, the row with the
    lowest product of both; and of what is left those that a cheaper row surely beats.
    """
    if not len(cost):
        return np.empty(0, dtype=np.intp)
    cheapest, fastest = cost.argmin(), time.argmin()  # of an unknown figure, where there is one
    if np.isnan(cost[cheapest]) or np.isnan(time[fastest]):
        return np.arange(len(cost))
    rows = ((time <= time[cheapest]) & (cost <= cost[fastest])).nonzero()[0]
    costs, times = cost.take(rows), time.take(rows)
    best = (costs * times).argmin()
    left = ((costs <= costs[best]) | (times <= times[best])).nonzero()[0]
    left = left[costs[left].argsort()]
    least = np.minimum.accumulate(times[left])
    few: Places = rows[np.sort(left[least >= times[left] * (1 - ROUNDING)])]
    return few
