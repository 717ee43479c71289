"""The estimate of exactly the measured work is the measurement."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.service.engine.estimate.machines import machine, scored_job
from tests.service.fitted import job_of

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.arithmetic import fitted_arithmetic
from plimsoll_service.engine.estimate.measured_steps import Steps, measured_together, steps_of
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.machines import Machines, concatenate
from plimsoll_service.engine.measured import Point, cell_tuned
from plimsoll_service.engine.workload import Query, Workload
from plimsoll_service.evidence.coefficients import starting

ASKED = Workload("training", model="resnet50", framework="pytorch", precision="mixed")
BATCHES = (1.0, 64.0, 256.0)


def point(rate: float, **facts: object) -> Point:
    return replace(Point("mixed", "V100-16GB", 1, 128, None, rate), **facts)


def job(*points: Point, **asked: object) -> Job:
    """The question, with these measurements of exactly its work."""
    workload = replace(ASKED, **asked)
    plain = job_of(Query(workload), starting())
    by_name = {one.accelerator: tuple(each for each in points if each.accelerator == one.accelerator) for one in points}
    measured = {cell_tuned("resnet50", plain.workload, plain.workload.tuning): by_name}
    return job_of(Query(workload), replace(starting(), measured=measured))


def steps(one: Job, machines: Machines) -> Steps:
    assert one.profile is not None
    with np.errstate(all="ignore"):
        return steps_of(one, one.profile, machines, fitted_arithmetic(one, one.profile, machines), BATCHES)


def rate(one: Job, batch: float, machines: Machines | None = None) -> float:
    """Samples a second of the first machine."""
    found = steps(one, machines or machine())
    with np.errstate(all="ignore"):
        return float(found.rate(np.full(len(found.machines), batch))[0])


def test_at_the_measured_batch_the_estimate_is_the_measurement() -> None:
    """At the measured batch, the estimate is the measurement, regardless of the formula."""
    assert 123.0 == pytest.approx(rate(job(point(123.0)), 128))


def test_between_measured_batches_the_gain_is_interpolated() -> None:
    """Both ends are exact, and what lies between gains no more than the one and no less than the other."""
    one, plain = job(point(500.0, batch=64), point(1500.0, batch=256)), job()
    gains = [rate(one, batch) / rate(plain, batch) for batch in (64, 128, 256)]

    assert (500.0, 1500.0) == pytest.approx((rate(one, 64), rate(one, 256)))
    assert sorted(gains) == gains


def test_a_batch_that_took_longer_than_a_larger_one_is_taken_to_be_as_long() -> None:
    """Measurements scatter: twice the samples in less time do not make a batch of two worth more than two of one."""
    one = job(point(105.0, batch=1), point(214.0, batch=2))

    assert (107.0, 214.0) == pytest.approx((rate(one, 1), rate(one, 2)))


def test_far_from_the_measured_batch_the_formula_stands() -> None:
    """The correction fades, without a step on the way."""
    one, plain = job(point(400.0)), job()
    gains = [rate(one, 128 * 2**power) / rate(plain, 128 * 2**power) for power in (0, 0.5, 1, 1.5, 2, 3, 4)]

    assert 1 == pytest.approx(gains[-1], abs=1e-4)
    assert all(abs(np.log(more)) < abs(np.log(less)) for less, more in pairwise(gains))


def test_an_unstated_batch_of_training_stands_for_all() -> None:
    """Nothing better is known of any batch; a stated one comes first."""
    unstated = point(900.0, batch=None)

    assert [900.0] * 3 == pytest.approx([rate(job(unstated), batch) for batch in (8, 128, 512)])
    assert 700.0 == pytest.approx(rate(job(unstated, point(700.0)), 128))


def test_an_unstated_batch_of_inference_was_the_best_one() -> None:
    """The best of the batches gives the measured rate; small ones stay slower by as much as the formula has it."""
    one, plain = job(point(5000.0, batch=None), task="inference"), job(task="inference")
    rates = [rate(one, batch) for batch in BATCHES]

    assert 5000.0 == pytest.approx(max(rates))
    assert rate(plain, 1) / rate(plain, 256) == pytest.approx(rates[0] / rates[2])


def test_another_version_is_carried_by_the_software_s_age() -> None:
    """Asked for 2018, a measurement of 2018 stands as it is; asked for today, with what the years since brought."""
    old = point(400.0, year=2018.0)

    assert 400.0 == pytest.approx(rate(job(old, framework_version="2018"), 128))
    assert rate(job(old), 128) > 1.1 * 400.0


def test_plain_units_gain_nothing_by_a_version() -> None:
    """A measurement in fp32 on V100 stands for all versions."""
    old = job(point(400.0, precision="fp32", year=2018.0), precision="fp32")

    assert 400.0 == pytest.approx(rate(old, 128))


def test_other_machines_keep_the_formula() -> None:
    """Another device, a share of this one, and a machine without devices keep the formula."""
    others = [machine(accelerator="A100-80GB"), machine(count=0.5), machine(accelerator=None)]
    for other in others:
        assert rate(job(), 128, other) == rate(job(point(1.0)), 128, other)


def test_machines_are_taken_with_their_measurements() -> None:
    """Rows in another order keep what was measured of them."""
    machines = concatenate([machine(accelerator="A100-80GB"), machine(), machine(accelerator=None)])
    taken = steps(job(point(123.0)), machines).take(np.array([2, 1, 1], dtype=np.int32))
    with np.errstate(all="ignore"):
        found = taken.rate(np.full(3, 128.0))

    assert [123.0, 123.0] == pytest.approx(list(found[1:]))


def joint(one: Job, devices: float, nodes: float = 1.0) -> float:
    """The joint rate where the formula has 1,000 at any batch."""

    def rates(rows: Ints, _batch: Floats) -> Floats:
        return np.full(len(rows), 1000.0)

    found = measured_together(
        steps(one, machine(count=devices)), np.array([devices]), np.array([nodes]), np.array([128.0]),
        np.array([1000.0]), rates,
    )  # fmt: skip
    return float(found[0])


@pytest.mark.parametrize("batch", [128, None])
def test_devices_together_are_as_measured_together(batch: int | None) -> None:
    """Eight were measured: eight have it, four do not, nor do two machines of eight."""
    one = job(point(4000.0, devices=8, batch=batch))

    assert 4000.0 == pytest.approx(joint(one, 8))
    assert 1000.0 == joint(one, 4)
    assert 1000.0 == joint(one, 8, nodes=2)


@pytest.mark.parametrize("batch", [128, None])
@pytest.mark.parametrize(
    ("experiments", "nodes", "measured"),
    [(1, 1, 1), (2, 2, 2), (5, 4, 0), (3, 4, 3), (8, 1, 0), (2, 4, 0)],
)
def test_only_a_run_that_has_just_one_machine_is_as_measured(
    experiments: int, nodes: int, measured: int, batch: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A measurement of one run on all devices of a machine says nothing of several on those, or of one on more."""
    monkeypatch.setattr(Machines, "unmeasured_share", lambda machines: np.ones(len(machines)))  # another caution
    on = machine(count=8, vcpus=384, memory_gib=2000, interconnect="nvlink")
    of_eight = point(4000.0, devices=8, batch=batch)
    asked, plain = (job(*some, experiments=experiments, batch_size=128) for some in ((of_eight,), ()))
    found, modelled = (float(scored_job(one, on, nodes).outcome.throughput[0]) for one in (asked, plain))
    assert found == pytest.approx(measured * 4000.0 or modelled, rel=1e-3)  # all but nothing waits for the data
    assert modelled != pytest.approx(max(measured, 1) * 4000.0, rel=0.1)
