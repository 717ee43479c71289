"""Types that an answer has no room for, as they are dearer than others like them: how many would meet a price limit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from plimsoll_service.engine.choice.estimating import Scored
from plimsoll_service.engine.choice.options import Options, cost_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Flags, Floats, Ints

Meets = Callable[[Ints, Floats], Flags]  # whether options (by row) met the limit at such prices of one machine


def price_limits(job: Job, scored: Scored, options: Options) -> dict[str, Meets]:
    """The stated limits that depend on what a machine costs, by the name that they are counted under."""
    hourly, budget = job.query.constraints.max_usd_per_hour, job.workload.budget_usd

    def whole(rows: Ints, price: Floats) -> Floats:
        usd: Floats = scored.nodes[options.candidate[rows]] * (price + options.disk_usd_per_hour[rows])
        return usd

    def cost(rows: Ints, price: Floats) -> Floats:
        slowest = scored.outcome.throughput_low[options.candidate[rows]]
        return cost_of(job, whole(rows, price), options.hours_high[rows], slowest)

    limits: dict[str, Meets] = {}
    if hourly is not None:
        limits["max_usd_per_hour"] = lambda rows, price: whole(rows, price) <= hourly
    if budget is not None:
        limits["budget"] = lambda rows, price: cost(rows, price) <= budget
    return limits


def standing(options: Options, meets: Meets) -> Ints:
    """How many types each option stands for once those that miss the limit are gone: they are the dearest of them."""
    stock = options.stock
    rows = np.flatnonzero(stock.stands_for > 1).astype(np.int32)
    low, high = np.zeros(len(rows), dtype=np.int32), stock.stands_for[rows] - 1
    while np.any(low < high):
        middle = (low + high) // 2
        met = meets(rows, stock.left_out[stock.left_out_from[rows] + np.minimum(middle, high - 1)])
        low, high = np.where((low < high) & met, middle + 1, low), np.where((low < high) & ~met, middle, high)
    still = stock.stands_for.copy()
    still[rows] = 1 + low
    return still
