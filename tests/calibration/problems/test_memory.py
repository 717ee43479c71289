"""The fit of device memory: as committed, and right about which batches fit on held-out devices and models."""

from __future__ import annotations

import numpy as np
import pytest
from calibration import command
from calibration.fitting import Fit, hold_out
from calibration.problems import memory
from calibration.problems.memory import MemoryProblem, errors_of, groups_of, problem_of, token_peaks
from calibration.results import labels
from tests.service.engine.catalogs import bundled_market
from tests.service.fitted import FITTED

from plimsoll_service.engine.coefficients import TrainingMemory
from plimsoll_service.evidence import published

WITHIN = 0.005  # of each coefficient: four digits are written
RIGHT = 0.95  # of the decisions whether a batch fits
NEAR = 0.10  # median error of a peak


@pytest.fixture(scope="module")
def problem() -> MemoryProblem:
    return problem_of(*groups_of(published.measurements(), bundled_market()))


def test_a_refit_reproduces_the_committed_coefficients(problem: MemoryProblem, found: Fit) -> None:
    """The same rows and priors give the same figures."""
    for parameter, value in zip(problem.parameters, found.values, strict=True):
        assert value == pytest.approx(getattr(FITTED.memory, parameter.name), rel=WITHIN), parameter.name


def test_the_committed_file_is_that_of_the_fit(found: Fit, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of ``make calibrate CALIBRATE_ARGS=--check`` finds no difference."""
    monkeypatch.setattr(memory, "fit", lambda _: found)

    assert [] == command.checked(memory.calibrated(command.evidence_of()).files)


@pytest.mark.parametrize("scheme", ["device", "model"])
def test_batches_that_ran_are_said_to_fit(problem: MemoryProblem, found: Fit, scheme: str) -> None:
    """The largest batches are said to fit by the fit without their device or model."""
    errors = hold_out(problem, found, labels(problem.rows, scheme))[~problem.peaks]
    assert np.mean(errors <= -np.log(TrainingMemory().low)) >= RIGHT


@pytest.mark.parametrize("scheme", ["device", "model", "source"])
def test_peaks_are_near(problem: MemoryProblem, found: Fit, scheme: str) -> None:
    """The driver's figure is near the estimate, at the median."""
    generations = dict.fromkeys(labels(problem.rows, "device"), "")
    errors = [abs(np.expm1(one.log_error)) for one in errors_of(problem, found, generations) if one.scheme == scheme]
    assert np.median(errors) <= NEAR


def test_a_largest_batch_is_an_interval(problem: MemoryProblem, found: Fit) -> None:
    """No error counts between the batch and twice the batch."""
    largest = np.flatnonzero(~problem.peaks).astype(np.int32)
    missed = problem.log_predicted(found.values, largest) - problem.log_measured[largest]
    needed = np.concatenate([group.required(FITTED) / group.usable for group in problem.groups])[largest]
    inside = (needed > 0.51) & (needed < 0.99)
    assert np.any(inside)
    assert missed[inside] == pytest.approx(0.0)
    assert np.all(missed[needed > 1.01] > 0)


def test_peaks_of_language_models_follow_the_closed_form() -> None:
    """Nothing is fitted to these rows: 10% at the median of all sources."""
    errors = [abs(np.expm1(one.log_error)) for one in token_peaks(published.measurements(), bundled_market())]
    assert len(errors) > 30
    assert np.median(errors) <= NEAR


def test_a_device_that_held_more_than_the_catalog_says_is_left_out(problem: MemoryProblem) -> None:
    """A device that is sold with two sizes of memory is left out if the runs were on the larger."""
    assert "RTX-3080-Laptop" not in {row.accelerator for row in problem.rows}
