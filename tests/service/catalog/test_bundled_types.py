"""Instance types of the bundled snapshot that show how devices are counted and which types are retired."""

from __future__ import annotations

from datetime import date

import pytest

from plimsoll_service.engine.hardware import Catalog


def rows(catalog: Catalog, cloud: str, name: str) -> int:
    """The row of an instance type."""
    types = catalog.instance_types
    return next(row for row in range(len(types)) if (types.cloud[row], types.name[row]) == (cloud, name))


@pytest.mark.parametrize(
    ("cloud", "name", "accelerator", "count", "memory_gib", "interconnect"),
    [
        ("aws", "p3.2xlarge", "V100-16GB", 1, 16, None),
        ("aws", "p3.16xlarge", "V100-16GB", 8, 16, "nvlink"),
        ("aws", "p2.xlarge", "K80", 1, 12, None),
        ("aws", "g2.2xlarge", "K520", 1, 4, None),
        ("aws", "g2.8xlarge", "K520", 4, 4, "pcie"),
        ("aws", "g3s.xlarge", "M60", 1, 8, None),
        ("aws", "g6f.large", "L4", 0.125, 3, None),
        ("aws", "dl1.24xlarge", "Gaudi", 8, 32, "fabric"),
        ("azure", "Standard_NC6_Promo", "K80", 1, 12, None),
        ("azure", "Standard_NC24s_v3", "V100-PCIe", 4, 16, "pcie"),
        ("azure", "Standard_NC96ads_A100_v4", "A100-80GB-PCIe", 4, 80, "nvlink"),
        ("gcp", "v2-8", "TPU-v2", 4, 16, "fabric"),
        ("gcp", "g2-standard-96", "L4", 8, 24, "pcie"),
        ("alibaba", "ecs.sgn7i-vws-m8.4xlarge", "A10", 1 / 3, 8, None),
    ],
)
def test_devices_are_counted_as_a_framework_sees_them(
    bundled: Catalog, cloud: str, name: str, accelerator: str, count: float, memory_gib: float, interconnect: str | None
) -> None:
    """A die or a chip is one device, a share is a fraction with its memory, and links are as wired."""
    types, row = bundled.instance_types, rows(bundled, cloud, name)

    assert bundled.accelerators.name[int(types.accelerator[row])] == accelerator
    assert types.accelerator_count[row] == pytest.approx(count)
    assert types.accelerator_memory_gib[row] == pytest.approx(memory_gib)
    assert types.interconnect[row] == interconnect


@pytest.mark.parametrize(
    ("cloud", "name", "expected"),
    [
        ("aws", "t3a.small", 0.2),
        ("aws", "m5.large", 1),
        ("aws", "p3.2xlarge", 1),
        ("azure", "Standard_B2s", 0.2),
        ("gcp", "e2-micro", 0.125),
        ("alibaba", "ecs.t6-c1m1.large", 0.2),
    ],
)
def test_burstable_types_say_what_they_sustain(bundled: Catalog, cloud: str, name: str, expected: float) -> None:
    """A burstable type has its provider's baseline, every other all of its vCPUs."""
    assert bundled.instance_types.sustained_cpu[rows(bundled, cloud, name)] == expected


@pytest.mark.parametrize(
    ("name", "mb_s"), [("c7g.medium", 39.375), ("c7g.2xlarge", 312.5), ("c7g.8xlarge", 1250), ("c7g.16xlarge", 2500)]
)
def test_types_reach_volumes_at_the_rate_that_they_keep_up(bundled: Catalog, name: str, mb_s: float) -> None:
    """Sizes that are faster for half an hour a day have their baseline, larger ones their constant rate."""
    sustained = bundled.instance_types.disk_mib_s[rows(bundled, "aws", name)]

    assert sustained == pytest.approx(mb_s * 1e6 / 2**20, abs=1e-3)


@pytest.mark.parametrize(
    ("cloud", "name", "expected"),
    [
        ("aws", "p3.2xlarge", True),
        ("aws", "g5.xlarge", False),
        ("aws", "p3dn.24xlarge", False),
        ("gcp", "n1-standard-8+nvidia-tesla-k80x1", True),
        ("gcp", "n1-standard-8+nvidia-tesla-t4x1", False),
        ("azure", "Standard_NC6_Promo", True),
        ("azure", "Standard_NV12s_v3", True),
        ("azure", "Standard_A8", True),
        ("azure", "Standard_A8_v2", True),
        ("azure", "Standard_ND40s_v2", True),
        ("azure", "Standard_ND40rs_v2", False),
        ("azure", "Standard_NC6s_v3", True),
        ("azure", "Standard_ND96is_H100_v5", True),
        ("azure", "Standard_ND96isr_H100_v5", False),
        ("azure", "Standard_D4s_v3", True),
        ("azure", "Standard_D4s_v5", False),
        ("alibaba", "ecs.poc-test.t96", True),
        ("gcp", "a3-highgpu-1g", False),
    ],
)
def test_retired_types_are_marked(bundled: Catalog, cloud: str, name: str, expected: bool) -> None:
    """A type is retired when a new customer cannot order it."""
    assert bundled.instance_types.retired[rows(bundled, cloud, name)] == expected


def test_every_withdrawal_has_a_source_and_a_date(bundled: Catalog) -> None:
    """Each retired type has a row with source and date, and each row names some type."""
    types, withdrawn = bundled.instance_types, bundled.withdrawn

    assert (types.withdrawn[types.retired] >= 0).all()
    assert all(withdrawn.source)
    assert all(date.fromisoformat(day) for day in withdrawn.as_of)
    assert set(range(len(withdrawn))) == set(types.withdrawn[types.withdrawn >= 0].tolist())


@pytest.mark.parametrize(
    ("cloud", "name", "status", "since"),
    [
        ("azure", "Standard_NC6s_v3", "retired", "2025-09-30"),
        ("azure", "Standard_ND40s_v2", "preview", ""),
        ("azure", "Standard_F16s_v2", "closed", "2026-07"),
        ("gcp", "n1-standard-8+nvidia-tesla-k80x1", "retired", "2024-05"),
        ("gcp", "a3-highgpu-1g", "reserved", ""),
        ("aws", "p5e.48xlarge", "reserved", ""),
        ("alibaba", "ecs.gn7i-xr.4xlarge", "private", ""),
    ],
)
def test_withdrawn_types_have_a_status(bundled: Catalog, cloud: str, name: str, status: str, since: str) -> None:
    """The status gives the reason for the withdrawal, with its date if known."""
    row = bundled.instance_types.withdrawn[rows(bundled, cloud, name)].item()

    assert (status, since) == (bundled.withdrawn.status[row], bundled.withdrawn.since[row])


@pytest.mark.parametrize("family", ["c9g", "c9gd", "m9g", "m9gd"])
def test_the_ninth_generation_of_aws_has_graviton5(bundled: Catalog, family: str) -> None:
    """AWS News Blog, C9g and C9gd powered by Graviton5, 2026-06-30; M9g and M9gd were measured."""
    types, names = bundled.instance_types, bundled.processors.name
    found = {names[types.processor[row]] for row, name in enumerate(types.name) if name.startswith(f"{family}.")}

    assert {"AWS Graviton5"} == found
