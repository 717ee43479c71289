"""No estimate is slower than another way in which the software could run the same work."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled
from tests.service.engine.estimate.machines import machine
from tests.service.fitted import job_of

from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.demand.software import software_alternatives
from plimsoll_service.engine.estimate.arithmetic import fitted_arithmetic
from plimsoll_service.engine.estimate.measured_steps import NO_CURVE, Steps, steps_of
from plimsoll_service.engine.estimate.samples.inference import batches_of
from plimsoll_service.engine.hardware import Flags, Floats
from plimsoll_service.engine.machines import Machines, concatenate
from plimsoll_service.engine.workload import Query, Workload
from plimsoll_service.evidence.models import load

COUNTED_IN_SAMPLES = (kind.INFERENCE, kind.SAMPLE_TRAINING)
ROUNDING = 1 - 1e-9


def job(**asked: object) -> Job:
    """The job of a workload."""
    return job_of(Query(Workload(**{"task": "inference", "model": "resnet50", **asked})))


@cache
def every_device() -> Machines:
    """A machine with each accelerator of the catalog, and one without."""
    return concatenate([machine(accelerator=name, vcpus=16) for name in (*bundled().accelerators.name, None)])


def steps(one: Job) -> Steps:
    """Steps of the job on every device."""
    assert one.profile is not None
    numbers = fitted_arithmetic(one, one.profile, every_device())
    return steps_of(one, one.profile, every_device(), numbers, batches_of(one.profile))


def measured(run: Steps) -> Flags:
    """Rows that were measured at this batch or near it."""
    nowhere = np.zeros(len(run.machines), dtype=bool)
    by_batch = nowhere if run.curves is None else run.curves.line != NO_CURVE
    return by_batch if run.fixed is None else by_batch | ~np.isnan(run.fixed)


def slower(one: Job, than: Job, batch: float) -> Flags:
    """Rows on which this work is the slower of the two, unless it was measured to be so."""
    with np.errstate(all="ignore"):
        run, other = steps(one), steps(than)
        size: Floats = np.full(len(run.machines), batch)
        found: Flags = (run.rate(size) < other.rate(size) * ROUNDING) & ~measured(run)
    return found


@pytest.mark.parametrize("task", ["training", "inference"])
def test_no_model_is_slower_tuned_or_in_tf32_on_any_device(task: str) -> None:
    """Tuned software runs as the stock one at the worst, and TF32 as fp32, unless a measurement says otherwise."""
    for model in load().models:
        asked = {"task": task, "model": model.name, "framework": "pytorch"}
        plain = job(**asked, precision="mixed")
        if plain.kind in COUNTED_IN_SAMPLES:
            tuned = job(**asked, precision="mixed", tuning="tuned")
            assert not np.any(slower(tuned, plain, 64.0)), model.name
            tf32, single = (job(**asked, precision=name) for name in ("tf32", "fp32"))
            assert not np.any(slower(tf32, single, 64.0)), model.name


@pytest.mark.parametrize("framework", ["tensorflow", "mxnet", "jax", "paddle", "tensorrt", "onnxruntime"])
@pytest.mark.parametrize("batch", [1.0, 64.0])
@pytest.mark.parametrize("precision", ["mixed", "tf32", "fp32", "int8"])
def test_no_framework_is_slower_tuned(framework: str, batch: float, precision: str) -> None:
    """The law holds for every framework, batch and precision."""
    stock = job(framework=framework, precision=precision)
    assert not np.any(slower(job(framework=framework, precision=precision, tuning="tuned"), stock, batch))


def test_a_measurement_has_the_last_word() -> None:
    """The estimate of tuned work that was measured stays the measurement."""
    asked = job(framework="pytorch", precision="mixed", tuning="tuned", batch_size=256)
    run = steps(asked)
    rate = dict(zip(run.machines.accelerator_name, run.rate(np.full(len(run.machines), 256.0)), strict=True))
    assert rate["V100-16GB"] == pytest.approx(3382.0)


def test_mixed_precision_is_no_choice_of_the_libraries() -> None:
    """Stock work in 16 bits has no other way: it casts, and a small batch can be slower than in fp32."""
    assert () == software_alternatives(job(precision="mixed"))
    ways = software_alternatives(replace(job(precision="tf32", tuning="tuned")))
    assert [("stock", "tf32"), ("tuned", "fp32"), ("stock", "fp32")] == [
        (way.workload.tuning, way.precision) for way in ways
    ]


@pytest.mark.parametrize("batch", [1.0, 64.0])
def test_no_model_is_slower_tuned_where_nobody_states_a_precision(batch: float) -> None:
    """Tuned inference holds weights in 16 bits, and pays no casts that stock software does not."""
    for model in load().models:
        stock = job(model=model.name, framework="pytorch")
        if stock.kind == kind.INFERENCE:
            tuned = job(model=model.name, framework="pytorch", tuning="tuned")
            assert not np.any(slower(tuned, stock, batch)), model.name
