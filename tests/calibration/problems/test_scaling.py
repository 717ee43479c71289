"""The fit of data parallelism: as committed, physical, and near held-out devices."""

from __future__ import annotations

import numpy as np
import pytest
from calibration.fitting import Fit, FormProblem
from calibration.problems.scaling import Pair, errors_of, pairs_of, problem_of
from tests.calibration.rows import row
from tests.service.engine.catalogs import bundled, bundled_market
from tests.service.fitted import FITTED

from plimsoll_service.evidence import published

pytestmark = pytest.mark.xdist_group("scaling")  # one worker makes what all tests here share

WITHIN = 0.005  # of each coefficient: four digits are written


@pytest.fixture(scope="module")
def problem() -> FormProblem[Pair]:
    return problem_of(*pairs_of(published.measurements(), bundled_market()))


def test_a_refit_reproduces_the_committed_coefficients(problem: FormProblem[Pair], found: Fit) -> None:
    """The same pairs and priors give the same figures."""
    for parameter, value in zip(problem.parameters, found.values, strict=True):
        assert value == pytest.approx(getattr(FITTED.scaling, parameter.name), rel=WITHIN), parameter.name


def test_no_link_is_faster_than_its_rate(problem: FormProblem[Pair], found: Fit) -> None:
    """Shares of links and of the step that hides an exchange lie between 0 and 1."""
    form = problem.coefficients(found.values).scaling
    assert all(0 < share < 1 for share in (form.nvlink, form.pcie, form.network, form.overlap))


def test_held_out_devices_scale_as_estimated(problem: FormProblem[Pair], found: Fit) -> None:
    """Half of the held-out pairs of devices lie within 8%, and the tail is nearer than perfect scaling's."""
    residuals = [one for one in errors_of(problem, found, bundled()) if one.scheme == "device"]
    errors = np.abs(np.expm1([one.log_error for one in residuals]))
    perfect = np.abs(np.expm1(np.log([pair.many.device_count for pair in problem.rows]) - problem.log_measured))
    assert np.median(errors) < 0.08
    assert np.quantile(errors, 0.9) < np.quantile(perfect, 0.9)


def test_a_pair_shares_all_but_the_count() -> None:
    """Rows of other software, precision or a distant batch make no pair; the nearest batch does."""
    alone = [
        row(id="a-1", batch_size=64, value=100.0),
        row(id="a-2", batch_size=128, value=120.0),
        row(id="a-3", batch_size=64, value=999.0, framework_version="0.1"),
        row(id="a-4", batch_size=64, value=999.0, precision="fp32"),
    ]
    many = [row(id="a-5", batch_size=72, value=190.0, device_count=2), row(id="a-6", batch_size=512, device_count=2)]
    pairs, groups = pairs_of([*alone, *many], bundled_market())
    assert [("a-5", 1.9)] == [(pair.many.id, pair.speedup) for pair in pairs]
    assert [0] == groups[0].rows.tolist()


def test_an_accumulated_batch_of_unknown_size_is_left_out() -> None:
    """Tuned pre-training with an unknown number of exchanges says nothing about the links, so it is left out."""
    shared: dict[str, object] = {"model": "bert-large", "tuning": "tuned", "batch_size": 8}
    pairs, _ = pairs_of(
        [row(id="a-1", value=50.0, **shared), row(id="a-2", value=99.0, device_count=2, **shared)], bundled_market()
    )
    assert () == pairs
