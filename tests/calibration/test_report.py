"""The report: every table from the residuals alone."""

from __future__ import annotations

import math

import pytest
from calibration.coverage import coverages, nested
from calibration.pool import pool_of
from calibration.regret import Regret
from calibration.report import (
    class_of_device,
    coverage_table,
    errors_table,
    percent,
    ranges_table,
    regret_table,
    table,
    targets_table,
    worst_table,
)
from calibration.spreads import table_of
from tests.calibration.residuals import many, residual
from tests.calibration.rows import row


def test_a_table_sets_numbers_to_the_right() -> None:
    """Names are left-aligned, figures right-aligned."""
    assert "| a | b |\n| --- | ---: |\n| x | 1 |\n" == table(("a", "b"), [("x", 1)])


@pytest.mark.parametrize(("share", "text"), [(0.05, "5.0%"), (0.123, "12%"), (1.2, "120%")])
def test_shares_are_whole_percent_from_ten_on(share: float, text: str) -> None:
    """Shares are whole percent from ten on, because more digits would mislead."""
    assert text == percent(share)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("A100-80GB", "data centre"), ("Trainium1", "data centre"), ("RTX-3090", "consumer"), ("GTX-1080", "consumer"),
        ("Titan-V", "consumer"), ("RTX-2080-Max-Q", "consumer"), ("RTX-A6000", "workstation"),
        ("RTX-6000-Ada", "workstation"), ("RTX-8000-Turing", "workstation"), ("RTX-PRO-6000", "workstation"),
    ],
)  # fmt: skip
def test_a_card_is_consumer_workstation_or_data_centre(name: str, kind: str) -> None:
    """The name of a card decides its class, and the class its targets."""
    assert kind == class_of_device(name)


@pytest.mark.parametrize(("error", "word"), [(1.10, "met"), (1.30, "missed")])
def test_a_target_says_whether_it_is_met(error: float, word: str) -> None:
    """The target for training on data-centre GPUs is 15%."""
    text = targets_table(pool_of([residual(log_error=math.log(error))]))

    assert f"| 15% | {percent(error - 1)} |" in text
    assert word in text


def test_errors_are_by_kind_and_source_with_the_bias() -> None:
    """There is a line for each source and one for all, and a column for each scheme with rows."""
    text = errors_table(pool_of([residual(log_error=math.log(1.2))]))

    assert "| cnn_training | a | 1 | 20% (+0.18) | – | – |" in text
    assert "| cnn_training | all | 1 | 20% (+0.18) | – | – |" in text


def test_the_worst_row_is_named_first() -> None:
    """The worst row has its measured value and the distance of the estimate."""
    residuals = [residual(measurement_id="good", log_error=0.1), residual(measurement_id="bad", log_error=-math.log(4))]
    lines = worst_table(pool_of(residuals), {name: row(id=name) for name in ("good", "bad")}).splitlines()

    assert lines[2].startswith("| bad | resnet50 | V100-16GB | pytorch | mixed | samples/s | 800 | 0.25 |")


def test_ranges_coverage_and_regret_have_a_line_each() -> None:
    """Ranges have factors and groups, coverage has shares, and regret is the mean over workloads."""
    pool = pool_of(many(60))
    regret = Regret("a", "cnn_training", "resnet50", priced=True, picked="T4", share=0.04)

    assert "| cnn_training |" in ranges_table(table_of(pool))
    assert "| CNN training | device | 60 |" in coverage_table(coverages(pool, nested(pool)))
    assert "| cnn_training | USD per unit of work | 1 | 4.0% | 4.0% | 0.0% |" in regret_table([regret])
