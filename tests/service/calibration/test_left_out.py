"""The file of predictions: what stands in it, and when a refit agrees with it."""

from __future__ import annotations

import math

from tests.service.calibration.residuals import residual
from tests.service.calibration.rows import row

from plimsoll_service.calibration.left_out import drifts, left_out_table
from plimsoll_service.evidence.left_out import LeftOut, read

ROWS = {"a-1": row(id="a-1", value=100.0)}


def test_a_prediction_is_the_measured_value_by_its_error() -> None:
    """By what was left out; what no fit was judged by is empty."""
    errors = [residual(log_error=math.log(1.2)), residual(scheme="source", log_error=math.log(0.5))]

    assert read(left_out_table(errors, ROWS).splitlines()) == {"a-1": LeftOut(device=120.0, source=50.0)}


def test_what_is_not_bundled_not_finite_or_a_ratio_is_left_out() -> None:
    """Rows of other tables, errors without a value, and speed-ups over one device."""
    errors = [residual(measurement_id="b-1"), residual(log_error=math.nan), residual(kind="scaling")]

    assert read(left_out_table(errors, ROWS).splitlines()) == {}


def test_a_refit_agrees_but_for_rounding() -> None:
    """Predictions that moved, came or went are counted and named."""
    committed = "id,device,model,source\na-1,100,,\na-2,50,,\n"

    assert drifts(committed, "id,device,model,source\na-1,101,,\na-2,50,,\n") == []
    assert "2 predictions differ, among them a-2, a-1" in drifts(committed, "id,device,model,source\na-1,130,,\n")[0]
    assert (
        "1 predictions differ, among them a-1" in drifts(committed, "id,device,model,source\na-1,100,7,\na-2,50,,\n")[0]
    )
