"""Ranges: weighted quantiles, wider for newer cases, at least the noise, shrunk if rows are few."""

from __future__ import annotations

import math

import numpy as np
import pytest
from calibration.pool import KNOWN_MODEL, MODELLED, NEW_MODEL, pool_of
from calibration.spreads import (
    DEVICE_NOISE,
    PARENT_GROUPS,
    PROCESSOR_NOISE,
    LogRange,
    load_growth_of,
    log_range,
    scaling_of,
    spreads_document,
    table_of,
    weighted_quantile,
    weights,
)
from tests.calibration.residuals import many, residual


def test_equal_weights_give_the_ordinary_median() -> None:
    """With equal weights, the median is the middle value."""
    values = np.array([3.0, 1.0, 2.0])

    assert 2.0 == weighted_quantile(values, np.ones(3), 0.5)


def test_a_weight_counts_like_repetition() -> None:
    """Nine tenths of the weight on one value put the median there."""
    assert pytest.approx(1.0, abs=0.1) == weighted_quantile(np.array([0.0, 1.0]), np.array([0.1, 0.9]), 0.6)


def test_a_large_source_does_not_drown_a_small_one() -> None:
    """A source of 100 rows weighs 100^0.6 times a source of one row, not 100 times."""
    rows = [residual(measurement_id=f"a-{index}") for index in range(100)] + [residual(source="b")]
    pool = pool_of(rows)
    weight = weights(pool)

    assert weight[pool.source == "a"].sum() == pytest.approx(100**0.6 * weight[pool.source == "b"].sum())


def test_normal_errors_give_the_normal_range() -> None:
    """80% of a normal error lie within 1.28 standard deviations."""
    found = log_range(pool_of(many(3000, spread=0.2)))

    assert found.low == pytest.approx(-1.2816 * 0.2, rel=0.06)
    assert found.high == pytest.approx(1.2816 * 0.2, rel=0.06)


def test_a_single_group_is_drawn_to_its_parent() -> None:
    """One held-out device counts 1 against the parent's ``PARENT_GROUPS``."""
    found = log_range(pool_of([residual(log_error=-1.0)]), LogRange(0.0, 0.0, 99))

    assert found.high == pytest.approx(1.0 / (1.0 + PARENT_GROUPS))


def test_no_rows_take_the_parents_range() -> None:
    """Without rows, the parent's range applies."""
    found = log_range(pool_of([]), LogRange(-0.3, 0.4, 99))

    assert (-0.3, 0.4, 0) == (found.low, found.high, found.groups)


def test_the_range_is_of_measured_over_predicted() -> None:
    """An estimate of twice the truth gives a factor of a half."""
    found = log_range(pool_of([residual(log_error=math.log(2.0))]))

    assert found.low == pytest.approx(math.log(0.5))


@pytest.mark.parametrize("spread", [0.05, 0.3])
def test_less_evidence_never_narrows_a_range(spread: float) -> None:
    """A known model's range lies inside a new one's, and that inside the modelled one."""
    found = table_of(pool_of(many(spread=spread)))
    ranges = [found["cnn_training", code] for code in (KNOWN_MODEL, NEW_MODEL, MODELLED)]
    lows, highs = [one.low for one in ranges], [one.high for one in ranges]

    assert sorted(lows, reverse=True) == lows
    assert sorted(highs) == highs


def test_nothing_is_claimed_below_the_noise_between_equal_machines() -> None:
    """Perfect residuals still give the range of the noise."""
    found = table_of(pool_of([*many(spread=0.0), *many(spread=0.0, kind="cpu_inference")]))

    assert (-DEVICE_NOISE, DEVICE_NOISE) == (
        found["cnn_training", KNOWN_MODEL].low,
        found["cnn_training", KNOWN_MODEL].high,
    )
    assert PROCESSOR_NOISE == found["cpu_inference", MODELLED].high


def test_ranges_without_rows_are_not_made_up() -> None:
    """Only names with residuals have a range."""
    assert {"cnn_training"} == {name for name, _ in table_of(pool_of(many()))}


def test_the_file_holds_a_pair_of_factors_for_each_novelty() -> None:
    """The factors are the lowest and the highest of measured ÷ estimated."""
    found = spreads_document("Ranges.", table_of(pool_of(many())))["spreads"]["cnn_training"]

    assert ["known_model", "new_model", "modelled"] == list(found)
    assert all(low < 1 < high for low, high in found.values())


def test_scaling_is_a_line_over_doublings() -> None:
    """Errors that grow equally with each doubling give exactly that line."""
    pool = pool_of([residual(measurement_id=f"{n}", kind="scaling", log_error=0.05 + 0.04 * n) for n in (1, 2, 3)])

    assert {"error": 0.05, "growth": 0.04} == scaling_of(pool, np.array([2.0, 4.0, 8.0]))


def test_the_error_of_a_doubled_load_is_the_eighth_decile_of_the_slopes() -> None:
    """A series over less than a factor of four tells nothing of it."""
    slopes = {"a": 0.05, "b": -0.10, "c": 0.0, "narrow": 3.0}
    loads = {name: (8.0, 16.0) if name == "narrow" else (4.0, 8.0, 16.0, 32.0) for name in slopes}
    rows = [(name, load) for name, these in loads.items() for load in these]
    pool = pool_of([residual(log_error=-slopes[name] * np.log2(load)) for name, load in rows])

    found = load_growth_of(pool, [name for name, _ in rows], np.array([load for _, load in rows]))

    assert found == pytest.approx(np.quantile([0.0, 0.05, 0.10], 0.8), abs=1e-3)
