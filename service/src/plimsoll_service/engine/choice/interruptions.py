"""What interruptions make of one option on spot: chances, the same machine on demand, and where both cost the same."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

import numpy as np

from plimsoll_service.engine.choice.estimating import Estimates
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.options import Options, spot_parts
from plimsoll_service.engine.choice.priced_options import SPOT
from plimsoll_service.engine.choice.pricing_agreements import ON_DEMAND, WHOLE_PERCENT, AgreedPrices
from plimsoll_service.engine.choice.rounding import figure
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.spot import SpotRun, break_even_per_hour, finish_probability, survival_probability
from plimsoll_service.engine.quantities import Spot
from plimsoll_service.engine.units import MINUTES_PER_HOUR

STATED, FEED, ASSUMED = "stated", "feed", "assumed"


def spots_of(
    job: Job, market: Market, prices: AgreedPrices, estimates: Estimates, options: Options, rows: Iterable[int]
) -> dict[int, Spot]:
    """Runs under interruptions by row of ``options``: of jobs of known length on spot, among the ``rows`` asked for."""
    wanted = [row for row in rows if options.purchase[row] == SPOT and isfinite(options.hours[row])]
    if not wanted or job.kind in kind.INFERENCE_KINDS:
        return {}
    candidate = options.candidate[wanted]
    parts = spot_parts(job, estimates, candidate, estimates.outcome.hours[candidate])
    runs = [
        SpotRun(float(work), float(write), float(restart), float(options.interval_hours[row]))
        for row, work, write, restart in zip(wanted, *parts, strict=True)
    ]
    on_demand = np.array([_on_demand_usd(market, prices, estimates, options, row) for row in wanted])
    minutes = job.workload.checkpoint_interval_minutes
    interval = None if minutes is None else minutes / MINUTES_PER_HOUR
    break_even = break_even_per_hour(*parts, interval, options.whole_usd_per_hour[wanted], on_demand)
    saving = WHOLE_PERCENT * (1 - options.cost[wanted] / on_demand)
    sources = [rate_source(job, market, int(options.offer[row])) for row in wanted]
    columns = zip(wanted, runs, sources, on_demand, saving, break_even, strict=True)
    return {row: _spot(job, options, row, *figures) for row, *figures in columns}


def _spot(
    job: Job, options: Options, row: int, run: SpotRun, source: str, on_demand: float, saving: float, break_even: float
) -> Spot:
    rate, deadline = float(options.interruptions_per_hour[row]), job.workload.deadline_hours
    until_deadline = None if deadline is None else survival_probability(deadline - run.restart, rate)
    return Spot(
        interruptions_per_hour=figure(rate),
        checkpoint_interval_minutes=figure(run.interval * MINUTES_PER_HOUR),
        expected_restarts=figure(options.restarts[row]),
        finish_probability=figure(finish_probability(run, deadline, rate)),
        interruptions_source=source,
        work_hours=figure(run.work),
        segments=run.segments,
        checkpoint_write_minutes=figure(run.write * MINUTES_PER_HOUR),
        restart_minutes=figure(run.restart * MINUTES_PER_HOUR),
        survival_probability=figure(survival_probability(run.undisturbed, rate)),
        survival_probability_until_deadline=None if until_deadline is None else figure(until_deadline),
        on_demand_cost_usd=_known(on_demand),
        saving_percent=_known(saving),
        break_even_interruptions_per_hour=_known(break_even),
    )


def _known(value: float) -> float | None:
    return figure(value) if isfinite(value) else None


def rate_source(job: Job, market: Market, offer: int) -> str:
    """Whose word the rate of interruptions is."""
    if job.workload.interruptions_per_hour is not None:
        return STATED
    return FEED if offer >= 0 and isfinite(market.prices.interruptions_per_hour[offer]) else ASSUMED


def _on_demand_usd(market: Market, prices: AgreedPrices, estimates: Estimates, options: Options, option: int) -> float:
    """What the same machines cost for the job on demand in the same region; NaN where they are not sold so."""
    offer, row = int(options.offer[option]), int(options.candidate[option])
    if offer < 0:
        return float("nan")
    offers, nodes = market.offers, float(estimates.nodes[row])
    kind_row = int(offers.instance_type[offer])
    slot = slice(int(market.first_offer[kind_row]), int(market.first_offer[kind_row + 1]))
    regular = (
        (offers.purchase[slot] == ON_DEMAND) & (offers.region[slot] == offers.region[offer]) & offers.current[slot]
    )
    found = np.flatnonzero(regular).astype(np.int32)
    if not len(found):
        return float("nan")
    hourly = float(prices.of(slot.start + found, nodes)[0]) + float(options.disk_usd_per_hour[option])
    return nodes * hourly * float(estimates.outcome.hours[row])
