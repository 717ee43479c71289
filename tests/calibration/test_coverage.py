"""Nested coverage: the share of held-out rows inside a range that has not seen them."""

from __future__ import annotations

import pytest
from calibration.coverage import ALL, coverages, nested
from calibration.pool import pool_of
from tests.calibration.residuals import many, residual


def test_ranges_of_like_errors_hold_eight_times_in_ten() -> None:
    """The other groups' quantiles hold for the held-out group if all groups have the same errors."""
    pool = pool_of(many(600))
    found = {(one.kind, one.scheme): one for one in coverages(pool, nested(pool))}

    assert found[ALL, ALL].share == pytest.approx(0.8, abs=0.05)
    assert found["CNN training", "device"].rows == 600


def test_a_group_does_not_vouch_for_itself() -> None:
    """A device with threefold errors lies outside the range from the others' errors."""
    others = [one for one in many(300, spread=0.05) if one.device != "device0"]
    strange = [
        residual(measurement_id=f"x-{index}", device="strange", generation="generation0", log_error=1.1)
        for index in range(50)
    ]
    pool = pool_of([*others, *strange])
    held = nested(pool)

    assert not held.inside[pool.device == "strange"].any()


def test_the_width_is_high_over_low() -> None:
    """Normal errors of 0.2 give a range of e^(2 · 1.28 · 0.2) from end to end."""
    pool = pool_of(many(600, spread=0.2))
    whole = next(one for one in coverages(pool, nested(pool)) if one.kind == one.scheme == ALL)

    assert whole.width == pytest.approx(1.67, rel=0.1)
