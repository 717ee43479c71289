"""The estimates of the few options that an answer shows, as the contract's values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, repeat

import numpy as np

from plimsoll_service.engine.choice.estimating import Estimates
from plimsoll_service.engine.choice.options import Options, cost_of, per_million
from plimsoll_service.engine.choice.rounding import figures
from plimsoll_service.engine.columns import Column
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.outcome import BOTTLENECKS, Outcome
from plimsoll_service.engine.estimate.ranges import metric_ends
from plimsoll_service.engine.hardware import Flags, Floats, Places
from plimsoll_service.engine.quantities import Estimate, Range, Rate, Serving, Spot
from plimsoll_service.engine.spreads import BASES

Ends = tuple[Floats, Floats, Floats]  # value, low and high
RANGES = ("time_hours", "cost_usd", "usd_per_hour", "usd_per_million", "latency_ms")  # in the order of ``Estimate``


def unit_of(job: Job) -> str:
    """What is counted a second."""
    if job.kind == kind.HPC:
        return "gflop/s"
    return "tokens/s" if job.by_tokens or job.kind == kind.SERVING else "samples/s"


def shown_estimates(
    job: Job, estimates: Estimates, options: Options, shown: Places, spots: Mapping[int, Spot]
) -> list[Estimate]:
    """The estimate of each shown option, with cost where it has a price; ``spots`` are by row of the options."""
    outcome, rows = estimates.outcome, options.candidate[shown].astype(np.intp)
    found = _columns(job, estimates, options, shown, rows)
    rounded = dict(zip(found, figures(np.array([ends for _, ends in found.values()])), strict=True))
    unit, nothing = repeat(unit_of(job)), [None] * len(rows)
    columns = zip(
        [BASES[code] for code in estimates.machines.basis[rows].tolist()],
        [BOTTLENECKS[code] for code in outcome.bottleneck[rows].tolist()],
        map(Rate, *rounded["throughput"], unit),
        map(Rate, *rounded["capacity"], unit) if "capacity" in found else nothing,
        *(_where(found[name][0], rounded[name]) if name in found else nothing for name in RANGES),
        _servings(estimates, rows),
        [spots.get(option) for option in shown.tolist()],
        strict=False,  # the unit has no end
    )
    return [Estimate(*parts) for parts in columns]


def _columns(
    job: Job, estimates: Estimates, options: Options, shown: Places, rows: Places
) -> dict[str, tuple[Flags, Ends]]:
    """The figures of an estimate that have a meaning for some shown row, and for which; ``rows`` are candidates."""
    outcome = estimates.outcome
    inference = job.kind in kind.INFERENCE_KINDS
    timed = np.isfinite(outcome.hours[rows]) & (not inference)
    priced = np.isfinite(options.usd_per_hour[shown])
    rates = _at(rows, outcome.throughput, outcome.throughput_low, outcome.throughput_high)
    every = np.ones(len(rows), dtype=bool)
    found = {"throughput": (every, rates)}
    if timed.any():
        found["time_hours"] = timed, _at(shown, options.hours, options.hours_low, options.hours_high)
        found["cost_usd"] = timed & priced, _costs(job, options, shown, rates, found["time_hours"][1])
    if not timed.all():
        usd, (value, slow, fast) = options.whole_usd_per_hour[shown], rates
        found["usd_per_hour"] = priced & ~timed, (usd, usd, usd)
        dear_last = per_million(usd, value), per_million(usd, fast), per_million(usd, slow)
        found["usd_per_million"] = priced & ~timed, dear_last
    if inference:
        found["capacity"] = every, _at(rows, outcome.capacity, outcome.capacity_low, outcome.capacity_high)
        if outcome.serving is None:
            found["latency_ms"] = np.isfinite(outcome.latency_ms[rows]), _latency(outcome, rows)
    return found


def _costs(job: Job, options: Options, shown: Places, rates: Ends, hours: Ends) -> Ends:
    """The options' cost, at either end of those hours: their own columns would work the hours out once more."""
    whole, (_, slow, fast), (_, short, long) = options.whole_usd_per_hour[shown], rates, hours
    return options.cost[shown], cost_of(job, whole, short, fast), cost_of(job, whole, long, slow)


def _latency(outcome: Outcome, rows: Places) -> Ends:
    return _at(rows, outcome.latency_ms, outcome.latency_low_ms, outcome.latency_high_ms)


def _at(rows: Places, value: Floats, low: Column, high: Column) -> Ends:
    return value[rows], low[rows], high[rows]


def _where(holds: Flags, ends: list[list[float]]) -> list[Range | None]:
    """The ranges of the rows in which they have a meaning."""
    found = list(map(Range, *ends))
    return [*found] if holds.all() else [one if held else None for one, held in zip(found, holds.tolist(), strict=True)]


def _servings(estimates: Estimates, rows: Places) -> Sequence[Serving | None]:
    outcome, columns = estimates.outcome, estimates.outcome.serving
    if columns is None:
        return [None] * len(rows)
    machines = estimates.machines.take(rows)
    first, each = columns.ttft_ms[rows], columns.tpot_ms[rows]
    of_first, of_each = metric_ends(machines, "ttft"), metric_ends(machines, "tpot")
    ends = (
        (first, first * of_first.low, first * of_first.high),
        _latency(outcome, rows),
        (each, each * of_each.low, each * of_each.high),
    )
    whole = (columns.concurrency[rows], columns.max_concurrency[rows])
    concurrency, most, *rounded = figures(np.array([*whole, *chain.from_iterable(ends)]))
    parts = zip(
        concurrency,
        most,
        *(map(Range, *rounded[place : place + 3]) for place in (0, 3, 6)),
        columns.tensor_parallel[rows].astype(int).tolist(),
        columns.replicas[rows].astype(int).tolist(),
        strict=True,
    )
    return [Serving(*one) for one in parts]
