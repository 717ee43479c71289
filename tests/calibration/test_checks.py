"""Rows that no fit uses check the estimates, with their errors."""

from __future__ import annotations

import json

import numpy as np
import pytest
from calibration.checks import (
    Compared,
    agreed,
    agreed_document,
    agreed_of,
    checked,
    checks_document,
    checks_of,
    confirmed,
    work_of,
)
from calibration.command import evidence_of
from calibration.files import text_of
from tests.calibration.rows import row
from tests.service.fitted import FITTED

from plimsoll_service.engine.known import Agreed, Check
from plimsoll_service.engine.spreads import Spread, Spreads, by_basis
from plimsoll_service.evidence import coefficients

SPREADS = Spreads({"tokens_per_second": by_basis(Spread(0.9, 1.1), Spread(0.8, 1.2), Spread(0.7, 1.4))})
SERVED = {"task": "inference", "model": "llama-3-8b", "framework": "vllm", "precision": "fp8"}


def compared(then: float, now: float | None = None, version: str = "0.8.3", **facts: object) -> Compared:
    """A row with that multiple of its estimate."""
    one = row(**SERVED, framework_version=version, **facts)
    return Compared(one, float(np.log(then)), float(np.log(then if now is None else now)), 2025.2)


def test_a_check_names_its_releases_and_its_percentiles() -> None:
    """A check has the 10th to 90th percentile of all rows of one work on one device."""
    rows = [compared(ratio, version=version) for ratio, version in ((0.8, "0.10.1"), (1.0, "0.8.3 (nightly)"))]
    [(cell, found)] = checked(rows).items()
    one = found["V100-16GB"]

    assert "llama-3-8b 8-bit vllm stock" == cell
    assert (2, "0.8.3 to 0.10.1") == (one.rows, one.releases)
    assert (0.818, 0.978) == (pytest.approx(one.low, abs=1e-3), pytest.approx(one.high, abs=1e-3))


@pytest.mark.parametrize(
    ("ratios", "agree"),
    [([1.2, 1.3] * 5, True), ([0.7, 0.8] * 5, True), ([1.2, 1.3] * 4, False), ([0.9, 1.4] * 5, False)],
)
def test_runs_agree_where_enough_lie_on_one_side(ratios: list[float], agree: bool) -> None:
    """Ten rows, four of five of them on the same side of the estimate."""
    found = agreed([compared(ratio) for ratio in ratios])
    [one] = [one for of_cell in found.values() for one in of_cell.values()] if agree else [None]

    assert agree == bool(found)
    assert one is None or one.middle == pytest.approx(np.median(ratios), rel=0.01)
    assert found == coefficients.by_cell(Agreed, json.loads(text_of(agreed_document(found)))["agreed"])


def test_the_committed_agreements_are_those_of_the_committed_fits() -> None:
    """They are named by the same works, and as far from the estimate."""
    with np.errstate(all="ignore"):
        found = agreed_of(evidence_of(), FITTED.serving)

    assert found == FITTED.agreed


def test_estimates_are_confirmed_by_rows_of_software_like_that_of_today() -> None:
    """The middle of the rows must lie within the range; old software says nothing about today's."""
    right, far, old = (checked([one]) for one in (compared(0.8), compared(0.5), compared(0.8, now=0.2)))

    assert {work_of(compared(0.8).row)} == confirmed(right, SPREADS)
    assert set() == confirmed(far, SPREADS) == confirmed(old, SPREADS)


def test_the_file_reads_back_as_it_was() -> None:
    """The file's content and the checks agree."""
    found = checked([compared(0.8), compared(1.2, accelerator="A100-40GB")])

    assert found == coefficients.by_cell(Check, json.loads(text_of(checks_document(found)))["checks"])


def test_the_committed_checks_are_those_of_the_committed_fits() -> None:
    """Committed checks agree within a quarter; larger changes of the estimates need a new calibration."""
    with np.errstate(all="ignore"):
        found = checks_of(evidence_of(), FITTED.serving)

    assert found.keys() == FITTED.checks.keys()
    for cell, of_cell in found.items():
        for name, one in of_cell.items():
            committed = FITTED.checks[cell][name]
            assert (one.low, one.high) == (
                pytest.approx(committed.low, rel=0.25),
                pytest.approx(committed.high, rel=0.25),
            )


@pytest.mark.parametrize("device", ["MI300X", "H200"])
def test_early_releases_explain_what_deepseek_reached(device: str) -> None:
    """Under their own releases, most runs of early 2025 lie within a factor of two of the estimate."""
    [one] = [found[device] for cell, found in FITTED.checks.items() if cell == "deepseek-r1 8-bit vllm stock"]

    assert one.now_low < 0.3
    assert one.aged
    assert 0.5 < one.low < one.high < 2
