"""Effects of TensorFlow and Keras of 2017, which no other software has."""

from __future__ import annotations

import numpy as np
import pytest
from tests.service.fitted import job_of

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.demand.software import (
    KERAS_OPTIMIZER_BYTES,
    device_tuning,
    early,
    looped,
    optimizer_bytes,
    thread_waiting,
)
from plimsoll_service.engine.workload import Query, Workload
from plimsoll_service.evidence.coefficients import starting


def job(**asked: object) -> Job:
    ordinary = {"task": "training", "model": "bilstm", "framework": "keras", "framework_version": "2017"}
    return job_of(Query(Workload(**{**ordinary, **asked})), starting())


def test_the_releases_of_that_time() -> None:
    """Both names are recognised, by year or by number."""
    assert early(job())
    assert early(job(framework_version="2.0.6"))
    assert early(job(framework="tensorflow", framework_version="1.2.1"))


@pytest.mark.parametrize(
    "asked",
    [
        {"framework": "tensorflow", "framework_version": "1.12"},
        {"framework": "mxnet"},
        {"framework_version": None},
        {"task": "inference"},
    ],
)
def test_nothing_else(asked: dict[str, object]) -> None:
    """Later releases, other frameworks, an unstated version, inference: no waiting, no loops, tuning as asked."""
    other = job(**{"tuning": "tuned", **asked})

    assert not early(other)
    assert not looped(other)
    assert "tuned" == device_tuning(other)
    assert [0.0, 0.0] == list(thread_waiting(other, np.array([4.0, 32.0])))


def test_waiting_grows_with_the_square_of_the_cores() -> None:
    """Twice the cores wait four times."""
    few, many = thread_waiting(job(), np.array([8.0, 16.0]))

    assert 4 * few == pytest.approx(many)


def test_only_both_directions_loop() -> None:
    """A network in one direction has no such penalty, and a build for processors does nothing on a device."""
    assert looped(job())
    assert not looped(job(model="lstm-text-generation"))
    assert "stock" == device_tuning(job(tuning="tuned"))


def test_the_optimizer_of_keras_is_not_fused() -> None:
    """One operation after the other over all parameters; TensorFlow's own and later ones are fused."""
    fused = job().coefficients.roofline.optimizer_bytes_per_parameter
    found = [optimizer_bytes(job(**one)) for one in ({}, {"framework": "tensorflow", "framework_version": "1.2.1"})]
    assert [KERAS_OPTIMIZER_BYTES, fused] == found
    assert fused == optimizer_bytes(job(framework_version="2.3.1"))


@pytest.mark.parametrize(("version", "share"), [(None, 1 / 6), ("2.16", 1 / 6), ("2017", 1.0)])
def test_today_libraries_start_two_kernels_a_cell(version: str | None, share: float) -> None:
    """Keras's own loop, of twelve, is gone, and with it what was fitted to it."""
    framework = "keras" if version != "2.16" else "tensorflow"
    old, found = (one.profile for one in (job(), job(framework=framework, framework_version=version)))
    assert old is not None
    assert found is not None
    assert found.kernels == pytest.approx(share * old.kernels)
    assert (found.architecture == old.architecture) == (share == 1)
