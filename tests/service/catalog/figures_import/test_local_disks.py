"""Kinds of local disks by family."""

from __future__ import annotations

import pytest

from plimsoll_service.catalog.figures_import.local_disks import local_disk_type


@pytest.mark.parametrize(
    ("cloud", "family", "kind"),
    [
        ("alibaba", "ecs.gn5", "nvme"),
        ("alibaba", "ecs.d1", "hdd"),
        ("alibaba", "ecs.c5", "ssd"),
        ("aws", "g2", "ssd"),
        ("aws", "g5", "nvme"),
    ],
)
def test_a_family_has_its_own_kind_of_local_disk(cloud: str, family: str, kind: str) -> None:
    """What no pattern names is taken for a SATA SSD."""
    assert kind == local_disk_type(cloud, family)
