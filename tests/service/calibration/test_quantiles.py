"""Weighted quantiles: sources weighed nearly alike, small groups drawn to their parent."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.service.calibration.residuals import many, residual

from plimsoll_service.calibration.pool import pool_of
from plimsoll_service.calibration.quantiles import PARENT_GROUPS, LogRange, log_range, weighted_quantile, weights


def test_equal_weights_give_the_ordinary_median() -> None:
    """The middle of an odd number of values."""
    values = np.array([3.0, 1.0, 2.0])

    assert 2.0 == weighted_quantile(values, np.ones(3), 0.5)


def test_a_weight_counts_like_repetition() -> None:
    """Nine tenths of the weight in one value put the median there."""
    assert pytest.approx(1.0, abs=0.1) == weighted_quantile(np.array([0.0, 1.0]), np.array([0.1, 0.9]), 0.6)


def test_a_large_source_does_not_drown_a_small_one() -> None:
    """A source of 100 rows weighs 100^0.6 times a source of one row, not 100 times."""
    rows = [residual(measurement_id=f"a-{index}") for index in range(100)] + [residual(source="b")]
    pool = pool_of(rows)
    weight = weights(pool)

    assert weight[pool.source == "a"].sum() == pytest.approx(100**0.6 * weight[pool.source == "b"].sum())


def test_normal_errors_give_the_normal_range() -> None:
    """Eight in ten of a normal error lie within 1.28 standard deviations."""
    found = log_range(pool_of(many(3000, spread=0.2)))

    assert found.low == pytest.approx(-1.2816 * 0.2, rel=0.06)
    assert found.high == pytest.approx(1.2816 * 0.2, rel=0.06)


def test_a_single_group_is_drawn_to_its_parent() -> None:
    """One left-out device counts 1 against the parent's ``PARENT_GROUPS``."""
    found = log_range(pool_of([residual(log_error=-1.0)]), LogRange(0.0, 0.0, 99))

    assert found.high == pytest.approx(1.0 / (1.0 + PARENT_GROUPS))


def test_no_rows_take_the_parents_range() -> None:
    """Nothing of its own to say."""
    found = log_range(pool_of([]), LogRange(-0.3, 0.4, 99))

    assert (-0.3, 0.4, 0) == (found.low, found.high, found.groups)


def test_the_range_is_of_measured_over_predicted() -> None:
    """An estimate of twice the truth means that the truth is half the estimate."""
    found = log_range(pool_of([residual(log_error=math.log(2.0))]))

    assert found.low == pytest.approx(math.log(0.5))
