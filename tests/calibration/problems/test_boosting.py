"""Gradient boosting is fitted to the bundled rows, and comes out as committed."""

from __future__ import annotations

import numpy as np
import pytest
from calibration.fitting import Fit, FormProblem, fit
from calibration.problems.boosting import problem_of, used
from tests.service.engine.catalogs import bundled_market
from tests.service.fitted import FITTED

from plimsoll_service.evidence import published
from plimsoll_service.evidence.measurement import Measurement

pytestmark = pytest.mark.xdist_group("boosting")  # one worker makes what all tests here share

WITHIN = 0.005  # of each coefficient: four digits are written


@pytest.fixture(scope="module")
def on_gpu() -> FormProblem[Measurement]:
    return problem_of("xgboost_on_gpu", used(published.measurements(), "xgboost_on_gpu"), bundled_market())


@pytest.fixture(scope="module")
def found(on_gpu: FormProblem[Measurement]) -> Fit:
    return fit(on_gpu)


def test_a_refit_reproduces_the_committed_coefficients(on_gpu: FormProblem[Measurement], found: Fit) -> None:
    """The same rows and priors give the same figures."""
    for parameter, value in zip(on_gpu.parameters, found.values, strict=True):
        assert value == pytest.approx(getattr(FITTED.xgboost_on_gpu, parameter.name), rel=WITHIN), parameter.name


def test_the_fit_lies_nearer_to_the_rows_than_its_start(on_gpu: FormProblem[Measurement], found: Fit) -> None:
    """Squared errors fall from the priors to the fitted coefficients."""
    start = np.array([parameter.prior for parameter in on_gpu.parameters])
    rows = np.arange(len(on_gpu.rows), dtype=np.int32)
    before = on_gpu.log_predicted(start, rows) - on_gpu.log_measured
    assert np.sum(found.errors**2) < np.sum(before**2)


def test_only_runs_of_todays_software_on_one_machine_are_used() -> None:
    """Histogram code before 2020, clusters and doubted rows are left out."""
    for row in used(published.measurements(), "xgboost"):
        assert not row.doubt
        assert 1 == row.node_count
        assert row.accelerator is None
        assert row.framework_version is None or row.framework_version >= "2020"
