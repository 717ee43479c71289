"""Prices of Google Cloud's volume products by region."""

from __future__ import annotations

from collections.abc import Mapping

from plimsoll_service.prices.feeds.feed import ON_DEMAND, FeedRequest, VolumeQuote
from plimsoll_service.prices.feeds.gcp_compose import DECIMALS, SOURCE
from plimsoll_service.prices.feeds.gcp_rates import HOURS_PER_MONTH, PartRates
from plimsoll_service.prices.feeds.gcp_skus import ANY_FAMILY, CAPACITY, IOPS, LOCAL_SSD, THROUGHPUT, Part

LOCAL_SSD_PRODUCT = "local-ssd"
# What is paid for besides capacity (https://cloud.google.com/compute/disks-image-pricing); the others, nothing.
PAID_APART = {
    "pd-extreme": (IOPS,),
    "hyperdisk-balanced": (IOPS, THROUGHPUT),
    "hyperdisk-extreme": (IOPS,),
    "hyperdisk-throughput": (THROUGHPUT,),
    "hyperdisk-ml": (THROUGHPUT,),
}


def volumes(rates: PartRates, request: FeedRequest) -> tuple[VolumeQuote, ...]:
    """Every product of the catalog in every region asked for, where all that is paid for has a price."""
    return tuple(
        quote
        for product in sorted(request.products)
        for region in sorted(filter(request.wants, _capacity(product, rates)))
        if (quote := _quote(product, region, rates, request)) is not None
    )


def _capacity(product: str, rates: PartRates) -> Mapping[str, float | None]:
    """USD per GiB and month by region; local SSDs are collected by the hour."""
    if product != LOCAL_SSD_PRODUCT:
        return rates.usd.get((Part(CAPACITY, product), ON_DEMAND), {})
    by_hour = rates.usd.get((Part(LOCAL_SSD, ANY_FAMILY), ON_DEMAND), {})
    return {region: None if price is None else price * HOURS_PER_MONTH for region, price in by_hour.items()}


def _quote(product: str, region: str, rates: PartRates, request: FeedRequest) -> VolumeQuote | None:
    kinds = PAID_APART.get(product, ())
    apart = {kind: rates.usd.get((Part(kind, product), ON_DEMAND), {}).get(region) for kind in kinds}
    capacity = _capacity(product, rates).get(region)
    if capacity is None or None in apart.values():
        return None
    return VolumeQuote(
        request.cloud,
        product,
        region,
        round(capacity, DECIMALS),
        _rounded(apart.get(IOPS)),
        _rounded(apart.get(THROUGHPUT)),
        confidence="derived" if rates.remark else "list",
        source=SOURCE + rates.remark,
    )


def _rounded(price: float | None) -> float | None:
    return None if price is None else round(price, DECIMALS)
