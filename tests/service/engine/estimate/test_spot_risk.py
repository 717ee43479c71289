"""Probabilities of an interrupted run compared with a simulation, and the break-even rate of spot."""

from __future__ import annotations

from itertools import pairwise
from math import exp

import numpy as np
import pytest
from tests.service.engine.estimate.interruptions import simulate
from tests.service.engine.estimate.test_spot import GRID, one

from plimsoll_service.engine.estimate.spot import (
    MOST_FREQUENT,
    SpotRun,
    break_even_per_hour,
    finish_probability,
    survival_probability,
)

SLACKS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 5.0)  # of the undisturbed run


@pytest.mark.parametrize(("work", "write", "restart", "rate", "nodes", "interval"), GRID)
def test_chances_are_those_of_simulated_runs(
    work: float, write: float, restart: float, rate: float, nodes: int, interval: float | None
) -> None:
    """The chances to end by a deadline and without interruption lie within a hundredth of 100,000 runs' shares."""
    per_hour = rate * nodes
    tau = float(one(work, write, restart, per_hour, interval).interval_hours[0])
    run = SpotRun(work, write, restart, tau)
    found = simulate(work, write, restart, per_hour, tau)
    untouched = survival_probability(run.undisturbed, per_hour)
    assert untouched == pytest.approx((found.restarts == 0).mean(), abs=0.01)
    for slack in SLACKS:
        deadline = (restart + run.undisturbed) * (1 + slack) + 1e-6
        share = (found.hours <= deadline).mean()
        assert finish_probability(run, deadline, per_hour) == pytest.approx(share, abs=0.01), slack


def test_chance_to_finish_at_its_limits() -> None:
    """1 without a deadline or interruptions, 0 before the undisturbed end, e^(−λt) without slack for a restart."""
    run = SpotRun(work=5.0, write=0.1, restart=0.5, interval=1.0)
    assert 6.0 == pytest.approx(run.restart + run.undisturbed)
    assert 1.0 == finish_probability(run, None, 0.1)
    assert 1.0 == finish_probability(run, 6.1, 0.0)
    assert 0.0 == finish_probability(run, 5.9, 0.1)
    assert finish_probability(run, 6.2, 0.1) == pytest.approx(exp(-0.55))
    assert finish_probability(run, 600.0, 0.1) == pytest.approx(1.0, abs=1e-6)


def test_certainty_is_where_the_chance_was_heading() -> None:
    """Just before a probability is called certain, it already equals 1 in the shown digits."""
    for per_hour in (0.001, 0.01, 0.1, 0.5):
        run = SpotRun(work=20.0, write=0.05, restart=0.1, interval=1.4)
        chances = [finish_probability(run, deadline, per_hour) for deadline in np.linspace(20.9, 200, 500)]
        below = [chance for chance in chances if chance < 1]
        assert 0 < len(below) < len(chances)
        assert max(below) > 1 - 1e-5


def test_later_deadlines_are_likelier() -> None:
    """The chance never falls with time, and stays a probability."""
    run = SpotRun(work=20.0, write=0.05, restart=0.1, interval=1.4)
    chances = [finish_probability(run, deadline, 0.1) for deadline in np.linspace(10, 60, 400)]
    assert all(0 <= chance <= 1 for chance in chances)
    assert all(later >= sooner - 1e-3 for sooner, later in pairwise(chances))


def test_work_without_length_has_no_pieces() -> None:
    """A run without work is one checkpoint."""
    assert 1 == SpotRun(0.0, 0.1, 0.1, 0.0).segments


@pytest.mark.parametrize("interval", [None, 1.0])
def test_at_the_break_even_both_cost_the_same(interval: float | None) -> None:
    """At that rate the expected cost on spot is that on demand; half of it costs less."""
    work, write, restart, on_demand = 20.0, 0.02, 0.05, 20.5 * 3.0
    hourly = 3.0 * np.array([0.1, 0.3, 0.7, 0.95])
    for price, rate in zip(hourly, break_evens(work, write, restart, interval, hourly, on_demand), strict=True):
        at, below = (one(work, write, restart, times * rate, interval) for times in (1.0, 0.5))
        assert float(at.hours[0]) * price == pytest.approx(on_demand, rel=1e-3)
        assert float(below.hours[0]) * price < on_demand


def test_a_break_even_at_the_ends() -> None:
    """The break-even is 0 if spot always costs more, the highest rate if it never does, NaN without a price."""
    found = break_evens(10.0, 0.5, 0.1, None, np.array([3.0, 1e-300, np.nan]), 10.2 * 3.0)
    assert found[0] == 0.0
    assert found[1] == pytest.approx(MOST_FREQUENT, rel=1e-3)
    assert np.isnan(found[2])


def break_evens(
    work: float, write: float, restart: float, interval: float | None, spot: np.ndarray, on_demand: float
) -> np.ndarray:
    """Break-even of one run at several hourly prices."""
    same = np.ones(len(spot))
    return break_even_per_hour(work * same, write * same, restart * same, interval, spot, on_demand * same)
