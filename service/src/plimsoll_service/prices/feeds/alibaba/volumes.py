"""Prices of Alibaba Cloud's volumes: pay-as-you-go prices of a GiB, from the public list or DescribePrice."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from ....engine.units import HOURS_PER_MONTH
from ..currency import DERIVED, positive
from ..feed import FeedRequest, VolumeQuote
from .api import Ecs, Refusal
from .machines import AT_ONCE, currency_of, described, rate_of
from .price_list import ListUnavailable, MachineList, disk_list, hourly, source_of

PROBE_GIB = 2000  # a size of all products: ESSD PL3 begins at 1,261 GiB, cloud ends at 2,000
# By the product's name in the catalog: category and performance level of the API.
PRODUCTS = {
    "cloud": ("cloud", None),
    "cloud_auto": ("cloud_auto", None),
    "cloud_efficiency": ("cloud_efficiency", None),
    "cloud_essd_pl0": ("cloud_essd", "PL0"),
    "cloud_essd_pl1": ("cloud_essd", "PL1"),
    "cloud_essd_pl2": ("cloud_essd", "PL2"),
    "cloud_essd_pl3": ("cloud_essd", "PL3"),
    "cloud_ssd": ("cloud_ssd", None),
}
# Other names in the public list; an ESSD without a level is a PL1.
LISTED_AS = {"cloud_essd": "cloud_essd_pl1"}
SYSTEM = "system"

Priced = dict[tuple[str, str], VolumeQuote]  # by region and product


def volumes(
    http: httpx.Client, request: FeedRequest, listed: MachineList | None, ecs: Ecs | None, regions: list[str]
) -> tuple[Priced, list[str]]:
    """The volumes of these regions, and notes on those without a price; raises ``FeedError``."""
    found: Priced = {}
    notes: list[str] = []
    if listed is not None:
        try:
            found = _listed(request, *disk_list(http, request, listed.edition), source_of(listed))
        except ListUnavailable as error:
            notes.append(f"volumes: no public price list: {error}")
    wanted = [(region, product) for region in regions for product in sorted(PRODUCTS.keys() & request.products)]
    if ecs is not None:
        missing = [pair for pair in wanted if pair not in found]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            quotes = pool.map(lambda pair: _asked(request, ecs, *pair), missing)
            found |= {pair: quote for pair, quote in zip(missing, quotes, strict=True) if quote is not None}
    without = sorted({product for region, product in wanted if (region, product) not in found})
    if without:
        notes.append(f"volumes: {', '.join(without)} have no price in some regions: what is known of them stays")
    return found, notes


def _listed(request: FeedRequest, info: Mapping[str, Any], currency: str, source: str) -> Priced:
    """The volumes of the public list; raises ``FeedError`` for a currency without a rate."""
    found: Priced = {}
    rate = rate_of(request, currency)
    for key, terms in info.items():
        region, _, rest = key.partition("::")
        category, _, use = rest.lower().partition("::")
        product = LISTED_AS.get(category, category)
        price = _of_a_gib(terms)
        if product not in PRODUCTS or product not in request.products or not request.wants(region) or price is None:
            continue
        if (region, product) not in found or not use.startswith(SYSTEM):
            usd = price * HOURS_PER_MONTH * rate.usd_per_unit
            said = source + rate.remark
            found[region, product] = VolumeQuote(request.cloud, product, region, usd, confidence=DERIVED, source=said)
    return found


def _of_a_gib(terms: object) -> float | None:
    """The price of a GiB and hour; system disks also state the price of their first 40 GiB."""
    prices = {positive(value): positive(price) for value, price in hourly(terms)}
    size = min((value for value in prices if value is not None), default=None)
    price = None if size is None else prices[size]
    return None if size is None or price is None else price / size


def _asked(request: FeedRequest, ecs: Ecs, region: str, product: str) -> VolumeQuote | None:
    """A volume's price by that of one size; ``None`` if the region does not sell it."""
    category, level = PRODUCTS[product]
    parameters = {"ResourceType": "disk", "DataDisk.1.Category": category, "DataDisk.1.Size": str(PROBE_GIB)}
    if level is not None:
        parameters["DataDisk.1.PerformanceLevel"] = level
    try:
        answer = described(ecs, region, parameters)
    except Refusal as refusal:
        if refusal.final:
            raise
        return None
    price = positive(answer.get("OriginalPrice"))
    if price is None:
        return None
    rate = rate_of(request, currency_of(answer, f"{region}: {product}"))
    usd = price / PROBE_GIB * HOURS_PER_MONTH * rate.usd_per_unit
    source = f"Alibaba Cloud ECS, by the hour{rate.remark}"
    return VolumeQuote(request.cloud, product, region, usd, confidence=DERIVED, source=source)
