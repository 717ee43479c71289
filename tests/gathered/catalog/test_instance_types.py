"""Published figures of providers: the share of burstable types, and kinds of local disks."""

from __future__ import annotations

import pytest
from gathered.catalog.instance_types import local_disk_type, sustained_cpu, volume_mb_s


@pytest.mark.parametrize(
    ("cloud", "name", "expected"),
    [
        ("aws", "t3a.small", 0.2),
        ("aws", "t2.nano", 0.05),
        ("aws", "t2.xlarge", 0.225),
        ("aws", "t2.2xlarge", 0.17),
        ("aws", "t4g.large", 0.3),
        ("aws", "t3.xlarge", 0.4),
        ("azure", "Standard_B1ls", 0.05),
        ("aws", "c7i-flex.2xlarge", 0.4),
        ("aws", "r8i-flex.16xlarge", 0.4),
        ("azure", "Standard_B1s", 0.1),
        ("azure", "Standard_B4ms", 0.225),
        ("azure", "Standard_B20ms", 0.17),
        ("azure", "Standard_B2ats_v2", 0.2),
        ("azure", "Standard_B32ls_v2", 0.3),
        ("azure", "Standard_B16ps_v2", 0.4),
        ("gcp", "e2-micro", 0.125),
        ("gcp", "e2-medium", 0.5),
        ("gcp", "f1-micro", 0.2),
        ("alibaba", "ecs.t6-c1m4.2xlarge", 0.4),
        ("alibaba", "ecs.t5-lc1m2.small", 0.2),
        ("alibaba", "ecs.t5-c1m1.4xlarge", 0.25),
        ("alibaba", "ecs.e-c1m2.large", 0.82),
    ],
)
def test_burstable_and_shared_types_have_the_published_share(cloud: str, name: str, expected: float) -> None:
    """A burstable type has its provider's figure by size; without one, the measured figure."""
    assert sustained_cpu((cloud, name)) == expected


@pytest.mark.parametrize(
    ("cloud", "name"),
    [
        ("aws", "m5.large"),
        ("aws", "trn1.32xlarge"),
        ("azure", "Standard_D2s_v5"),
        ("gcp", "e2-standard-2"),
        ("gcp", "t2d-standard-4"),
        ("alibaba", "ecs.e4.large"),
        ("alibaba", "ecs.ebmg5.24xlarge"),
        ("oci", "VM.Standard.E4.Flex$_1ocpu_8gb"),
        ("ovh", "t1-45"),
    ],
)
def test_other_types_have_their_vcpus_to_themselves(cloud: str, name: str) -> None:
    """A name that only looks like a burstable family's has all of its vCPUs."""
    assert sustained_cpu((cloud, name)) == 1


@pytest.mark.parametrize(
    ("cloud", "name", "expected"),
    [
        ("aws", "t1.micro", 0.05),
        ("aws", "t4g.4xlarge", 0.05),
        ("azure", "Standard_B64ms", 0.05),
        ("alibaba", "ecs.t6-c1m8.large", 0.05),
        ("alibaba", "ecs.t5-s1.large", 0.2),
    ],
)
def test_unlisted_size_of_a_burstable_family_has_the_familys_lowest(cloud: str, name: str, expected: float) -> None:
    """A size that the provider's table lacks has the family's lowest share, not a full machine's."""
    assert sustained_cpu((cloud, name)) == expected


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
    """A family has the local disk that its pattern names, and a SATA SSD without a pattern."""
    assert kind == local_disk_type(f"{cloud}/{family}")


@pytest.mark.parametrize(
    ("name", "gathered", "expected"),
    [("c7g.2xlarge", 1250, 312.5), ("c7g.8xlarge", 1250, 1250), ("p2.xlarge", None, None)],
)
def test_volumes_are_reached_at_the_published_baseline(
    name: str, gathered: float | None, expected: float | None
) -> None:
    """A rate for half an hour a day does not count for a job; without a baseline, the collected rate stays."""
    assert volume_mb_s(("aws", name), gathered) == expected
