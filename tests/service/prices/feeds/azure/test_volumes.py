"""Azure's managed disks as the catalog's volume products, per GiB and month of 730 hours."""

from __future__ import annotations

from typing import Any

import pytest
from tests.service.prices.feeds.azure.lists import FEED, REGION, disk, machine, request, serve
from tests.service.prices.feeds.loopback import Provider

from plimsoll_service.prices.feeds.azure.products import PREMIUM_TIERS
from plimsoll_service.prices.feeds.feed import FeedRequest, Fetched, VolumeQuote

PREMIUM, V2, ULTRA = "Premium SSD Managed Disks", "Azure Premium SSD v2", "Ultra Disks"
V2_CAPACITY = disk(V2, "Premium LRS Provisioned Capacity", 0.000111, "1 GiB/Hour")


def _fetched(provider: Provider, *meters: dict[str, Any], **fields: Any) -> Fetched:
    serve(provider, machine(), *meters)
    asked: FeedRequest = request(provider, **fields)
    return FEED.fetch(asked)


def _volumes(provider: Provider, *meters: dict[str, Any]) -> dict[str, VolumeQuote]:
    return {quote.product: quote for quote in _fetched(provider, *meters).volumes}


def test_premium_tiers_are_priced_per_disk_and_month(provider: Provider):
    """The disk's price divided by its tier's size is the price of a GiB."""
    found = _volumes(
        provider,
        disk(PREMIUM, "P10 LRS Disk", 19.71),
        disk(PREMIUM, "P30 LRS Disk", 135.17),
        disk(PREMIUM, "P80 LRS Disk", 3604.37),
        disk(PREMIUM, "P10 LRS Disk Mount", 1.18),
        disk(PREMIUM, "P10 ZRS Disk", 29.57),
        disk(PREMIUM, "P20 LRS Disk", 73.22),
    )

    assert {"premium-ssd-P10": 0.154, "premium-ssd-P30": 0.132, "premium-ssd-P80": 0.11} == {
        product: pytest.approx(quote.usd_per_gib_month, rel=1e-3) for product, quote in found.items()
    }
    assert {("list", None, REGION)} == {(quote.confidence, quote.source, quote.region) for quote in found.values()}


def test_standard_disks_are_priced_by_their_tier_of_a_tebibyte(provider: Provider):
    """One tier stands for all sizes, which makes the price a derived one that names the tier."""
    found = _volumes(
        provider,
        disk("Standard SSD Managed Disks", "E10 LRS Disk", 9.6),
        disk("Standard SSD Managed Disks", "E30 LRS Disk", 76.8),
        disk("Standard SSD Managed Disks", "E30 LRS Disk Operations", 0.002, "10K"),
        disk("Standard HDD Managed Disks", "S30 LRS Disk", 40.96),
    )

    assert {
        "standard-ssd": (0.075, "derived", "Azure Retail Prices, E30 of 1024 GiB"),
        "standard-hdd": (0.04, "derived", "Azure Retail Prices, S30 of 1024 GiB"),
    } == {name: (round(q.usd_per_gib_month, 9), q.confidence, q.source) for name, q in found.items()}


def test_provisioned_disks_are_priced_per_hour_and_part(provider: Provider):
    """A month of capacity, IOPS and throughput is 730 hours of each; an included amount is no price."""
    found = _volumes(
        provider,
        V2_CAPACITY,
        disk(V2, "Premium LRS Provisioned IOPS", 0.0, "1/Hour"),
        disk(V2, "Premium LRS Provisioned IOPS", 0.000007, "1/Hour", tierMinimumUnits=3000.0),
        disk(V2, "Premium LRS Provisioned Throughput (MBps)", 0.0, "1/Hour"),
        disk(V2, "Premium LRS Provisioned Throughput (MBps)", 0.000056, "1/Hour", tierMinimumUnits=125.0),
        disk(ULTRA, "Ultra LRS Provisioned Capacity", 0.000164, "1 GiB/Hour"),
        disk(ULTRA, "Ultra LRS Provisioned IOPS", 0.000068, "1/Hour"),
        disk(ULTRA, "Ultra LRS Provisioned Throughput (MBps)", 0.000479, "1/Hour"),
        disk(ULTRA, "Ultra LRS Reservation per vCPU Provisioned", 0.0061, "1/Hour"),
    )

    assert {
        "premium-ssd-v2": (0.08103, 0.00511, 0.04088),
        "ultra": (0.11972, 0.04964, 0.34967),
    } == {
        name: tuple(round(usd, 6) for usd in (q.usd_per_gib_month, q.usd_per_iops_month, q.usd_per_mib_s_month))
        for name, q in found.items()
    }


def test_parts_that_are_not_listed_stay_unknown(provider: Provider):
    """IOPS and throughput are unknown if a region lists only the capacity."""
    quote = _volumes(provider, V2_CAPACITY)["premium-ssd-v2"]

    assert (None, None) == (quote.usd_per_iops_month, quote.usd_per_mib_s_month)


@pytest.mark.parametrize(
    "meters",
    [
        [disk(PREMIUM, "P30 LRS Disk", 0)],
        [disk(PREMIUM, "P30 LRS Disk", 135.17, "1/Hour")],
        [disk(PREMIUM, "P30 LRS Disk", 135.17), disk(PREMIUM, "P30 LRS Disk", 150.0, meterId="other")],
    ],
)
def test_a_disk_without_a_price_to_believe_is_named(provider: Provider, meters: list[dict[str, Any]]):
    """Zero, another unit and two prices give no price, and a note."""
    found = _fetched(provider, *meters)

    assert () == found.volumes
    assert f"{REGION}: premium-ssd-P30 has no single price above 0 per 1/Month" in found.notes


def test_a_region_without_disks_is_noted(provider: Provider):
    """Without disks, a region's machines are still refreshed."""
    found = _fetched(provider)

    assert (1, f"{REGION}: no managed disks are listed") == (len(found.offers), found.notes[0])


def test_products_that_the_catalog_lacks_are_left_out(provider: Provider):
    """Only the catalog's own products are quoted."""
    assert () == _fetched(provider, V2_CAPACITY, products=frozenset()).volumes


def test_another_currency_is_converted(provider: Provider):
    """Every part is converted at the rate given, and the source says so."""
    (quote,) = _fetched(
        provider, disk(PREMIUM, "P30 LRS Disk", 102.4, currencyCode="EUR"), units_per_usd={"EUR": 0.8}
    ).volumes

    assert (pytest.approx(0.125), "derived", "Azure Retail Prices (EUR at 0.8 a USD)") == (
        quote.usd_per_gib_month,
        quote.confidence,
        quote.source,
    )


def test_many_faults_are_told_in_few_lines(provider: Provider):
    """Twenty faults are named, and the rest is counted."""
    products = frozenset(f"premium-ssd-{tier}" for tier in PREMIUM_TIERS)
    regions = (REGION, "eastus")
    meters = [disk(PREMIUM, f"{tier} LRS Disk", 0, armRegionName=name) for tier in PREMIUM_TIERS for name in regions]

    notes = _fetched(provider, *meters, regions=regions, products=products, types={}).notes

    assert 20 == sum("has no single price above 0" in note for note in notes)
    assert f"and {len(meters) - 20} more like these" in notes
