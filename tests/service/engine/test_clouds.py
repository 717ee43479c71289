"""Prices of the clouds: egress by tier and continent, and billing minimums."""

from __future__ import annotations

import pytest
from tests.service.engine.catalogs import bundled

from plimsoll_service.engine.clouds import ASSUMED_EGRESS, internet_usd
from plimsoll_service.evidence import coefficients

ASIA, EUROPE = "Asia", "Europe"
TABLE = coefficients.load().clouds

UNPLACED = ("default", "global")  # regions whose provider names no place


@pytest.mark.parametrize(
    ("cloud", "continent", "gb", "expected"),
    [
        ("aws", EUROPE, 1000, 90.0),
        ("aws", EUROPE, 20 * 1024, 10 * 1024 * 0.09 + 10 * 1024 * 0.085),
        ("gcp", EUROPE, 5000, 1024 * 0.12 + 3976 * 0.11),
        ("azure", EUROPE, 100, 8.75),
        ("aws", ASIA, 100, 12.0),
        ("oci", "", 5000, 0.0),
        ("alibaba", ASIA, 100, 12.0),
    ],
)
def test_egress_is_paid_tier_by_tier(cloud: str, continent: str, gb: float, expected: float) -> None:
    """Each gigabyte costs the price of its tier; a cloud without a published price charges the assumed one."""
    actual = internet_usd(TABLE.egress_of(cloud, continent), gb)
    assert expected == pytest.approx(actual)


def test_every_cloud_of_the_catalog_has_terms() -> None:
    """A cloud without a row would be taken to charge the assumed price, unnoticed."""
    expected: set[str] = set()
    actual = set(bundled().clouds) - set(TABLE.clouds)
    assert expected == actual


def test_every_region_with_a_place_has_a_continent() -> None:
    """Prices between regions go by continent."""
    regions = bundled().regions
    expected = set(UNPLACED)
    actual = {name for name, where in zip(regions.name, regions.location, strict=True) if not TABLE.continent_of(where)}
    assert expected == actual


def test_another_region_is_never_dearer_than_another_cloud() -> None:
    """Within a cloud, no gigabyte costs more than the first one that leaves it."""
    for cloud, terms in TABLE.clouds.items():
        for egress in (terms.egress or ASSUMED_EGRESS, *terms.by_continent.values()):
            dearest = max(tier.usd_per_gb for tier in egress.internet)
            assert max(egress.near, egress.far) <= dearest, cloud


@pytest.mark.parametrize(
    ("cloud", "name", "expected"),
    [
        ("aws", "g5.xlarge", (60.0, 0.0)),
        ("gcp", "a2-highgpu-1g", (60.0, 0.0)),
        ("oci", "VM.GPU.A10.1", (60.0, 0.0)),
        ("oci", "BM.GPU.A10.4", (3600.0, 0.0)),
        ("hyperstack", "n3-RTX-A4000x1", (0.0, 60.0)),
        ("azure", "Standard_NC6s_v3", (0.0, 0.0)),
        ("unheard-of", "x", (0.0, 0.0)),
    ],
)
def test_starts_are_billed_as_the_provider_says(cloud: str, name: str, expected: tuple[float, float]) -> None:
    """Minimum seconds and steps are the provider's; there are none if nothing is published."""
    actual = TABLE.of(cloud).billing_of(name)
    assert expected == actual
