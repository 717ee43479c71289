"""What one SKU costs: tiers, units, broken amounts, and SKUs that overlap."""

from __future__ import annotations

from typing import Any

import pytest
from tests.service.prices.feeds.gcp_list import AMERICAS, IOWA, N1_CORE, n1, request, sku, tier

from plimsoll_service.prices.feeds.gcp_rates import collected
from plimsoll_service.prices.feeds.gcp_skus import CORE, Part

CORES = (Part(CORE, "n1"), "on_demand")


def _core(skus: list[dict[str, Any]]) -> float | None:
    return collected(skus, request(None)).usd[CORES][IOWA]


def _with(**expression: Any) -> dict[str, Any]:
    found = sku(N1_CORE, 0.03)
    found["pricingInfo"][0]["pricingExpression"].update(expression)
    return found


def test_units_and_billionths_are_one_price():
    """Whole units come as text, the rest in billionths; what is 0 may be left out."""
    whole, rest = {"currencyCode": "USD", "units": "2"}, {"currencyCode": "USD", "nanos": 31_611_000}

    assert 2.933908 == pytest.approx(_core([sku(N1_CORE, 2.933908)]))
    assert 2.0 == _core([_with(tieredRates=[{"unitPrice": whole}])])
    assert 0.031611 == _core([_with(tieredRates=[{"unitPrice": rest}])])


def test_a_free_first_tier_is_passed_over():
    """The price is that of the first tier that costs anything, in whatever order the tiers come."""
    tiers = [tier(5000, 20_000_000), tier(720, 30_000_000), tier(0, 0)]

    assert 0.03 == _core([_with(tieredRates=tiers)])


def test_the_last_of_a_timeline_is_in_force():
    """Google's timeline of a price is in the order of time."""
    found = sku(N1_CORE, 0.03)
    found["pricingInfo"] += sku(N1_CORE, 0.05)["pricingInfo"]

    assert 0.05 == _core([found])


@pytest.mark.parametrize(
    "expression",
    [
        {"tieredRates": [tier(0, 0)]},
        {"tieredRates": []},
        {"tieredRates": "none"},
        {"tieredRates": [{"startUsageAmount": 0}]},
        {"tieredRates": [{"unitPrice": {"currencyCode": "USD", "units": "many", "nanos": 5}}]},
        {"tieredRates": [{"unitPrice": {"currencyCode": "USD", "units": "-1", "nanos": 0}}]},
        {"tieredRates": [{"unitPrice": {"currencyCode": "USD", "units": None, "nanos": 5}}]},
        {"tieredRates": [{"unitPrice": {"units": "0", "nanos": 5}}]},
        {"usageUnit": "mo"},
        {"usageUnit": None},
    ],
)
def test_what_is_no_price_is_none(expression: dict[str, Any]):
    """Zero, negative and garbled amounts, no currency and an unknown unit are seen and not believed."""
    assert _core([_with(**expression)]) is None


@pytest.mark.parametrize("pricing_info", [None, [], "free", [{}], [{"pricingExpression": "free"}]])
def test_a_sku_without_a_price_is_none(pricing_info: Any):
    """A part whose price is missing or has another shape is seen and not believed."""
    assert _core([sku(N1_CORE, 0.03, pricingInfo=pricing_info)]) is None


@pytest.mark.parametrize("order", [1, -1])
def test_of_skus_that_overlap_the_dearer_counts(order: int):
    """A region in a broad SKU and in one of its own takes the higher price, whatever the order; 0 is no price."""
    skus = [sku(N1_CORE, 0.03, AMERICAS), sku(N1_CORE, 0.035), sku(N1_CORE, 0.0)]

    assert 0.035 == _core(skus[::order])


@pytest.mark.parametrize("broken", [None, 7, "n1", {"usageType": 1}, {}])
def test_a_sku_without_a_category_is_passed_over(broken: Any):
    """One odd SKU among thousands does not spoil the list."""
    assert 0.031611 == _core([sku(N1_CORE, 9.0, category=broken), *n1()])
