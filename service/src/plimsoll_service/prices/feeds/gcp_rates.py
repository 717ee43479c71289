"""The price of each part by region and purchase option, in USD, collected from the pages of the price list."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from plimsoll_service.prices.feeds import currency
from plimsoll_service.prices.feeds.feed import FeedError, FeedRequest
from plimsoll_service.prices.feeds.gcp_skus import (
    ACCELERATOR,
    CAPACITY,
    CORE,
    IOPS,
    LOCAL_SSD,
    MACHINE,
    MEMORY,
    THROUGHPUT,
    Part,
    recognised,
)

HOURS_PER_MONTH = 730.0  # of Google's own pricing pages
GB_PER_GIB = 2**30 / 10**9
NANOS_PER_UNIT = 1e9

# By kind, what a price per usage unit is times to be one per hour (machines) or month (volumes) and piece or GiB.
# C4D's memory is priced per decimal GB.
PER_UNIT: dict[str, dict[str, float]] = {
    CORE: {"h": 1.0},
    MEMORY: {"GiBy.h": 1.0, "GBy.h": GB_PER_GIB},
    ACCELERATOR: {"h": 1.0},
    LOCAL_SSD: {"GiBy.mo": 1 / HOURS_PER_MONTH, "GiBy.h": 1.0},
    MACHINE: {"h": 1.0},
    CAPACITY: {"GiBy.mo": 1.0, "GBy.mo": GB_PER_GIB, "GiBy.h": HOURS_PER_MONTH},
    IOPS: {"mo": 1.0, "h": HOURS_PER_MONTH},
    THROUGHPUT: {"mo": 1.0, "h": HOURS_PER_MONTH},
}


@dataclass(frozen=True)
class PartRates:
    """Prices by (part, purchase option), then region; ``None`` is listed without a price that can be believed."""

    usd: Mapping[tuple[Part, str], Mapping[str, float | None]]
    unknown_regions: frozenset[str]
    remark: str  # of the exchange rate that converted them; empty for USD


def collected(skus: Iterable[Mapping[str, Any]], request: FeedRequest) -> PartRates:
    """The rates of every part that is recognised; raises ``FeedError`` where not one is, or for a foreign currency."""
    usd: dict[tuple[Part, str], dict[str, float | None]] = defaultdict(dict)
    unknown: set[str] = set()
    remarks: set[str] = set()
    read = 0
    for sku in skus:
        read += 1
        key = _recognised(sku)
        if key is None:
            continue
        price, remark = _price(sku, key[0].kind, request)
        remarks.add(remark)
        for region in _texts(sku.get("serviceRegions")):
            if region in request.known_regions:
                usd[key][region] = _higher(usd[key].get(region), price)
            else:
                unknown.add(region)
    if not usd:
        raise FeedError(f"none of {read:,} SKUs is a known part of a machine in a known region: the format has changed")
    return PartRates(usd, frozenset(unknown), "".join(sorted(remarks)))


def _recognised(sku: Mapping[str, Any]) -> tuple[Part, str] | None:
    description, category = sku.get("description"), sku.get("category")
    usage_type = category.get("usageType") if isinstance(category, dict) else None
    if not isinstance(description, str) or not isinstance(usage_type, str):
        return None
    return recognised(description, usage_type)


def _higher(one: float | None, other: float | None) -> float | None:
    """A region can stand in a broad SKU and in one of its own: the higher price understates nobody's bill."""
    return max((price for price in (one, other) if price is not None), default=None)


def _price(sku: Mapping[str, Any], kind: str, request: FeedRequest) -> tuple[float | None, str]:
    """USD per unit of the part, or ``None`` for one that cannot be believed; with the remark on its conversion."""
    timeline = _maps(sku.get("pricingInfo"))
    if not timeline:
        return None, ""
    info = timeline[-1]  # chronological: the last one is in force
    expression = info.get("pricingExpression")
    if not isinstance(expression, dict):
        return None, ""
    factor = PER_UNIT[kind].get(str(expression.get("usageUnit")))
    money = _first_paid(expression)
    if factor is None or money is None:
        return None, ""
    amount, code = money
    rate = _rate(info, code, request)
    return amount * factor * rate.usd_per_unit, rate.remark


def _first_paid(expression: Mapping[str, Any]) -> tuple[float, str] | None:
    """Amount and currency of the first tier that costs anything: some SKUs begin with a free one."""
    tiers = _maps(expression.get("tieredRates"))
    for tier in sorted(tiers, key=_start):
        price = tier.get("unitPrice")
        if not isinstance(price, dict) or not isinstance(price.get("currencyCode"), str):
            return None
        amount = _amount(price)
        if not math.isfinite(amount) or amount < 0:
            return None
        if amount > 0:
            return amount, price["currencyCode"]
    return None


def _start(tier: Mapping[str, Any]) -> float:
    start = tier.get("startUsageAmount", 0)
    return float(start) if isinstance(start, (int, float)) else math.inf


def _amount(price: Mapping[str, Any]) -> float:
    """Units and billionths as a number, NaN where they are none; Google leaves out what is 0."""
    try:
        return int(price.get("units", 0)) + int(price.get("nanos", 0)) / NANOS_PER_UNIT
    except (TypeError, ValueError):
        return math.nan


def _rate(info: Mapping[str, Any], code: str, request: FeedRequest) -> currency.Rate:
    """The answer's own exchange rate, of which 1 is none for another currency, else the operator's."""
    stated = info.get("currencyConversionRate")
    if code != currency.USD and isinstance(stated, (int, float)) and stated > 0 and stated != 1:
        return currency.Rate(1 / stated, "derived", f" ({code} at {stated:g} a USD)")
    return currency.rate(request, code)


def _maps(found: object) -> list[dict[str, Any]]:
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _texts(found: object) -> list[str]:
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else []
