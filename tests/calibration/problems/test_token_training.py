"""The fit of language-model training: deterministic, as committed, and near held-out devices."""

from __future__ import annotations

import numpy as np
import pytest
from calibration.fitting import Fit, FormProblem, noise_by_source
from calibration.problems.token_training import (
    NOISE,
    STATED_CARD,
    errors_of,
    groups_of,
    problem_of,
    usable,
)
from calibration.results import Residual
from tests.service.engine.catalogs import bundled, bundled_market
from tests.service.fitted import FITTED

from plimsoll_service.evidence import published
from plimsoll_service.evidence.measurement import Measurement

pytestmark = pytest.mark.xdist_group("token_training")  # one worker makes what all tests here share

WITHIN = 0.005  # of each coefficient: four digits are written


@pytest.fixture(scope="module")
def problem() -> FormProblem[Measurement]:
    return problem_of(*groups_of(published.measurements(), bundled_market()))


@pytest.fixture(scope="module")
def residuals(problem: FormProblem[Measurement], found: Fit) -> list[Residual]:
    return errors_of(problem, found, bundled())


def test_a_refit_reproduces_the_committed_coefficients(problem: FormProblem[Measurement], found: Fit) -> None:
    """The same rows and priors give the same figures."""
    for parameter, value in zip(problem.parameters, found.values, strict=True):
        assert value == pytest.approx(getattr(FITTED.token_training, parameter.name), rel=WITHIN), parameter.name


def test_coefficients_keep_their_physical_sense(found: Fit, problem: FormProblem[Measurement]) -> None:
    """Shares of a peak are below 1, a vendor's kernels are no slower, and recomputing costs at most a forward pass."""
    form = problem.coefficients(found.values).token_training
    assert 0 < form.attention < form.gemm < 1
    assert form.stock < 1
    assert 0 < form.recomputation <= 1


def test_the_fit_lies_nearer_to_the_rows_than_its_start(problem: FormProblem[Measurement], found: Fit) -> None:
    """Weighted squared errors fall from the priors to the fitted coefficients."""
    start = np.array([parameter.prior for parameter in problem.parameters])
    rows = np.arange(len(problem.rows), dtype=np.int32)
    before = problem.log_predicted(start, rows) - problem.log_measured
    assert np.sum((found.errors / problem.noise) ** 2) < np.sum((before / problem.noise) ** 2)


def test_held_out_rows_are_near(residuals: list[Residual]) -> None:
    """Held-out NVIDIA devices: 15% at the median of a source, 20% of one on Blackwell."""
    for source in ("llm-foundry", "torchtitan", "litgpt", "torchtune"):
        errors = [abs(np.expm1(one.log_error)) for one in residuals if (one.scheme, one.source) == ("device", source)]
        assert np.median(errors) <= 0.15, source
    recipes = [one for one in residuals if (one.scheme, one.source) == ("device", "megatron-bridge")]
    assert np.median([abs(np.expm1(one.log_error)) for one in recipes]) <= 0.20


def test_each_row_is_left_out_once_a_scheme(problem: FormProblem[Measurement], residuals: list[Residual]) -> None:
    """Each row is held out by device, model and source, and the fit does not know its device."""
    assert 3 * len(problem.rows) == len(residuals)
    assert not any(one.known_device for one in residuals if one.scheme == "device")
    assert not any(one.known_model for one in residuals if one.scheme == "model")


def test_doubted_rows_stay_out_but_for_the_stated_card() -> None:
    """The card that no catalog lists is used as its source describes it."""
    rows = [row for row in published.measurements() if usable(row)]
    assert {"", STATED_CARD} == {row.doubt for row in rows}


def test_large_sources_do_not_drown_the_others(problem: FormProblem[Measurement]) -> None:
    """A row of a source with 16 times the rows has twice the noise."""
    noise = dict(zip((row.source for row in problem.rows), noise_by_source(problem.rows, NOISE), strict=True))
    counts = {name: sum(row.source == name for row in problem.rows) for name in noise}
    ratio = noise["llm-foundry"] / noise["torchtune"]
    assert ratio == pytest.approx((counts["llm-foundry"] / counts["torchtune"]) ** 0.25)
