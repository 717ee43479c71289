"""The frontier of cost and time: options that no other beats on both."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.choice.ranking import duration, rounded
from plimsoll_service.engine.choice.selection import Selection
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Floats, Ints, Places


def frontier_of(job: Job, chosen: Selection) -> Places:
    """Return the rows of the feasible options that no other beats on both cost and time."""
    options, feasible = chosen.options, chosen.feasible
    time = duration(job, chosen.estimates, options)
    few = feasible.take(ahead(options.cost.take(feasible), time.take(feasible)))
    front: Places = few.take(frontier(options.cost[few], time[few], options.priced.name_order[few]))
    return front


def frontier(cost: Floats, time: Floats, name_order: Ints) -> Ints:
    """Return the rows that no other beats on shown cost and time, cheapest first; of equals, the first by name."""
    cost, time = rounded(np.array([cost, time]))
    by_cost = np.lexsort((name_order, time, cost))
    fastest = np.minimum.accumulate(time[by_cost])
    before = np.concatenate(([np.inf], fastest[:-1]))
    chosen: Ints = by_cost[time[by_cost] < before].astype(np.int32)
    return chosen


def ahead(cost: Floats, time: Floats) -> Places:
    """Return a superset of the frontier; all rows if a figure is unknown.

    It omits rows that one of three rows beats on both: the cheapest, the fastest, or, of the rest, the row with the
    lowest product of both.
    """
    if not len(cost):
        return np.empty(0, dtype=np.intp)
    cheapest, fastest = cost.argmin(), time.argmin()  # of an unknown figure, where there is one
    if np.isnan(cost[cheapest]) or np.isnan(time[fastest]):
        return np.arange(len(cost))
    rows = np.flatnonzero((time <= time[cheapest]) & (cost <= cost[fastest]))
    costs, times = cost.take(rows), time.take(rows)
    best = (costs * times).argmin()
    few: Places = rows[(costs <= costs[best]) | (times <= times[best])]
    return few
