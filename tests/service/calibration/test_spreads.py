"""Ranges by basis: wider the newer the case, never below the noise, drawn together where rows are few."""

from __future__ import annotations

import numpy as np
import pytest
from tests.service.calibration.residuals import many, residual

from plimsoll_service.calibration.pool import KNOWN_MODEL, MODELLED, NEW_MODEL, pool_of
from plimsoll_service.calibration.spreads import DEVICE_NOISE, PROCESSOR_NOISE, scaling_of, spreads_document, table_of


@pytest.mark.parametrize("spread", [0.05, 0.3])
def test_less_evidence_never_narrows_a_range(spread: float) -> None:
    """A known model's lies inside a new one's, that inside the modelled."""
    found = table_of(pool_of(many(spread=spread)))
    ranges = [found["cnn_training", code] for code in (KNOWN_MODEL, NEW_MODEL, MODELLED)]
    lows, highs = [one.low for one in ranges], [one.high for one in ranges]

    assert sorted(lows, reverse=True) == lows
    assert sorted(highs) == highs


def test_nothing_is_claimed_below_the_noise_between_equal_machines() -> None:
    """Perfect residuals still leave the noise."""
    found = table_of(pool_of([*many(spread=0.0), *many(spread=0.0, kind="cpu_inference")]))

    assert (-DEVICE_NOISE, DEVICE_NOISE) == (
        found["cnn_training", KNOWN_MODEL].low,
        found["cnn_training", KNOWN_MODEL].high,
    )
    assert PROCESSOR_NOISE == found["cpu_inference", MODELLED].high


def test_ranges_without_rows_are_not_made_up() -> None:
    """Only what has residuals has a range."""
    assert {"cnn_training"} == {name for name, _ in table_of(pool_of(many()))}


def test_the_file_holds_a_pair_of_factors_for_each_novelty() -> None:
    """The lowest and the highest of measured ÷ estimated."""
    found = spreads_document("Ranges.", table_of(pool_of(many())))["spreads"]["cnn_training"]

    assert ["known_model", "new_model", "modelled"] == list(found)
    assert all(low < 1 < high for low, high in found.values())


def test_scaling_is_a_line_over_doublings() -> None:
    """Errors that grow by as much with each doubling give back just that line."""
    pool = pool_of([residual(measurement_id=f"{n}", kind="scaling", log_error=0.05 + 0.04 * n) for n in (1, 2, 3)])

    assert {"error": 0.05, "growth": 0.04} == scaling_of(pool, np.array([2.0, 4.0, 8.0]))
