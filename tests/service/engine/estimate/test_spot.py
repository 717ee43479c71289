"""Runs under interruptions: the closed form against a simulation, and its limits."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from plimsoll_service.engine.estimate.spot import SHORTEST_INTERVAL_HOURS, finish_probability, interrupted

RUNS = 4000


def one(work: float, write: float, restart: float, per_hour: float, interval: float | None = None):
    """The expectation of one run."""
    columns = (np.array([value]) for value in (work, write, restart, per_hour))
    return interrupted(*columns, interval)


def simulated_hours(work: float, write: float, restart: float, per_hour: float, interval: float) -> float:
    """Mean hours of runs that lose what they did since their last checkpoint at each interruption."""
    draw = np.random.default_rng(11)
    total = 0.0
    for _ in range(RUNS):
        total += restart
        until = draw.exponential(1 / per_hour)
        left = work
        while left > 1e-12:
            segment = min(interval, left) + write * min(interval, left) / interval
            needed = segment
            while until < needed:
                total += until
                until = draw.exponential(1 / per_hour)
                needed = restart + segment
            total += needed
            until -= needed
            left -= interval
    return total / RUNS


@pytest.mark.parametrize(
    ("work", "write", "restart", "per_hour", "interval"),
    [(20.0, 0.05, 0.1, 0.05, 1.0), (8.0, 0.02, 0.02, 0.3, 0.5), (50.0, 0.2, 0.05, 0.1, 2.0)],
)
def test_the_closed_form_is_what_runs_take(
    work: float, write: float, restart: float, per_hour: float, interval: float
) -> None:
    """Expected hours lie within 2% of the mean of simulated runs."""
    expected = simulated_hours(work, write, restart, per_hour, interval)
    assert float(one(work, write, restart, per_hour, interval).hours[0]) == pytest.approx(expected, rel=0.02)


def test_without_interruptions_only_checkpoints_and_the_start_are_added() -> None:
    """At a rate of nothing the run takes its work, its checkpoints and one start."""
    run = one(10.0, 0.1, 0.2, 0.0, 1.0)
    assert float(run.hours[0]) == pytest.approx(10 * 1.1 + 0.2, rel=1e-6)
    assert float(run.restarts[0]) == pytest.approx(0.0, abs=1e-9)


def test_the_interval_is_the_square_root_law() -> None:
    """Left out, the interval is √(2·δ·M), never below ten minutes, never longer than the work."""
    assert float(one(100.0, 0.05, 0.0, 0.1).interval_hours[0]) == pytest.approx((2 * 0.05 * 10) ** 0.5)
    assert float(one(100.0, 0.0, 0.0, 0.1).interval_hours[0]) == SHORTEST_INTERVAL_HOURS
    assert float(one(0.5, 5.0, 0.0, 0.01).interval_hours[0]) == 0.5


def test_more_interruptions_take_longer() -> None:
    """Hours and restarts grow with the rate."""
    runs = [one(20.0, 0.05, 0.1, rate) for rate in (0.001, 0.01, 0.1, 1.0)]
    assert [float(run.hours[0]) for run in runs] == sorted(float(run.hours[0]) for run in runs)
    assert [float(run.restarts[0]) for run in runs] == sorted(float(run.restarts[0]) for run in runs)


def test_a_hopeless_run_stays_finite() -> None:
    """However many interruptions, the figure can be compared."""
    assert np.isfinite(one(1e4, 1.0, 1.0, 1e3).hours[0])


def test_chance_to_finish() -> None:
    """1 without a deadline, 0 where even the expectation misses it, Poisson's own between."""
    assert 1.0 == finish_probability(5.0, None, 0.1, 1.0)
    assert 0.0 == finish_probability(5.0, 4.0, 0.1, 1.0)
    assert finish_probability(5.0, 5.5, 0.1, 1.0) == pytest.approx(exp(-0.5))
    assert finish_probability(5.0, 6.5, 0.1, 1.0) == pytest.approx(exp(-0.5) * 1.5)
    assert finish_probability(5.0, 500.0, 0.1, 1.0) == pytest.approx(1.0)
