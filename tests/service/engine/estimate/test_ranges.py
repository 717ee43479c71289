"""Ranges follow each machine's basis, are wider with less evidence, and never below the noise."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, catalog_of
from tests.service.fitted import FITTED, job_of

from plimsoll_service.engine.estimate.ranges import basis, ends
from plimsoll_service.engine.machines import machines_of
from plimsoll_service.engine.spreads import SPREAD_BASES, UNSTUDIED, UNSTUDIED_SPREAD
from plimsoll_service.engine.workload import Query, Workload

SPREADS, JOB = FITTED.spreads, job_of(Query(Workload("training")))
DEVICE_NOISE, PROCESSOR_NOISE = 1.05, 1.10


@pytest.mark.parametrize("name", SPREADS.of_kind)
def test_a_range_widens_with_less_evidence(name: str) -> None:
    """Measured lies inside calibrated, that inside modelled."""
    fitted = SPREADS.of_kind[name][:UNSTUDIED]

    assert all(one.low >= next_.low and one.high <= next_.high for one, next_ in pairwise(fitted))


@pytest.mark.parametrize("name", SPREADS.of_kind)
def test_no_range_is_narrower_than_equal_machines_differ(name: str) -> None:
    """5% on devices, 10% on processors: nothing can be claimed below that."""
    noise = PROCESSOR_NOISE if name.startswith("cpu_") else DEVICE_NOISE

    assert all(one.low <= 1.001 / noise and one.high >= noise / 1.001 for one in SPREADS.of_kind[name])


def test_each_machine_has_the_range_of_its_own_basis() -> None:
    """One lookup gives each machine the range of its own basis."""
    machines = machines_of(catalog_of(*(Box(name=f"box{code}") for code in range(SPREAD_BASES))))
    found = ends(JOB, replace(machines, basis=np.arange(SPREAD_BASES, dtype=np.int32)), "inference")

    assert [one.low for one in SPREADS.of_kind["inference"]] == found.low[:].tolist()
    assert [one.high for one in SPREADS.of_kind["inference"]] == found.high[:].tolist()


def test_processors_have_ranges_of_their_own() -> None:
    """The same metric has another range without an accelerator."""
    machines = machines_of(catalog_of(Box(accelerator=None)))

    assert SPREADS.of_kind["cpu_tpot"][int(machines.basis[0])].high == ends(JOB, machines, "tpot").high[0]


def test_work_that_no_processor_was_measured_at_has_the_widest_range_there() -> None:
    """Training of language models on processors has no measurement."""
    machines = machines_of(catalog_of(Box(accelerator=None)))
    job = job_of(Query(Workload("training", model="llama-3-8b", tokens=1e9)))
    found = ends(job, replace(machines, basis=basis(job, machines)), "token_training")

    assert (UNSTUDIED_SPREAD.low, UNSTUDIED_SPREAD.high) == (found.low[0], found.high[0])


def test_several_devices_add_the_error_of_scaling() -> None:
    """The error of scaling is 0 on one device, and grows with each doubling."""
    machines = machines_of(catalog_of(*(Box(name=f"box{place}") for place in range(4))))
    one = ends(JOB, machines, "cnn_training")
    several = ends(JOB, machines, "cnn_training", devices=np.array([1.0, 2.0, 8.0, 64.0]))

    assert (one.low[0], one.high[0]) == pytest.approx((several.low[0], several.high[0]))
    assert np.all(np.diff(several.low[:]) < 0)
    assert np.all(np.diff(several.high[:]) > 0)
