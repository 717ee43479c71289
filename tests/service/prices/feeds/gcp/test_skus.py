"""SKUs of Google Cloud's price list: the part that each prices, and the price by region."""

from __future__ import annotations

from typing import Any

import pytest
from tests.service.prices.feeds.gcp.price_list import AMERICAS, IOWA, N1_CORE, n1, request, sku, tier

from plimsoll_service.prices.feeds.gcp.skus import (
    ANY_FAMILY,
    B200_WITH_MACHINE,
    H100_MEGA,
    M2_PREMIUM,
    Kind,
    Part,
    collected,
    recognised,
)

ON_DEMAND, PREEMPTIBLE = "OnDemand", "Preemptible"
CORES = (Part(Kind.CORE, "n1"), "on_demand")


@pytest.mark.parametrize(
    ("description", "part"),
    [
        ("N1 Predefined Instance Core running in Americas", Part(Kind.CORE, "n1")),
        ("N1 Predefined Instance Ram running in Montreal", Part(Kind.MEMORY, "n1")),
        ("N2 Instance Core running in Paris", Part(Kind.CORE, "n2")),
        ("N2D AMD Instance Ram running in EMEA", Part(Kind.MEMORY, "n2d")),
        ("C4A Arm Instance Core running in Iowa", Part(Kind.CORE, "c4a")),
        ("C4D Instance Ram running in Americas", Part(Kind.MEMORY, "c4d")),
        ("Compute optimized Core running in Americas", Part(Kind.CORE, "c2")),
        ("Compute optimized Instance Ram running in Doha", Part(Kind.MEMORY, "c2")),
        ("Memory-optimized Instance Core running in Tokyo", Part(Kind.CORE, "m1")),
        ("M3 Memory-optimized Instance Ram running in Tokyo", Part(Kind.MEMORY, "m3")),
        ("M4Ultramem224 Instance Core running in Americas", Part(Kind.CORE, "m4ultramem224")),
        ("A3Plus Instance Ram running in Tokyo", Part(Kind.MEMORY, "a3plus")),
        (
            "Memory Optimized Upgrade Premium for Memory-optimized Instance Core running in Americas",
            Part(Kind.CORE, M2_PREMIUM),
        ),
        ("Micro Instance with burstable CPU running in Americas", Part(Kind.MACHINE, "f1-micro")),
        ("Small Instance with 1 VCPU running in Japan", Part(Kind.MACHINE, "g1-small")),
        ("Nvidia Tesla A100 GPU running in Americas", Part(Kind.ACCELERATOR, "A100-40GB")),
        ("Nvidia Tesla A100 80GB GPU running in Americas", Part(Kind.ACCELERATOR, "A100-80GB")),
        ("Nvidia H100 80GB GPU running in Americas", Part(Kind.ACCELERATOR, "H100-SXM")),
        ("Nvidia H100 80GB Plus GPU running in Americas", Part(Kind.ACCELERATOR, H100_MEGA)),
        ("Nvidia H100 80GB Mega GPU running in Tokyo", Part(Kind.ACCELERATOR, H100_MEGA)),
        ("H200 141GB GPU running in Netherlands", Part(Kind.ACCELERATOR, "H200")),
        ("RTX 6000 96GB running in Belgium", Part(Kind.ACCELERATOR, "RTX-PRO-6000")),
        ("A4 Nvidia B200 (1 gpu slice) running in Americas", Part(Kind.ACCELERATOR, B200_WITH_MACHINE)),
        ("SSD backed Local Storage", Part(Kind.LOCAL_SSD, ANY_FAMILY)),
        ("SSD backed Local Storage in Dallas", Part(Kind.LOCAL_SSD, ANY_FAMILY)),
        ("C4 Instance Local SSD running in Americas", Part(Kind.LOCAL_SSD, "c4")),
        ("Storage PD Capacity", Part(Kind.CAPACITY, "pd-standard")),
        ("SSD backed PD Capacity in Seoul", Part(Kind.CAPACITY, "pd-ssd")),
        ("Extreme PD IOPS in Iowa", Part(Kind.IOPS, "pd-extreme")),
        ("Hyperdisk Balanced Throughput in Iowa", Part(Kind.THROUGHPUT, "hyperdisk-balanced")),
        ("Hyperdisk Throughput Capacity in Iowa", Part(Kind.CAPACITY, "hyperdisk-throughput")),
        ("Hyperdisk Throughput Throughput Capacity in Iowa", Part(Kind.THROUGHPUT, "hyperdisk-throughput")),
    ],
)
def test_a_part_is_known_by_its_description(description: str, part: Part):
    """The description, without the place at its end, names family and part."""
    assert (part, "on_demand") == recognised(description, ON_DEMAND)


@pytest.mark.parametrize(
    ("description", "usage", "part"),
    [
        ("Spot Preemptible N2 Instance Core running in Dallas", PREEMPTIBLE, Part(Kind.CORE, "n2")),
        ("Preemptible N1 Predefined Instance Ram running in Sydney", PREEMPTIBLE, Part(Kind.MEMORY, "n1")),
        ("Nvidia L4 GPU attached to Spot Preemptible VMs running in Iowa", PREEMPTIBLE, Part(Kind.ACCELERATOR, "L4")),
        (
            "Nvidia Tesla K80 GPU attached to preemptible VMs running in Belgium",
            PREEMPTIBLE,
            Part(Kind.ACCELERATOR, "K80"),
        ),
        ("N2 Instance Core running in Paris", PREEMPTIBLE, Part(Kind.CORE, "n2")),
        # Filed under OnDemand by mistake: taken for it, spot would be the price of everybody.
        (
            "Spot Preemptible A4 Nvidia B200 (1 gpu slice) running in Americas",
            ON_DEMAND,
            Part(Kind.ACCELERATOR, B200_WITH_MACHINE),
        ),
        ("SSD backed Local Storage attached to Spot Preemptible VMs", ON_DEMAND, Part(Kind.LOCAL_SSD, ANY_FAMILY)),
        ("Spot Preemptible C4D Instance Local SSD running in Iowa", PREEMPTIBLE, Part(Kind.LOCAL_SSD, "c4d")),
    ],
)
def test_spot_is_known_by_words_or_usage_type(description: str, usage: str, part: Part):
    """Old and new words for spot, and the usage type without words, all mean spot."""
    assert (part, "spot") == recognised(description, usage)


@pytest.mark.parametrize(
    ("description", "usage"),
    [
        ("N2 Custom Instance Core running in Americas", ON_DEMAND),
        ("Custom Instance Core running in Americas", ON_DEMAND),
        ("N2 Custom Extended Instance Ram running in Americas", ON_DEMAND),
        ("Spot Preemptible E2 Custom Instance Core running in Paris", PREEMPTIBLE),
        ("N2 Sole Tenancy Instance Core running in Americas", ON_DEMAND),
        ("Sole Tenancy Premium for C4 Sole Tenancy Instance Core running in Americas", ON_DEMAND),
        ("Nvidia Tesla T4 GPU attached to Sole Tenancy VMs running in Americas", ON_DEMAND),
        ("Nvidia L4 GPU attached to DWS Defined Duration VMs running in Frankfurt", ON_DEMAND),
        ("DWS Defined Duration A3 Core running in Americas", ON_DEMAND),
        ("Reserved Nvidia H100 80GB Mega GPU in Americas in Calendar Mode", ON_DEMAND),
        ("Reserved A2 Ram in Netherlands", ON_DEMAND),
        ("A3 Instance Core running in Americas in Calendar Mode", ON_DEMAND),
        ("Commitment v1: Cpu in Americas for 1 Year", "Commit1Yr"),
        ("Commitment v1: N4A Core in Johannesburg for 5 Years", ON_DEMAND),
        ("N2 Instance Core running in Americas", "Commit3Yr"),
        ("Committed Use Discount Premium for E2 Custom Instance Core running in Johannesburg", "CmtCudPremium"),
        ("Capacity Optimized A3 Instance Core running in Iowa", ON_DEMAND),
        ("Licensing Fee for Windows Server 2019 Datacenter Edition (CPU cost)", ON_DEMAND),
        ("Licensing Fee for NVIDIA L4", ON_DEMAND),
        ("TpuV5e running in Americas", ON_DEMAND),
        ("Nvidia Tesla T4 Virtual Workstation GPU running in Iowa", ON_DEMAND),
        ("Regional SSD backed PD Capacity in Iowa", ON_DEMAND),
        ("Storage PD Snapshot in Mumbai", ON_DEMAND),
        ("Hyperdisk Balanced High Availability Iops in Mexico", ON_DEMAND),
        ("Hyperdisk Balanced Storage Pools Advanced Capacity - Mexico", ON_DEMAND),
        ("Hyperdisk Balanced Confidential Capacity in Iowa", ON_DEMAND),
        ("Network Internet Data Transfer Out from Americas to China", ON_DEMAND),
        ("", ON_DEMAND),
    ],
)
def test_a_look_alike_is_no_part(description: str, usage: str):
    """Prices that do not apply to a predefined machine by the hour or a plain volume are ignored."""
    assert recognised(description, usage) is None


def _core(skus: list[dict[str, Any]]) -> float | None:
    return collected(skus, request(None)).usd[CORES][IOWA]


def _with(**expression: Any) -> dict[str, Any]:
    found = sku(N1_CORE, 0.03)
    found["pricingInfo"][0]["pricingExpression"].update(expression)
    return found


def test_units_and_billionths_are_one_price():
    """Whole units are text, the rest is in billionths; a 0 may be missing."""
    whole, rest = {"currencyCode": "USD", "units": "2"}, {"currencyCode": "USD", "nanos": 31_611_000}

    assert 2.933908 == pytest.approx(_core([sku(N1_CORE, 2.933908)]))
    assert 2.0 == _core([_with(tieredRates=[{"unitPrice": whole}])])
    assert 0.031611 == _core([_with(tieredRates=[{"unitPrice": rest}])])


def test_a_free_first_tier_is_passed_over():
    """The price is that of the first tier above 0, in any order of the tiers."""
    tiers = [tier(5000, 20_000_000), tier(720, 30_000_000), tier(0, 0)]

    assert 0.03 == _core([_with(tieredRates=tiers)])


def test_the_last_of_a_timeline_is_in_force():
    """The last entry of Google's timeline is in force."""
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
    """Zero, negative and garbled amounts, a missing currency and an unknown unit are no prices."""
    assert _core([_with(**expression)]) is None


@pytest.mark.parametrize("pricing_info", [None, [], "free", [{}], [{"pricingExpression": "free"}]])
def test_a_sku_without_a_price_is_none(pricing_info: Any):
    """A part with a missing or malformed price has no price."""
    assert _core([sku(N1_CORE, 0.03, pricingInfo=pricing_info)]) is None


@pytest.mark.parametrize("order", [1, -1])
def test_of_skus_that_overlap_the_dearer_counts(order: int):
    """A region in a broad and in a specific SKU has the higher price, in any order; 0 is no price."""
    skus = [sku(N1_CORE, 0.03, AMERICAS), sku(N1_CORE, 0.035), sku(N1_CORE, 0.0)]

    assert 0.035 == _core(skus[::order])


@pytest.mark.parametrize("broken", [None, 7, "n1", {"usageType": 1}, {}])
def test_a_sku_without_a_category_is_passed_over(broken: Any):
    """One odd SKU does not spoil the list."""
    assert 0.031611 == _core([sku(N1_CORE, 9.0, category=broken), *n1()])
