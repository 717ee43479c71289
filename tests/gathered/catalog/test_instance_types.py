"""Published figures of providers: the share of burstable types, kinds of local disks, rates to volumes and networks."""

from __future__ import annotations

import pytest
from gathered.catalog.gathered import HARDWARE_COLUMNS, HARDWARE_FILE, Gathered
from gathered.catalog.instance_types import (
    facts,
    local_disk_gb,
    local_disk_type,
    network_gbps,
    sustained_cpu,
    volume_mb_s,
)


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
        ("lambda", "gpu_a10", "nvme"),
    ],
)
def test_a_family_has_its_own_kind_of_local_disk(cloud: str, family: str, kind: str) -> None:
    """A family has the local disk that its pattern names, and a SATA SSD without a pattern."""
    assert kind == local_disk_type(f"{cloud}/{family}")


@pytest.mark.parametrize(
    ("cloud", "name", "gathered", "gb"),
    [
        ("lambda", "gpu_1x_gh200", None, 4398),  # 4 TiB
        ("lambda", "gpu_8x_a100", None, 6377),
        ("lambda", "gpu_8x_a100_80gb_sxm4", None, 21440),
        ("hyperstack", "n3-A100x8-NVLink", None, 6500),
        ("oci", "BM.GPU.B200.8", None, 30720),
        ("gcp", "c4a-highmem-32-lssd", None, 2250),
        ("gcp", "c4d-standard-8-lssd", None, 375),
        ("aws", "g5.xlarge", 250, 250),
        ("verda", "1H100.80S.30V", None, 0),
    ],
)
def test_included_disks_are_those_that_the_provider_states(
    cloud: str, name: str, gathered: float | None, gb: float
) -> None:
    """The lists of small clouds name no disks; what a list names stays where the provider's page is not known."""
    assert gb == local_disk_gb((cloud, name), gathered)


@pytest.mark.parametrize(
    ("name", "gathered", "expected"),
    [("c7g.2xlarge", 1250, 312.5), ("c7g.8xlarge", 1250, 1250), ("p2.xlarge", None, None)],
)
def test_volumes_are_reached_at_the_published_baseline(
    name: str, gathered: float | None, expected: float | None
) -> None:
    """A rate for half an hour a day does not count for a job; without a baseline, the collected rate stays."""
    assert volume_mb_s(("aws", name), gathered) == expected


@pytest.mark.parametrize(
    ("name", "mib_s"),
    [
        ("n4a-highcpu-4", 240),
        ("n4-standard-8", 480),
        ("n4d-highmem-96", 2400),
        ("c4d-standard-8-lssd", 800),
        ("c4-standard-4", 400),
        ("c4a-highcpu-32", 1600),
        ("c4a-standard-16-lssd", 1200),
        ("c4n-standard-8", 800),
        ("c4-highmem-144-lssd", 5000),
        ("c4d-highmem-384", 12500),
        ("c4d-highmem-384-metal", 10000),
        ("c3-highcpu-8", 240),
        ("c3d-standard-8-lssd", 800),
        ("n1-standard-4+nvidia-tesla-t4x1", 240),
        ("n2-standard-16", 1200),
        ("e2-medium", 200),
        ("t2a-standard-48", 1800),
        ("g2-standard-12", 800),
        ("z3-highmem-22-highlssd", 800),
        ("h3-standard-88", 240),
    ],
)
def test_volumes_of_google_have_the_limit_of_the_machine_type(name: str, mib_s: float) -> None:
    """Google states MiB/s by vCPUs: of persistent disks, and of Hyperdisk for series that take it alone."""
    found = volume_mb_s(("gcp", name), None)

    assert found is not None
    assert found * 1e6 / 2**20 == pytest.approx(mib_s)


@pytest.mark.parametrize(
    ("name", "vcpus", "gbps"),
    [
        ("n4a-highcpu-4", 4, 10),
        ("n4-standard-64", 64, 45),
        ("n4a-standard-64", 64, 50),
        ("n4d-highcpu-8", 8, 16),
        ("c4-standard-4-lssd", 4, 23),
        ("c4-highmem-288-lssd-metal", 288, 100),
        ("c4a-highmem-96-metal", 96, 50),
        ("c4d-standard-4", 4, 20),
        ("c4d-standard-32-lssd", 32, 23),
        ("c4n-standard-192", 192, 400),
        ("c3-standard-44", 44, 32),
        ("c3d-highcpu-90", 90, 60),
        ("z3-highmem-88-highlssd", 88, 62),
        ("m4-ultramem-112", 112, 50),
        ("e2-micro", 2, 1),
        ("e2-standard-4", 4, 8),
        ("n1-standard-1", 1, 2),
        ("n1-standard-4+nvidia-tesla-t4x1", 4, 10),
        ("n2-highmem-2", 2, 10),
        ("n2-standard-8", 8, 16),
        ("t2d-standard-1", 1, 10),
        ("ct5lp-hightpu-4t", 112, 100),
    ],
)
def test_networks_of_google_have_the_default_bandwidth_of_the_machine_type(
    name: str, vcpus: float, gbps: float
) -> None:
    """The bandwidth without per VM Tier_1 networking, which costs extra."""
    assert network_gbps(("gcp", name), vcpus, None) == gbps


def test_without_a_published_network_the_collected_figure_stays() -> None:
    """Google's oldest TPU hosts have none."""
    assert network_gbps(("gcp", "v4-8"), 240, None) is None
    assert network_gbps(("gcp", "a2-highgpu-1g"), 12, 24) == 24


def launched(name: str, seconds: float) -> Gathered:
    """A measured machine of AWS, of which nothing but its launch is known."""
    cells = dict.fromkeys(HARDWARE_COLUMNS, "")
    return Gathered(HARDWARE_FILE, 2, cells | {"cloud": "aws", "instance_type": name, "boot_seconds": str(seconds)})


def test_a_launch_far_above_those_of_its_like_tells_nothing_of_its_type() -> None:
    """The one timed G6 took 718 s, where AWS's other machines with GPUs took 26 to 35; two alike are believed."""
    usual = [launched(name, 30) for name in ("g5.xlarge", "g5.2xlarge", "m5.large", "c5.large", "r5.large")]
    found = facts([*usual, launched("g6.12xlarge", 718), launched("g5.48xlarge", 400), *(
        launched(name, 300) for name in ("u7i.12xlarge", "u7i.24xlarge")
    )])  # fmt: skip

    assert found.boot(("aws", "g6.12xlarge")) is None
    assert found.boot(("aws", "g6.xlarge")) is None
    assert found.boot(("aws", "g5.48xlarge")) == 30
    assert found.boot(("aws", "u7i.48xlarge")) == 300
