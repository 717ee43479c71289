"""Volume prices of the gcp feed: capacity, and IOPS and throughput if they are paid for separately."""

from __future__ import annotations

import pytest
from tests.service.prices.feeds.gcp.price_list import BELGIUM, FEED, IOWA, n1, paged, request, sku, tier
from tests.service.prices.feeds.loopback import Provider

from plimsoll_service.prices.feeds.feed import VolumeQuote

# Prices of the kind that Google Cloud lists for Iowa, USD a month; capacities as in the bundled catalog.
SKUS = [
    sku("SSD backed PD Capacity in Iowa", 0.17, unit="GiBy.mo"),
    sku("Balanced PD Capacity in Iowa", 0.1, unit="GiBy.mo"),
    sku("Extreme PD Capacity in Iowa", 0.125, unit="GiBy.mo"),
    sku("Extreme PD IOPS in Iowa", 0.065, unit="mo"),
    sku("Hyperdisk Balanced Capacity in Iowa", 0.08, unit="GiBy.mo"),
    sku("Hyperdisk Balanced IOPS in Iowa", 0.005, unit="mo"),
    sku("Hyperdisk Balanced Throughput in Iowa", 0.04, unit="mo"),
    sku("Hyperdisk Throughput Capacity in Iowa", 0.005, unit="GiBy.mo"),
    sku("Hyperdisk Throughput Throughput Capacity in Iowa", 0.25, unit="mo"),
    sku("Hyperdisk ML Capacity in Iowa", 0.08, unit="GiBy.mo"),
    sku("Hyperdisk ML Throughput in Iowa", 0.12, unit="mo"),
    sku("SSD backed Local Storage in Iowa", 0.08, unit="GiBy.mo"),
    sku("Regional SSD backed PD Capacity in Iowa", 0.34, unit="GiBy.mo"),
    sku("Hyperdisk Balanced High Availability Capacity in Iowa", 0.2, unit="GiBy.mo"),
]
PRODUCTS = {
    "pd-standard": (0.04, None, None),
    "pd-ssd": (0.17, None, None),
    "pd-balanced": (0.1, None, None),
    "pd-extreme": (0.125, 0.065, None),
    "hyperdisk-balanced": (0.08, 0.005, 0.04),
    "hyperdisk-throughput": (0.005, None, 0.25),
    "hyperdisk-ml": (0.08, None, 0.12),
    "local-ssd": (0.08, None, None),
}


def _volumes(provider: Provider, *skus: dict, products: frozenset[str] = frozenset(PRODUCTS)) -> tuple:
    paged(provider, [*n1(), *skus])
    return FEED.fetch(request(provider, products=products)).volumes


def test_every_product_has_the_prices_that_it_is_paid_by(provider: Provider):
    """Each product has its own SKUs; the free first 30 GiB of PD Standard are ignored."""
    standard = sku("Storage PD Capacity", 0.04, unit="GiBy.mo")
    standard["pricingInfo"][0]["pricingExpression"]["tieredRates"] = [tier(0, 0), tier(30, 40_000_000)]

    found = _volumes(provider, *SKUS, standard)

    source = "GCP Cloud Billing Catalog"
    assert {
        VolumeQuote("gcp", product, IOWA, *paid, confidence="list", source=source) for product, paid in PRODUCTS.items()
    } == set(found)


@pytest.mark.parametrize("price", [0.0, None])
def test_a_product_without_all_its_prices_is_left_out(provider: Provider, price: float | None):
    """A product with only its capacity is left out, because provisioned IOPS would look free."""
    iops = [] if price is None else [sku("Extreme PD IOPS in Iowa", price, unit="mo")]

    found = _volumes(provider, sku("Extreme PD Capacity in Iowa", 0.125, unit="GiBy.mo"), *iops)

    assert () == found


def test_only_products_of_the_catalog_in_regions_asked_for_are_quoted(provider: Provider):
    """A product or region that was not requested is left out."""
    ssd = sku("SSD backed PD Capacity", 0.17, (IOWA, BELGIUM, "mars-north1"), unit="GiBy.mo")
    paged(provider, [*n1(), ssd, *SKUS[1:2]])

    found = FEED.fetch(request(provider, regions=(IOWA,), products=frozenset({"pd-ssd"}))).volumes

    assert [("pd-ssd", IOWA)] == [(volume.product, volume.region) for volume in found]


def test_converted_prices_are_derived(provider: Provider):
    """A converted volume price is derived."""
    euros = [sku("SSD backed PD Capacity", 0.1, unit="GiBy.mo", currency="EUR")]
    paged(provider, [*n1(), *euros])

    (found,) = FEED.fetch(request(provider, products=frozenset({"pd-ssd"}), rates={"EUR": 0.5})).volumes

    assert (0.2, "derived") == (found.usd_per_gib_month, found.confidence)
