"""The batch of a training: no larger than the data, and chosen anew when data that decide it change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled_market
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.kept import Kept
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import Selection, select
from plimsoll_service.engine.estimate import work
from plimsoll_service.engine.estimate.requirements import high_share
from plimsoll_service.engine.estimate.samples.training import CUSTOMARY_BATCH
from plimsoll_service.engine.spreads import SPREAD_BASES
from plimsoll_service.engine.workload import Dataset, Query, Workload

MACHINES = bundled_market().machines
PLENTY = Dataset(size_bytes=1e11, samples=1e6)
TRAINING = Workload("training", model="resnet50", dataset=PLENTY, epochs=3)
FEW = replace(TRAINING, dataset=Dataset(size_bytes=1e7, samples=40))
LARGE = replace(TRAINING, dataset=Dataset(size_bytes=1e13, samples=1e6))
HELD = replace(TRAINING, dataset=Dataset(size_bytes=3e10, samples=1e6, format="memory"))


def key(workload: Workload) -> object:
    """Key of the plan of the work."""
    job = job_of(Query(workload))
    with np.errstate(all="ignore"):
        return work.plan_key(job, work.prepare(job, MACHINES, np.ones(len(MACHINES))))


def selected(workload: Workload, kept: Kept) -> Selection:
    return select(job_of(Query(workload)), bundled_market(), own_machines((), bundled_market()), kept)


def test_a_batch_has_no_more_samples_than_there_are() -> None:
    """The power of two below a handful; with plenty the customary batch where it fits."""
    kept = Kept()

    assert selected(FEW, kept).estimates.outcome.batch_used[:].max() == 32
    assert selected(TRAINING, kept).estimates.outcome.batch_used[:].max() == CUSTOMARY_BATCH


@pytest.mark.parametrize("other", [FEW, LARGE, HELD], ids=["few", "large", "held"])
def test_kinds_that_were_asked_before_choose_as_if_they_were_new(other: Workload) -> None:
    """After other data, the batches, rates and needs are the same as after a fresh start."""
    kept = Kept()
    selected(TRAINING, kept)
    again, fresh = (selected(other, known).estimates.outcome for known in (kept, Kept()))

    for name in ("batch_used", "batch_largest", "throughput", "hours_high", "bottleneck", "obstacle", "vcpus_required"):
        assert np.array_equal(getattr(again, name)[:], getattr(fresh, name)[:], equal_nan=True), name


def test_epochs_decide_nothing_of_a_batch() -> None:
    """Epochs do not change the batch, and data of other samples do."""
    assert key(TRAINING) == key(replace(TRAINING, epochs=90))
    assert len({key(TRAINING), key(FEW), key(LARGE)}) == 3


@pytest.mark.parametrize("model", ["yolov8m", "resnet50", "stable-diffusion-xl", "unet-3d"])
def test_a_batch_that_nobody_stated_surely_fits(model: str) -> None:
    """An assumed batch fits at the upper end of the need's range, on every device that holds two samples."""
    workload = replace(TRAINING, model=model, framework="pytorch")
    job, found = job_of(Query(workload)), selected(workload, Kept())
    outcome = found.estimates.outcome
    high = np.array([high_share(job, basis) for basis in range(SPREAD_BASES)])[found.estimates.machines.basis]
    chosen = found.estimates.machines.has_accelerator() & (outcome.batch_used[:] > 1)

    assert chosen.any()
    assert np.all((outcome.device.required * high <= outcome.device.usable)[chosen])
