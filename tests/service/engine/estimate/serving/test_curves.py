"""Places points_at the curves of few replicas, for many machines."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from plimsoll_service.engine.estimate.serving.curves import GRID, LOADS, Curves, joined_curves, points_at, reached

STEEP, FLAT = 3.0 * GRID, 10.0 + GRID
TWO = np.column_stack([STEEP, FLAT])
LINES = np.array([0, 1, 1], dtype=np.intp)


def test_a_load_between_two_points_lies_on_the_line_between_them() -> None:
    """Each machine has the value of its own curve."""
    found = points_at(LINES, np.array([5.0, 5.0, 100.0])).of(TWO)

    assert [15.0, 15.0, 110.0] == pytest.approx(found.tolist())


def test_beyond_the_grid_its_ends_hold() -> None:
    """No curve is extended."""
    found = points_at(LINES, np.array([0.1, 1e6, 1.0])).of(TWO)

    assert [STEEP[0], FLAT[-1], FLAT[0]] == pytest.approx(found.tolist())


def test_the_load_that_reaches_a_value_is_found_again() -> None:
    """Loads give values and values give loads, from one request to the highest load."""
    loads = np.array([7.0, 300.0, 2.5])
    values = points_at(LINES, loads).of(TWO)

    assert loads.tolist() == pytest.approx(reached(TWO, values, LINES).tolist())
    assert [1.0, LOADS[-1], 1.0] == reached(TWO, np.array([0.0, 1e9, 0.0]), LINES).tolist()


def test_curves_stand_side_by_side_in_order() -> None:
    """The second curves follow the first."""
    one, other = (Curves(*(np.full((len(LOADS), width), float(width)) for _ in fields(Curves))) for width in (1, 2))

    together = joined_curves((one, other))

    assert 3 == together.count
    assert [1.0, 2.0, 2.0] == together.rate[0].tolist()
