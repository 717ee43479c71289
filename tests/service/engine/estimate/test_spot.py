"""Runs with interruptions: the closed forms compared with a simulation, and their limits."""

from __future__ import annotations

import numpy as np
import pytest
from tests.service.engine.estimate.interruptions import simulate

from plimsoll_service.engine.estimate.spot import SHORTEST_INTERVAL_HOURS, Interrupted, Interruptions

# Hours of work, of writing a checkpoint and of a restart; interruptions an hour and machine; machines; the interval.
GRID = [
    (20.0, 0.05, 0.1, 0.05, 1, None),
    (8.0, 0.02, 0.02, 0.3, 1, None),
    (50.0, 0.2, 0.05, 0.1, 1, None),
    (3.0, 0.01, 0.01, 0.007, 1, None),
    (100.0, 0.1, 0.02, 0.007, 8, None),
    (40.0, 0.5, 0.3, 0.02, 4, None),
    (0.5, 0.3, 0.2, 0.5, 2, None),
    (300.0, 0.02, 0.01, 0.007, 16, None),
    (20.0, 0.05, 0.1, 0.05, 1, 1.0),
    (8.0, 0.02, 0.02, 0.3, 1, 0.5),
    (10.5, 0.2, 0.5, 0.1, 2, 4.0),
    (10.0, 0.0, 1.0, 0.2, 1, 3.0),
    (6.0, 1.0, 0.1, 0.25, 1, 24.0),
    (0.3, 0.0, 0.02, 0.1, 1, None),
]


def one(work: float, write: float, restart: float, per_hour: float, interval: float | None = None) -> Interrupted:
    """The expectation of one run."""
    conditions = (np.array([value]) for value in (write, restart, per_hour))
    return Interruptions(*conditions, interval).over(np.array([work]))


@pytest.mark.parametrize(("work", "write", "restart", "rate", "nodes", "interval"), GRID)
def test_the_closed_form_is_what_runs_take(
    work: float, write: float, restart: float, rate: float, nodes: int, interval: float | None
) -> None:
    """Expected hours and restarts lie within 2% of the means of 100,000 simulated runs."""
    expected = one(work, write, restart, rate * nodes, interval)
    found = simulate(work, write, restart, rate * nodes, float(expected.interval_hours[0]))
    assert float(expected.hours[0]) == pytest.approx(found.hours.mean(), rel=0.02)
    assert float(expected.restarts[0]) == pytest.approx(found.restarts.mean(), rel=0.02)


def test_without_interruptions_only_checkpoints_and_the_start_are_added() -> None:
    """Without interruptions, the run takes its work, its checkpoints and one start."""
    run = one(10.0, 0.1, 0.2, 0.0, 1.0)
    assert float(run.hours[0]) == pytest.approx(10 + 10 * 0.1 + 0.2, rel=1e-6)
    assert float(run.restarts[0]) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(("work", "write", "restart", "rate", "nodes", "_"), GRID)
def test_no_other_interval_is_shorter(
    work: float, write: float, restart: float, rate: float, nodes: int, _: float | None
) -> None:
    """Without a stated interval, the one with the shortest expected run is used."""
    best = one(work, write, restart, rate * nodes)
    shortest = min(SHORTEST_INTERVAL_HOURS, work)
    others = [float(one(work, write, restart, rate * nodes, tau).hours[0]) for tau in np.geomspace(shortest, work, 400)]
    assert float(best.hours[0]) <= min(others) * (1 + 1e-9)


def test_a_long_run_s_interval_is_the_square_root_law() -> None:
    """With short checkpoints, the interval is nearly √(2·δ·M), at least ten minutes and at most the work."""
    assert float(one(1000.0, 0.005, 0.0, 0.1).interval_hours[0]) == pytest.approx((2 * 0.005 * 10) ** 0.5, rel=0.02)
    assert float(one(100.0, 0.0, 0.0, 0.1).interval_hours[0]) == pytest.approx(SHORTEST_INTERVAL_HOURS)
    assert 0.5 == float(one(0.5, 5.0, 0.0, 0.01).interval_hours[0])


def test_more_interruptions_take_longer() -> None:
    """Hours and restarts grow with the rate."""
    runs = [one(20.0, 0.05, 0.1, rate) for rate in np.geomspace(1e-4, 3.0, 300)]
    hours, restarts = ([float(getattr(run, name)[0]) for run in runs] for name in ("hours", "restarts"))
    assert hours == sorted(hours)
    assert restarts == sorted(restarts)


@pytest.mark.parametrize(("write", "rate"), [(0.05, 0.05), (0.0, 0.1), (1e-4, 0.1)])
def test_more_work_takes_longer(write: float, rate: float) -> None:
    """Hours grow with the work, and never jump, also where the interval is the shortest."""
    work = np.linspace(0.1, 12, 10_000)
    same = np.ones(len(work))
    steps = np.diff(Interruptions(write * same, 0.1 * same, rate * same, None).over(work).hours)
    assert (steps > 0).all()
    assert steps.max() < 2 * steps.min()


def test_a_hopeless_run_stays_finite() -> None:
    """However many interruptions, the figure can be compared."""
    assert np.isfinite(one(1e4, 1.0, 1.0, 1e3).hours[0])
