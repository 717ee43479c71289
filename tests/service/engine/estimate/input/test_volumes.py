"""Volume products: the product of a class, its limits at a size, and its price."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.service.engine.catalogs import bundled, bundled_market

from plimsoll_service.engine.columns import take
from plimsoll_service.engine.estimate.input import disk_orders
from plimsoll_service.engine.workload import DISK_TYPES

DISKS = bundled().disks


def row(cloud: str, kind: str) -> np.ndarray:
    """The product of a class in a cloud."""
    return disk_orders.product_rows(DISKS, (cloud,), kind)


def terms(cloud: str, kind: str) -> disk_orders.VolumePrices:
    """Terms that determine the product's size and price."""
    return take(disk_orders.volume_prices(DISKS), row(cloud, kind))


def limits(cloud: str, kind: str, size: float) -> tuple[float, float]:
    volume = disk_orders.limits(DISKS, row(cloud, kind), np.array([size]))
    return float(volume.mib_s[0]), float(volume.iops[0])


def monthly(cloud: str, kind: str, size: float, iops: float = 0.0, mib_s: float = 0.0) -> float:
    wanted = (np.array([value]) for value in (size, iops, mib_s))
    return float(disk_orders.hourly_usd(terms(cloud, kind), *wanted)[0]) * disk_orders.HOURS_PER_MONTH


@pytest.mark.parametrize(
    ("cloud", "kind", "product"),
    [
        ("aws", "ssd", "gp3"),
        ("aws", "balanced", "gp2"),
        ("gcp", "ssd", "pd-ssd"),
        ("gcp", "hdd", "pd-standard"),
        ("azure", "ssd", "premium-ssd-v2"),
        ("alibaba", "efficiency", "cloud_efficiency"),
        ("aws", "auto", "gp3"),
    ],
)
def test_a_class_is_each_clouds_own_product(cloud: str, kind: str, product: str) -> None:
    """Generic classes are mapped to the product that the catalog marks as the default."""
    assert product == DISKS.product[int(row(cloud, kind)[0])]


@pytest.mark.parametrize(
    ("instance_type", "product"),
    [("ct6e-standard-4t", "hyperdisk-balanced"), ("v6e-8", "hyperdisk-balanced"), ("ct5lp-hightpu-4t", "pd-balanced"),
     ("v5p-8", "pd-balanced"), ("v4-8", "pd-balanced"), ("n2-standard-8", "pd-ssd"),
     ("c4n-standard-8", "hyperdisk-balanced"), ("m4-ultramem-56", "hyperdisk-balanced")],
)  # fmt: skip
def test_a_series_takes_the_one_kind_of_disk_that_google_lists_for_it(instance_type: str, product: str) -> None:
    """TPU v6e takes Hyperdisk, earlier ones balanced persistent disks; C4N and M4 take Hyperdisk alone."""
    market = bundled_market()
    types = market.catalog.instance_types
    seller = market.disk_sellers[types.name.index(instance_type)]
    assert product == DISKS.product[disk_orders.product_rows(DISKS, types.cloud.words, "ssd")[seller]]


def test_an_unknown_cloud_has_no_product() -> None:
    """Without a known product the plain limits of a volume hold, and nothing is charged."""
    assert -1 == int(row("nowhere", "ssd")[0])
    assert (disk_orders.PLAIN_MIB_S, disk_orders.PLAIN_IOPS) == limits("nowhere", "ssd", 100)
    assert 0.0 == monthly("nowhere", "ssd", 100)


def test_limits_grow_with_size_up_to_the_products_most() -> None:
    """pd-ssd: 6,000 IOPS and 240 MiB/s, 30 and 0.48 more a GiB, at most 100,000 and 1,200."""
    assert (240 + 48, 6000 + 3000) == limits("gcp", "ssd", 100)
    assert (1200, 100_000) == limits("gcp", "ssd", 50_000)


def test_what_is_bought_apart_is_limited_by_what_can_be_bought() -> None:
    """gp3 moves at any size the most that can be provisioned."""
    assert (2000, 80_000) == limits("aws", "ssd", 10)


def ordered(cloud: str, kind: str, size: float, mib_s: float) -> float:
    """GiB of the volume that is ordered to hold and move that much."""
    wanted = (np.array([value]) for value in (size, 0.0, mib_s))
    return float(disk_orders.size_moving(terms(cloud, kind), *wanted)[0])


def test_speed_that_comes_with_size_is_ordered_as_size() -> None:
    """An efficiency disk moves 100 MiB/s and 0.15 more a GiB: 130 are had at 200 GiB, and 140 are its most."""
    assert 200 == pytest.approx(ordered("alibaba", "efficiency", 47, 130))
    assert 140 == limits("alibaba", "efficiency", ordered("alibaba", "efficiency", 47, 140))[0]


def test_space_is_not_ordered_where_speed_is_bought_or_enough() -> None:
    """gp3 sells throughput apart; a volume that is fast enough stays as large as its data."""
    assert 47 == ordered("aws", "ssd", 47, 1000)
    assert 305 == ordered("alibaba", "ssd", 305, 100)


def test_space_for_speed_has_an_end() -> None:
    """st1 would need 12,500 GiB for its most: no volume is blown up beyond half a TB for speed alone."""
    assert disk_orders.FOR_SPEED_GIB == ordered("aws", "hdd", 47, 500)
    assert 2000 == ordered("aws", "hdd", 2000, 500)


def test_slower_classes_answer_later() -> None:
    """Latency of a request: SSD, then efficiency, then hard disks; a described machine's disk takes no time."""
    assert disk_orders.LATENCY_S["ssd"] < disk_orders.LATENCY_S["efficiency"] < disk_orders.LATENCY_S["hdd"]
    described = disk_orders.ceilings(DISKS, row("aws", "ssd"), np.array([True])).limits(np.array([100.0]))
    assert 0.0 == float(described.latency_s[0])


def test_gp3_costs_size_and_what_exceeds_the_included() -> None:
    """3,000 IOPS and 125 MiB/s are included; more is charged by unit."""
    assert monthly("aws", "ssd", 100, 3000, 125) == pytest.approx(100 * 0.08)
    assert monthly("aws", "ssd", 100, 4000, 225) == pytest.approx(100 * 0.08 + 1000 * 0.005 + 100 * 0.04)


def test_a_part_of_a_gib_is_paid_in_full() -> None:
    """Volumes are sold by whole GiB."""
    assert monthly("aws", "ssd", 99.2) == monthly("aws", "ssd", 100)


@given(
    st.sampled_from(("aws", "gcp", "azure", "alibaba", "oci")),
    st.sampled_from(DISK_TYPES),
    st.floats(10, 2e4),
    st.floats(1, 3),
)
def test_a_larger_volume_is_never_slower_nor_cheaper(cloud: str, kind: str, size: float, factor: float) -> None:
    """Limits and price never fall with size."""
    small, large = limits(cloud, kind, size), limits(cloud, kind, size * factor)
    assert large[0] >= small[0]
    assert large[1] >= small[1]
    assert monthly(cloud, kind, size * factor) >= monthly(cloud, kind, size)


@given(st.sampled_from(("aws", "gcp", "azure", "alibaba", "oci")), st.sampled_from(DISK_TYPES), st.floats(1, 2e4))
def test_what_only_holds_costs_its_space(cloud: str, kind: str, size: float) -> None:
    """A volume that only holds data costs its space, as if nothing were moved."""
    nothing, sold = np.zeros(1), terms(cloud, kind)
    moved = disk_orders.hourly_usd(sold, np.array([size]), nothing, nothing)
    assert moved.tolist() == disk_orders.holding_usd(sold, np.array([size])).tolist()
