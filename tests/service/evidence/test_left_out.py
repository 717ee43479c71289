"""Predictions by fits that had not seen the row."""

from __future__ import annotations

import math
from statistics import median

import pytest

from plimsoll_service.evidence import left_out, table
from plimsoll_service.evidence.columns import EvidenceError

FAR = math.log(3)  # the calibration report's median errors are all below a factor of two


def test_each_prediction_is_of_a_measurement() -> None:
    """Every row of the file is in the table, and measured above zero."""
    measured = {row.id for row in table.load() if row.value > 0}

    assert left_out.load().keys() - measured == set()


@pytest.mark.parametrize("scheme", left_out.SCHEMES)
def test_predictions_are_in_the_unit_of_the_measurement(scheme: str) -> None:
    """By metric, half of the predictions lie near what was measured, which no other unit would."""
    errors: dict[str, list[float]] = {}
    for row in table.load():
        predicted = getattr(left_out.load().get(row.id, left_out.NONE), scheme)
        if predicted is not None:
            errors.setdefault(row.metric, []).append(abs(math.log(predicted / row.value)))

    assert {"samples/s", "tokens/s", "ttft_ms", "tpot_ms", "seconds", "peak_memory_gib"} <= errors.keys()
    assert {metric for metric, found in errors.items() if median(found) > FAR} == set()


@pytest.mark.parametrize("lines", [["name,device"], ["id,device,model,source", "a-1,much,1,1"]])
def test_a_broken_file_is_refused(lines: list[str]) -> None:
    """With the file's name."""
    with pytest.raises(EvidenceError, match=r"left_out\.csv"):
        left_out.read(lines)
