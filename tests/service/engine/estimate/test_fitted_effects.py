"""The fitted effects on a machine's pace."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import numpy as np
import pytest
from tests.service.engine.estimate.machines import machine
from tests.service.fitted import job_of

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.effects import CLASSES, Effects, match_of
from plimsoll_service.engine.estimate.arithmetic import class_of, devices_at, fitted_arithmetic, work_of
from plimsoll_service.engine.machines import Machines, concatenate
from plimsoll_service.engine.workload import CustomModel, Query, Workload
from plimsoll_service.evidence.coefficients import starting


def job(effects: Effects, **asked: object) -> Job:
    workload = Workload(**{"task": "training", "model": "resnet50", **asked})
    return job_of(Query(workload), replace(starting(), effects=effects))


def paces(one: Job, machines: Machines) -> list[float]:
    assert one.profile is not None
    with np.errstate(all="ignore"):
        return [float(value) for value in fitted_arithmetic(one, one.profile, machines).fitted_factor]


def test_without_effects_the_formula_stands() -> None:
    """Without a fitted effect, the formula's time stays."""
    assert [1.0] == paces(job(Effects()), machine())


def test_each_machine_has_its_device_s_effect() -> None:
    """Effects of devices apply only to their own machines, in any order of these."""
    machines = concatenate([machine(), machine(accelerator="A100-80GB"), machine(), machine(accelerator=None)])
    found = paces(job(Effects({"device V100-16GB": 0.3, "device A100-80GB": -0.2})), machines)
    assert found == pytest.approx([exp(0.3), exp(-0.2), exp(0.3), 1.0])


def test_a_match_adds_to_the_levels() -> None:
    """A measured configuration takes its own difference besides that of its levels."""
    one = job(Effects({"architecture resnet": 0.1}))
    assert one.profile is not None
    work = work_of(one, one.profile)
    (device,) = devices_at(machine(), np.array([0], dtype=np.int32))
    matched = replace(one.coefficients.effects, matches={match_of(work, "half", device): 0.05})
    assert paces(job(matched), machine()) == pytest.approx([exp(0.15)])
    assert paces(job(matched, framework="tensorflow"), machine()) == pytest.approx([exp(0.1)])


def test_a_model_given_by_numbers_has_no_effect_of_a_name() -> None:
    """A described model has the effects of its family, but not those of a known name."""
    custom = CustomModel(family="cnn", parameters=25e6, forward_flops_per_sample=8e9, name="resnet50")
    assert [1.0] == paces(job(Effects({"model resnet50": 0.5}), model=custom), machine())
    assert paces(job(Effects({"family cnn matrix": 0.5}), model=custom), machine()) == pytest.approx([exp(0.5)])


@pytest.mark.parametrize(
    ("accelerator", "precision", "expected"),
    [
        ("V100-16GB", "mixed", "half"),
        ("V100-16GB", "fp32", "single"),
        ("V100-16GB", "bf16", "single"),
        ("A100-80GB", "tf32", "tf32"),
        ("A100-80GB", "int8", "byte"),
        ("K80", "mixed", "single"),
        ("P100", "fp16", "plain_half"),
        ("Trainium1", "bf16", "chip"),
        (None, "fp32", "cpu"),
        (None, "mixed", "cpu"),
    ],
)
def test_the_class_of_arithmetic_follows_device_and_precision(
    accelerator: str | None, precision: str, expected: str
) -> None:
    """An emulated precision counts as the precision that emulates it."""
    one = job(Effects(), precision=precision)
    assert one.profile is not None
    machines = machine(accelerator=accelerator)
    with np.errstate(all="ignore"):
        numbers = fitted_arithmetic(one, one.profile, machines)
        assert expected == CLASSES[int(class_of(machines, numbers, precision)[0])]
