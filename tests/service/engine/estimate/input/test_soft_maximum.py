"""The soft maximum of two times: between the longer and its limit, and the same whichever rows are worked out."""

from __future__ import annotations

import numpy as np
import pytest

from plimsoll_service.engine.estimate.input.pipeline import soft_maximum

NORMS = (4.0, 5.5)
SHARES = np.geomspace(1e-9, 1.0, 400)


@pytest.mark.parametrize("norm", NORMS)
def test_it_lies_between_the_longer_time_and_the_root_of_two_of_it(norm: float) -> None:
    """Two equal times take 2^(1/p) of each; a time that is nothing adds nothing."""
    found = soft_maximum(np.array([3.0, 3.0, 3.0]), np.array([0.0, 1.5, 3.0]), norm)

    assert 3.0 == found[0] < found[1] < found[2]
    assert found[2] == pytest.approx(3.0 * 2 ** (1 / norm), rel=1e-12)


@pytest.mark.parametrize("norm", NORMS)
def test_rows_that_are_left_out_are_those_that_change_nothing(norm: float) -> None:
    """Most shares count or few do: every row is the formula's own to the last bit but one."""
    for rows in (SHARES, SHARES[:200], SHARES[-200:]):
        expected = (1.0 + rows**norm) ** (1 / norm)

        assert soft_maximum(np.ones(len(rows)), rows, norm) == pytest.approx(expected, rel=3e-16)


@pytest.mark.parametrize("norm", NORMS)
def test_the_order_of_the_times_does_not_matter(norm: float) -> None:
    """Either may be the longer."""
    first, second = SHARES, SHARES[::-1].copy()

    assert soft_maximum(first, second, norm).tolist() == soft_maximum(second, first, norm).tolist()


@pytest.mark.parametrize("others", [0, 9])
def test_an_unknown_time_stays_unknown(others: int) -> None:
    """Among rows that count and alone; the times themselves are not written to."""
    first, second = np.array([np.nan, *[1.0] * others]), np.array([1.0, *[0.5] * others])
    found = soft_maximum(first, second, 4.0)

    assert np.isnan(found[0])
    assert np.isfinite(found[1:]).all()
    assert [1.0, *[0.5] * others] == second.tolist()


def test_two_times_of_nothing_take_none() -> None:
    """No division by zero comes out."""
    assert [0.0] == soft_maximum(np.zeros(1), np.zeros(1), 4.0).tolist()
