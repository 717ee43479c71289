"""Data and weights that a restart stages again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, Sale, ask, made_up

from plimsoll_service.engine.estimate.job_time import IMAGE_PULL_SECONDS
from plimsoll_service.engine.quantities import Spot
from plimsoll_service.engine.workload import Constraints, Dataset, Disk, Query, Workload

SPOT = Constraints(purchase=("spot",), max_nodes=1)
IMAGES = Dataset(size_bytes=100e9, samples=1e6, format="jpeg")
WORK = Workload("training", model="resnet50", dataset=IMAGES, epochs=30, precision="mixed")
LORA = Workload("training", model="llama-3-8b", method="lora", tokens=1e7)
BOOT = 60.0


def spot(workload: Workload, cloud: str = "aws", region: str = "us-east-1", **hardware: object) -> Spot:
    """The run of a work on a made-up machine on spot."""
    sales = (Sale(1.0, region, "spot"), Sale(3.0, region))
    box = Box("p", cloud=cloud, accelerator="A100-80GB", count=1.0, boot_seconds=BOOT, sales=sales, **hardware)
    found = ask(Query(workload, SPOT), made_up(box)).recommendations[0].estimate.spot
    assert found is not None
    return found


def again(workload: Workload, **hardware: object) -> float:
    """Minutes of a restart beyond the first start."""
    found = spot(workload, **hardware)
    return found.restart_minutes - found.start_minutes


def test_data_are_staged_anew() -> None:
    """Twice the data take twice as long; a start without them boots and pulls its container."""
    twice = replace(WORK, dataset=replace(IMAGES, size_bytes=200e9, samples=2e6))
    assert again(twice) / again(WORK) == pytest.approx(2, rel=0.1)
    assert spot(WORK).start_minutes == pytest.approx((BOOT + IMAGE_PULL_SECONDS) / 60)


def test_inference_reads_each_sample_where_it_lies() -> None:
    """A restart moves no more data than the first start if nothing has to be moved."""
    images = replace(IMAGES, size_bytes=1e12, samples=1e7)
    assert again(Workload("inference", model="resnet50", dataset=images, batch_size=256)) == pytest.approx(0, abs=0.1)


def test_local_drives_are_filled_at_their_own_speed() -> None:
    """NVMe takes less time than a volume, and is filled anew as well."""
    nvme = again(replace(WORK, disk=Disk("nvme")), local_disk_gb=2000.0)
    assert 0 < nvme < again(replace(WORK, disk=Disk("hdd")))


def test_adapted_weights_are_read_at_each_start() -> None:
    """16 GB of weights come from the volume, before the first step and after each interruption."""
    found = spot(LORA)
    weights = 16.06e9 / 2000 / 2**20 / 60  # at the fastest that gp3 reads
    assert found.start_minutes > (BOOT + IMAGE_PULL_SECONDS) / 60 + weights
    assert found.restart_minutes >= found.start_minutes


def test_a_checkpoint_is_read_again() -> None:
    """A larger one takes longer, at the speed that it is written with at most."""
    small, large = (again(replace(WORK, checkpoint_gib=size)) for size in (1.0, 400.0))
    assert np.isfinite(large)
    assert small < large
