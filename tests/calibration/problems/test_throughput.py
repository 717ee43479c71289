"""The throughput problem: its rows, its levels, a fit of some sources, and the committed figures on measured rows."""

from __future__ import annotations

import numpy as np
import pytest
from calibration.asked import asked
from calibration.fitting import Fit, FormProblem
from calibration.problems.throughput import (
    JOINED,
    Row,
    errors_of,
    groups_of,
    matches_of,
    noise_of,
    problem_of,
    shrunk,
    split,
)
from tests.calibration.rows import row
from tests.service.engine.catalogs import bundled_market
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.named_hardware import named_hardware_of
from plimsoll_service.engine.workload import Query
from plimsoll_service.evidence import published

pytestmark = pytest.mark.xdist_group("throughput")  # one worker makes what all tests here share

SOME_SOURCES = ("jcjohnson", "mxnet-perf", "yolov5", "detectron2")
FOLLOWED = 0.05  # median error where the very configuration was measured: what equal machines differ by


@pytest.fixture(scope="module")
def market() -> Market:
    return bundled_market()


@pytest.fixture(scope="module")
def problem(market: Market) -> FormProblem[Row]:
    return problem_of(*groups_of([one for one in published.measurements() if one.source in SOME_SOURCES], market))


def test_the_fit_lies_nearer_to_the_rows_than_its_start(problem: FormProblem[Row], found: Fit) -> None:
    """Median errors fall from the priors to the fit."""
    start = np.array([parameter.prior for parameter in problem.parameters])
    before = problem.log_predicted(start, np.arange(len(problem.rows), dtype=np.int32)) - problem.log_measured
    assert np.median(np.abs(found.errors)) < np.median(np.abs(before)) / 2


def test_every_coefficient_stays_positive_and_latencies_short(problem: FormProblem[Row], found: Fit) -> None:
    """No launch takes a millisecond, no share is negative."""
    values = dict(zip([parameter.name for parameter in problem.parameters], found.values, strict=True))
    assert min(values.values()) > 0
    assert all(value < 1e-3 for name, value in values.items() if name.startswith("launch"))


def test_joint_levels_are_parted_without_loss(problem: FormProblem[Row], found: Fit) -> None:
    """Levels of the same rows are one unknown; its parts add up to it and have its sign."""
    parts = {one.name: one.value for one in split(problem.levels, found)}
    for name, effect in zip(problem.levels.names, found.effects, strict=True):
        members = [parts[one] for one in name.split(JOINED)]
        assert sum(members) == pytest.approx(float(effect), abs=1e-12)
        assert all(member * effect >= 0 for member in members)


def test_no_device_is_known_to_the_fit_that_left_it_out(problem: FormProblem[Row], found: Fit, market: Market) -> None:
    """Every row has one residual for each scheme, whose fit does not know the held-out device."""
    residuals = errors_of(problem, found, market.catalog)
    assert len(residuals) == 3 * len(problem.rows)
    assert not any(one.known_device for one in residuals if one.scheme == "device")
    assert any(one.known_model for one in residuals if one.scheme == "device")
    assert {"cnn_training", "classic_inference", "cpu_inference"} == {one.kind for one in residuals}


def test_only_processors_have_no_match(problem: FormProblem[Row], found: Fit, market: Market) -> None:
    """A measured configuration names its accelerator; a processor is one of thousands of machines."""
    names = [one.name for one in matches_of(problem, found)]
    assert names
    assert {name.split(" ")[-1] for name in names} <= set(market.catalog.accelerators.name)


def test_one_row_is_believed_less_than_many() -> None:
    """A configuration's residual shrinks less with more rows, and an outlier among many has no effect."""
    assert 0 < shrunk([0.2]) < shrunk([0.2] * 3) < shrunk([0.2] * 30) < 0.2
    assert shrunk([0.2] * 5) == pytest.approx(shrunk([0.2] * 4 + [9.0]))


def test_rows_of_large_sources_and_repeats_count_less(market: Market) -> None:
    """Two batches of one configuration each count less than the only row of a source."""
    rows, _ = groups_of(
        [
            row(id="a-1", batch_size=32),
            row(id="a-2", batch_size=64),
            row(id="b-1", source="b", batch_size=64, framework="mxnet"),
        ],
        market,
    )
    noise = dict(zip([one.measurement.id for one in rows], noise_of(rows), strict=True))
    assert noise["a-1"] == noise["a-2"] > noise["b-1"]


@pytest.mark.parametrize(
    "facts",
    [
        {"doubt": "disturbed"},
        {"metric": "peak_memory_gib"},
        {"device_count": 2},
        {"accelerator": None, "cloud": "aws", "instance_type": "p3.2xlarge"},
        {"precision": "fp8"},
    ],
    ids=["doubtful", "memory", "several devices", "processors of a machine with a GPU", "not supported"],
)
def test_what_the_formula_cannot_be_held_against_is_left_out(facts: dict[str, object], market: Market) -> None:
    """Doubtful rows, other metrics, exchanging devices, unnamed settings and impossible work are left out."""
    assert ((), ()) == groups_of([row(batch_size=64, **facts)], market)


@pytest.mark.parametrize("source", ["lambda", "timm-train", "timm-infer"])
def test_estimates_follow_what_was_measured(source: str, market: Market) -> None:
    """A measured configuration on a measured device gets the measured value."""
    errors = []
    for one in [found for found in published.measurements() if found.source == source][::7]:
        if one.metric == "samples/s" and not one.doubt and one.device_count == 1 and one.accelerator:
            workload, hardware = asked(one)
            outcome = named_hardware_of(job_of(Query(workload)), market, hardware).estimates.outcome
            errors.append(abs(float(outcome.throughput[0]) / one.value - 1))
    assert len(errors) > 5
    assert np.median(errors) < FOLLOWED
