"""Disk on which the data lie, chosen once for each kind of disks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, catalog_of
from tests.service.fitted import job_of

from plimsoll_service.engine.clusters import Drives, Volume
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.input.disks import Disk, disk_need, disk_of, own_drives
from plimsoll_service.engine.machines import machines_of
from plimsoll_service.engine.units import GIB
from plimsoll_service.engine.workload import Dataset, Query, Workload
from plimsoll_service.engine.workload import Disk as Wish

UNBOUND = float("inf")  # machines reach their volumes as fast as these are
BOXES = tuple(Box(str(gb), local_disk_gb=gb, disk_mib_s=UNBOUND) for gb in (0, 50, 4000))
SLOW, FAST = 200.0, 9000.0  # MiB/s


def job(disk: str | None, sharded: bool | None = None) -> Job:
    data = Dataset(size_bytes=400 * GIB, samples=1_000_000, sharded=sharded)
    return job_of(Query(Workload("training", model="resnet50", dataset=data, epochs=1, disk=Wish(disk))))


def chosen(disk: str | None, mib_s: float, alone: bool = False) -> Disk:
    """The disk of each box beside volumes of that speed, or where no volume is known."""
    machines, some = machines_of(catalog_of(*BOXES)), np.ones(len(BOXES))
    drives = Drives(
        Volume(mib_s * some, 125 * some, 5000 * some, 0.001 * some),
        own_drives(machines, alone),
        some,
        np.arange(len(BOXES)),
    )
    asked = job(disk)
    return disk_of(asked, drives, disk_need(asked, drives.nodes, 0.0, 0.0))


def test_data_lie_on_a_drive_that_holds_them_and_is_faster() -> None:
    """Unasked, the machine's own drive is taken where it is large enough, and no faster volume is to be had."""
    assert [False, False, True] == chosen(None, SLOW).local.tolist()
    assert [False, False, False] == chosen(None, FAST).local.tolist()


def test_a_drive_writes_slower_than_it_reads() -> None:
    """i3.16xlarge: 3.3 million reads and 1.4 million writes a second of 4 KiB (Amazon EC2, storage optimized)."""
    disk = chosen(None, SLOW)

    assert disk.mib_s[-1] * 1.4 / 3.3 == pytest.approx(disk.filling_mib_s[-1])


def test_a_drive_that_is_asked_for_need_not_be_faster() -> None:
    """Machines whose drives do not hold the data, or that have none, do not fit."""
    disk = chosen("nvme", FAST)
    assert disk.fits is not None
    assert [False, False, True] == disk.fits.tolist()


def test_a_volume_that_is_asked_for_is_taken() -> None:
    """The machine's own drive is left alone, and what is ordered is always large enough."""
    disk = chosen("ssd", SLOW)
    assert not disk.local.any()
    assert disk.fits is None
    assert [SLOW] * len(BOXES) == disk.mib_s.tolist()


@pytest.mark.parametrize("disk", ["ssd", "balanced", "hdd"])
def test_what_a_machine_includes_is_the_disk_of_every_class_where_no_volume_is_known(disk: str) -> None:
    """Lambda's machines include their NVMe and take no block volumes (docs.lambda.ai, on-demand, 2026-11-28)."""
    assert [False, False, True] == chosen(disk, SLOW, alone=True).local.tolist()


@pytest.mark.parametrize(
    ("experiments", "parts", "checkpoints"), [(1, 4, 2), (2, 2, 2), (3, 1, 2), (4, 1, 2), (9, 1, 4)]
)
def test_each_experiment_has_all_data(experiments: int, parts: int, checkpoints: int) -> None:
    """Of four machines: only those that share one run share its data; a checkpoint of each run on a machine stays.

    Each machine holds all data, unless they are sharded.
    """
    for sharded, each in ((True, parts), (None, 1)):
        asked = replace(job(None, sharded), experiments=experiments)
        need = disk_need(asked, np.full(1, 4.0), 0.0, 7.0).size_gib
        assert float(need[0]) == pytest.approx(1.2 * (30 + 400 / each + 7 * checkpoints))


@pytest.mark.parametrize(("experiments", "nodes"), [(1, 1), (3, 3), (16, 8)])
def test_unshared_is_a_machine_an_experiment(experiments: int, nodes: int) -> None:
    """As many machines as there are experiments each have all data; fewer already do."""
    nothing = np.ones(1)
    drives = Drives(
        Volume(nothing, nothing, nothing, nothing),
        own_drives(machines_of(catalog_of(Box()))),
        np.full(1, 8.0),
        np.arange(1),
    )
    assert [float(nodes)] == drives.unshared(experiments).nodes.tolist()


@pytest.mark.parametrize("nodes", [1.0, 4.0])
def test_machines_share_the_data(nodes: float) -> None:
    """Each holds its part of sharded data; what each needs besides stays."""
    alone, whole = (disk_need(job(None, True), np.full(1, count), 0.0, 0.0).size_gib for count in (1e12, nodes))
    assert float(whole[0] - alone[0]) == pytest.approx(1.2 * 400 / nodes)


def test_without_sharing_each_machine_has_all_data() -> None:
    """Without sharing, nothing else of the drives changes."""
    nothing = np.ones(1)
    shared = Drives(
        Volume(nothing, nothing, nothing, nothing),
        own_drives(machines_of(catalog_of(Box()))),
        np.full(1, 8.0),
        np.arange(1),
    )
    assert replace(shared, nodes=nothing).nodes.tolist() == shared.unshared().nodes.tolist()
    assert shared.volume is shared.unshared().volume
