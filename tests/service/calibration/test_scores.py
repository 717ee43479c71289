"""Scores: the median per source, then the mean over sources."""

from __future__ import annotations

import math

import pytest
from tests.service.calibration.residuals import residual

from plimsoll_service.calibration.pool import pool_of
from plimsoll_service.calibration.scores import score


def test_sources_count_alike_once_they_have_ten_rows() -> None:
    """A source of 90 good rows does not hide one of 10 bad ones."""
    good = [residual(measurement_id=f"g-{index}", log_error=0.0) for index in range(90)]
    bad = [residual(measurement_id=f"b-{index}", source="b", log_error=math.log(1.5)) for index in range(10)]
    found = score(pool_of([*good, *bad]))

    assert found.mean_of_sources == pytest.approx(0.25)
    assert found.median == pytest.approx(0.0)


def test_a_source_of_few_rows_counts_in_proportion() -> None:
    """One row weighs a tenth of a source."""
    good = [residual(measurement_id=f"g-{index}", log_error=0.0) for index in range(10)]
    found = score(pool_of([*good, residual(source="b", log_error=math.log(2.1))]))

    assert found.mean_of_sources == pytest.approx(1.1 * 0.1 / 1.1)


def test_bias_is_of_estimated_over_measured() -> None:
    """An estimate that is too high has a positive bias."""
    assert score(pool_of([residual(log_error=0.3)])).bias == pytest.approx(0.3)
