"""Estimates of the options that an answer shows, as values of the contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import chain, repeat
from math import isfinite, isnan
from typing import Any

import numpy as np

from ..columns import Column
from ..demand import kind
from ..demand.job import Job, profile_of
from ..demand.weights import expert_parallel
from ..estimate.inference_job import unit_factor
from ..estimate.outcome import Outcome, Ranged
from ..estimate.ranges import ends
from ..estimate.spot import SpotRun, break_even_per_hour, finish_probability, survival_probability
from ..hardware import ON_DEMAND, SPOT, Flags, Floats, Places
from ..obstacles import BOTTLENECKS
from ..quantities import Estimate, Range, Rate, ScheduledHour, Serving, Spot, Staging, Training, UsdPerMonth
from ..spreads import BASES
from ..units import HOURS_PER_MONTH, MILLION, MINUTES_PER_HOUR
from .estimating import Estimates
from .market import Market
from .options import Options, per_million, restart_usd, spot_parts
from .pricing_agreements import WHOLE_PERCENT, AgreedPrices
from .rounding import figure, figures, known_figure
from .scores import mean_factor

PARTS = tuple(part.name for part in fields(Estimate))  # in their order; made by name, each takes five times as long
RANGES = ("time_hours", "cost_usd", "usd_per_hour", "usd_per_million", "latency_ms")


def unit_of(job: Job) -> str:
    """Return the unit of the throughput."""
    if job.kind == kind.HPC:
        return "gflop/s"
    return "tokens/s" if job.by_tokens or job.kind == kind.SERVING else "samples/s"


def shown_estimates(
    job: Job, estimates: Estimates, options: Options, shown: Places, spots: Mapping[int, Spot]
) -> list[Estimate]:
    """Return the estimate of each shown option, with a cost if it has a price; ``spots`` are by row of the options."""
    outcome, rows = estimates.outcome, options.candidate[shown]
    found = _columns(job, estimates, options, shown, rows)
    rounded = dict(zip(found, figures(np.array([ends for _, ends in found.values()])), strict=True))
    unit, nothing, factor = repeat(unit_of(job)), [None] * len(rows), options.priced.price_factor[shown]
    columns: dict[str, Iterable[Any]] = {
        "basis": [BASES[code] for code in estimates.machines.shown_basis[rows].tolist()],
        "bottleneck": [BOTTLENECKS[code] for code in outcome.bottleneck[rows].tolist()],
        "throughput": map(Rate, *rounded["throughput"], unit),
        "capacity": map(Rate, *rounded["capacity"], unit) if "capacity" in found else nothing,
        "serving": _servings(job, estimates, options, shown, rows),
        "spot": [spots.get(option) for option in shown.tolist()],
        "expected_cost_usd": _expected(found.get("cost_usd"), factor, options.charges.moving(shown)),
        "expected_usd_per_hour": _expected(found.get("usd_per_hour"), factor),
        "training": _trainings(job, outcome, rows),
        "staging": _stagings(options, shown),
    } | {name: _where(found[name][0], rounded[name]) if name in found else nothing for name in RANGES}
    return [Estimate(*parts) for parts in zip(*(columns[name] for name in PARTS), strict=True)]


def _columns(
    job: Job, estimates: Estimates, options: Options, shown: Places, rows: Places
) -> dict[str, tuple[Flags, Ranged]]:
    """Figures that apply to a shown row, with the rows to which they apply; ``rows`` are candidates."""
    outcome = estimates.outcome
    timed = np.isfinite(outcome.hours[rows]) & (not job.serves)
    priced = np.isfinite(options.usd_per_hour[shown])
    rates = _at(rows, outcome.throughput, outcome.throughput_low, outcome.throughput_high)
    every = np.ones(len(rows), dtype=bool)
    found = {"throughput": (every, rates)}
    if timed.any():
        found["time_hours"] = timed, _at(shown, options.hours, options.hours_low, options.hours_high)
        found["cost_usd"] = timed & priced, _at(shown, options.cost, options.cost_low, options.cost_high)
        if job.kind in kind.INFERENCE_KINDS:
            found["usd_per_million"] = timed & priced, _each(job, found["cost_usd"][1])
    if not timed.all():
        usd, share = options.charges.usd_per_hour[shown], _mean_over_peak(job)
        value, slow, fast = (rate * share for rate in rates)
        found["usd_per_hour"] = priced & ~timed, (usd, usd, usd)
        dear_last = per_million(usd, value), per_million(usd, fast), per_million(usd, slow)
        found["usd_per_million"] = priced & ~timed, dear_last
    if job.serves:
        found["capacity"] = every, _highest_rate(outcome, rows)
        if outcome.serving is None:
            found["latency_ms"] = np.isfinite(outcome.latency_ms[rows]), _latency(outcome, rows)
    return found


def _each(job: Job, costs: Ranged) -> Ranged:
    """Cost of a million of the units that inference with an end makes."""
    value, low, high = (cost * MILLION / (job.samples * unit_factor(job)) for cost in costs)
    return value, low, high


def _mean_over_peak(job: Job) -> float:
    """Mean rate of a day over its highest; 1 without a day's load."""
    rates = job.workload.requests_per_second_by_hour
    return 1.0 if rates is None else sum(rates) / len(rates) / max(rates)


def _latency(outcome: Outcome, rows: Places) -> Ranged:
    return _at(rows, outcome.latency_ms, outcome.latency_low_ms, outcome.latency_high_ms)


def _highest_rate(outcome: Outcome, rows: Places) -> Ranged:
    serving = outcome.serving
    if serving is None:
        return _at(rows, outcome.capacity, outcome.capacity_low, outcome.capacity_high)
    return serving.highest_rate(rows)


def _at(rows: Places, value: Column, low: Column, high: Column) -> Ranged:
    return value[rows], low[rows], high[rows]


def _where(holds: Flags, ends: list[list[float]]) -> list[Range | None]:
    """Ranges of the rows to which the figure applies."""
    found = list(map(Range, *ends))
    return [*found] if holds.all() else [one if held else None for one, held in zip(found, holds.tolist(), strict=True)]


def _expected(
    shown: tuple[Flags, Ranged] | None, of_price: Floats, moving: Floats | float = 0.0
) -> Sequence[float | None]:
    """Means of the rows to which a cost applies; ``of_price``: mean of each price over the stated one.

    ``moving``: the part of the cost that has no range, as in ``expected_cost``.
    """
    if shown is None:
        return [None] * len(of_price)
    holds, (value, low, high) = shown
    means = figures((value - moving) * mean_factor(low - moving, high - moving) * of_price + moving)
    return means if holds.all() else [one if held else None for one, held in zip(means, holds.tolist(), strict=True)]


def _stagings(options: Options, shown: Places) -> Sequence[Staging | None]:
    """Time and price of bringing the data; ``None`` where the question does not say where they are."""
    if options.staging is None:
        return [None] * len(shown)
    parts = figures(np.array([options.staging.hours[shown], options.charges.moving(shown)]))
    return [Staging(hours, usd) for hours, usd in zip(*parts, strict=True)]


def _trainings(job: Job, outcome: Outcome, rows: Places) -> Sequence[Training | None]:
    """Steps of a run; without an end there is no number of them."""
    together = outcome.together
    if together is None or isnan(job.samples):
        return [None] * len(rows)
    samples = together.samples[rows]
    batches, steps = figures(np.array([samples, np.ceil(job.samples / samples)]))
    largest = figure(job.batch_limit) if isfinite(job.batch_limit) else None
    return [Training(batch, many, largest) for batch, many in zip(batches, steps, strict=True)]


def _servings(
    job: Job, estimates: Estimates, options: Options, shown: Places, rows: Places
) -> Sequence[Serving | None]:
    outcome, columns, day = estimates.outcome, estimates.outcome.serving, estimates.day
    if columns is None and day is None:
        return [None] * len(rows)
    of_tokens = repeat(NO_TOKENS) if columns is None else _of_tokens(job, estimates, rows)
    replicas = estimates.nodes[rows] if columns is None else columns.replicas[rows]
    cold = [None] * len(rows) if outcome.cold_start is None else figures(outcome.cold_start.seconds[rows])
    days = _days(estimates, options, shown, rows, replicas)
    parts = zip(of_tokens, replicas.astype(int).tolist(), cold, days, strict=False)  # nothing has no end
    return [
        Serving(**of, replicas=count, cold_start_seconds=seconds, schedule=schedule, usd_per_month=month)
        for of, count, seconds, (schedule, month) in parts
    ]


OF_TOKENS = (
    "concurrency", "max_concurrency", "ttft_ms", "ttft_p95_ms", "tpot_ms", "tensor_parallel", "tpot_p95_ms",
    "end_to_end_p95_ms", "pipeline_parallel", "expert_parallel", "attention_data_parallel", "nodes_per_replica",
)  # fmt: skip
NO_TOKENS: dict[str, Any] = dict.fromkeys(OF_TOKENS)


def _of_tokens(job: Job, estimates: Estimates, rows: Places) -> list[dict[str, Any]]:
    """Requests at once, latencies and splits of a language model."""
    outcome, columns = estimates.outcome, estimates.outcome.serving
    assert columns is not None
    machines = estimates.machines.take(rows)
    first, each, each_p95 = columns.ttft_ms[rows], columns.tpot_ms[rows], columns.tpot_p95_ms[rows]
    first_p95, whole_p95 = _latency(outcome, rows), columns.end_to_end_p95_ms[rows]
    of_each = ends(job, machines, "tpot")
    quick, slow = of_each.low[:], of_each.high[:]
    after = whole_p95 - first_p95[0]
    ranges = (
        (first, *(first * end / first_p95[0] for end in first_p95[1:])),
        first_p95,
        (each, each * quick, each * slow),
        (each_p95, each_p95 * quick, each_p95 * slow),
        (whole_p95, first_p95[1] + after * quick, first_p95[2] + after * slow),
    )
    whole = (columns.concurrency[rows], columns.max_concurrency[rows])
    concurrency, most, *rounded = figures(np.array([*whole, *chain.from_iterable(ranges)]))
    shown = [map(Range, *rounded[place : place + 3]) for place in range(0, 3 * len(ranges), 3)]
    tensors = columns.tensor_parallel[rows].astype(int).tolist()
    divided = columns.attention_data_parallel[rows].astype(int).tolist()
    experts = [expert_parallel(job, profile_of(job), *split) for split in zip(tensors, divided, strict=True)]
    divided_by = [None if one is None else each for one, each in zip(experts, divided, strict=True)]
    stages, span = (
        column[rows].astype(int).tolist() for column in (columns.pipeline_parallel, columns.nodes_per_replica)
    )
    parts = (concurrency, most, *shown[:3], tensors, *shown[3:], stages, experts, divided_by, span)
    return [dict(zip(OF_TOKENS, one, strict=True)) for one in zip(*parts, strict=True)]


Planned = tuple[tuple[ScheduledHour, ...] | None, UsdPerMonth | None]


def _days(estimates: Estimates, options: Options, shown: Places, rows: Places, replicas: Floats) -> Sequence[Planned]:
    """Schedule of a day, and cost of a month by it; nothing where no day's load is stated."""
    day = estimates.day
    if day is None:
        return [(None, None)] * len(rows)
    nodes = day.nodes[:, rows]
    held = np.rint(nodes * (replicas / estimates.nodes[rows]))
    month = figures(
        np.array([options.charges.usd_per_hour[shown], options.whole_usd_per_hour[shown]]) * HOURS_PER_MONTH
    )
    hours = zip(held.T.astype(int).tolist(), nodes.T.astype(int).tolist(), *month, strict=True)
    return [
        (
            tuple(ScheduledHour(hour, *counts) for hour, counts in enumerate(zip(each, machines, strict=True))),
            UsdPerMonth(scheduled, peak) if isfinite(scheduled) else None,
        )
        for each, machines, scheduled, peak in hours
    ]


STATED, FEED, ASSUMED = "stated", "feed", "assumed"


def spots_of(
    job: Job, market: Market, prices: AgreedPrices, estimates: Estimates, options: Options, rows: Iterable[int]
) -> dict[int, Spot]:
    """Return interrupted runs by row of ``options``, for jobs of known length on spot, in the requested ``rows``."""
    wanted = [row for row in rows if options.purchase[row] == SPOT and isfinite(options.hours[row])]
    if not wanted or job.serves:
        return {}
    parts = spot_parts(job, estimates, options, np.array(wanted, dtype=np.intp))
    start = parts.start if options.staging is None else parts.start + options.staging.hours[wanted]
    columns = (parts.work, parts.write, parts.restart, options.interval_hours[wanted], start)
    runs = [SpotRun(*hours) for hours in zip(*(column.tolist() for column in columns), strict=True)]
    on_demand = np.array([_on_demand_usd(market, prices, estimates, options, row) for row in wanted])
    minutes = job.workload.checkpoint_interval_minutes
    interval = None if minutes is None else minutes / MINUTES_PER_HOUR
    moving = again = np.zeros(len(wanted))
    if options.staging is not None:
        moving = options.staging.usd[wanted]
        again = restart_usd(job, estimates, options.priced, options.staging)[wanted]
    spot_usd, run = options.whole_usd_per_hour[wanted], (parts.work, parts.write, parts.restart)
    break_even = break_even_per_hour(*run, interval, spot_usd, on_demand - moving, start, again)
    saving = WHOLE_PERCENT * (1 - options.cost[wanted] / on_demand)
    sources = [rate_source(job, market, int(options.offer[row])) for row in wanted]
    found = zip(wanted, runs, sources, on_demand, saving, break_even, strict=True)
    return {row: _spot(job, options, row, *figures) for row, *figures in found}


def _spot(
    job: Job, options: Options, row: int, run: SpotRun, source: str, on_demand: float, saving: float, break_even: float
) -> Spot:
    rate, deadline = float(options.interruptions_per_hour[row]), job.workload.deadline_hours
    until_deadline = None if deadline is None else survival_probability(deadline - run.starting, rate)
    return Spot(
        interruptions_per_hour=figure(rate),
        checkpoint_interval_minutes=figure(run.interval * MINUTES_PER_HOUR),
        expected_restarts=figure(options.restarts[row]),
        finish_probability=figure(finish_probability(run, deadline, rate)),
        interruptions_source=source,
        work_hours=figure(run.work),
        segments=run.segments,
        checkpoint_write_minutes=figure(run.write * MINUTES_PER_HOUR),
        start_minutes=figure(run.starting * MINUTES_PER_HOUR),
        restart_minutes=figure(run.restart * MINUTES_PER_HOUR),
        survival_probability=figure(survival_probability(run.undisturbed, rate)),
        survival_probability_until_deadline=None if until_deadline is None else figure(until_deadline),
        on_demand_cost_usd=known_figure(on_demand),
        saving_percent=known_figure(saving),
        break_even_interruptions_per_hour=known_figure(break_even),
    )


def rate_source(job: Job, market: Market, offer: int) -> str:
    """Return the source of the interruption rate."""
    if job.workload.interruptions_per_hour is not None:
        return STATED
    return FEED if offer >= 0 and isfinite(market.prices.interruptions_per_hour[offer]) else ASSUMED


def _on_demand_usd(market: Market, prices: AgreedPrices, estimates: Estimates, options: Options, option: int) -> float:
    """Cost of the job on the same machines on demand in the same region; NaN if they are not sold on demand."""
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
    staging = options.staging
    staged, moving = (0.0, 0.0) if staging is None else (staging.hours.item(option), staging.usd.item(option))
    here = np.array([option])
    billed = options.priced.billed.hours(estimates.outcome.hours[[row]] + staged, here)
    return float((nodes * hourly * billed + moving)[0])
