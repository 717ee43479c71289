"""Azure's retail price meters: read page by page, checked against the documented schema, and those in force.

Source of the format: https://learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlencode

import httpx

from ..currency import positive
from ..feed import FeedError
from ..http import get_json, moved

ORIGIN = "https://prices.azure.com"
PATH = "/api/retail/prices"
CONSUMPTION = "Consumption"
MOST_PAGES = 1000  # ten times the longest list: 10,000 meters of a region, 100 a page
END_GRACE = timedelta(minutes=1)  # a price that ends at 23:59:00 holds until midnight, when the next one begins
REQUIRED = (
    "armRegionName", "armSkuName", "currencyCode", "effectiveStartDate", "meterId", "meterName", "productName",
    "retailPrice", "serviceName", "skuName", "type", "unitOfMeasure",
)  # fmt: skip
SOURCE = "Azure Retail Prices"


@dataclass(frozen=True, slots=True)
class Meter:
    """One row of the list; ``price`` is per ``unit`` in ``currency``, ``None`` if it is not above 0."""

    identity: str
    arm_sku: str
    region: str
    product: str
    sku: str
    name: str
    unit: str
    currency: str
    price: float | None
    tier_minimum: float  # the units from which this price holds
    primary: bool
    starts: datetime
    ends: datetime | None


def listed(http: httpx.Client, base_url: str | None, service: str, region: str, more: str = "") -> list[Meter]:
    """The pay-as-you-go meters of a service in a region, with a further OData condition; raises ``FeedError``."""
    chosen = f"serviceName eq {_text(service)} and priceType eq '{CONSUMPTION}' and armRegionName eq {_text(region)}"
    query = {"currencyCode": "'USD'", "$filter": f"{chosen} and {more}" if more else chosen}
    first = f"{ORIGIN}{PATH}?{urlencode(query, quote_via=quote)}"
    found = [item for page in _pages(http, first, base_url) for item in page]
    return [
        _meter(item)
        for item in found
        if item["type"] == CONSUMPTION and item["serviceName"] == service and item["armRegionName"] == region
    ]


def named(field: str, *values: str) -> str:
    """The OData condition that a field has one of these values."""
    return "(" + " or ".join(f"{field} eq {_text(value)}" for value in values) + ")"


def in_force(meters: Iterable[Meter], at: datetime) -> list[Meter]:
    """The prices in force at a moment, the newest for each meter and tier."""
    newest: dict[tuple[str, str, str, float], list[Meter]] = {}
    for meter in meters:
        if not _holds(meter, at):
            continue
        same = newest.setdefault((meter.identity, meter.arm_sku, meter.sku, meter.tier_minimum), [])
        if same and meter.starts > same[0].starts:
            same.clear()
        if not same or meter.starts == same[0].starts:
            same.append(meter)
    return [meter for same in newest.values() for meter in same]


def _holds(meter: Meter, at: datetime) -> bool:
    if meter.ends is None:
        return meter.starts <= at
    placeholder = meter.ends <= meter.starts  # for a price that Azure has yet to state
    return not placeholder and meter.starts <= at < meter.ends + END_GRACE


def _text(value: str) -> str:
    """An OData text literal, in which quotes are doubled."""
    return "'" + value.replace("'", "''") + "'"


def _pages(http: httpx.Client, first: str, base_url: str | None) -> Iterator[list[dict[str, Any]]]:
    """The items of each page; links are followed at the provider's own host only."""
    link: str | None = first
    seen: set[str] = set()
    while link:
        if link in seen:
            raise FeedError(f"page {len(seen)} links back to a page that was read already")
        if len(seen) == MOST_PAGES:
            raise FeedError(f"the list does not end after {MOST_PAGES} pages")
        seen.add(link)
        items, link = _page(get_json(http, moved(link, base_url or ORIGIN)), len(seen))
        yield items


def _page(document: Any, number: int) -> tuple[list[dict[str, Any]], str | None]:
    if not isinstance(document, Mapping) or not isinstance(document.get("Items"), list):
        raise FeedError(f"page {number} has no list 'Items': the schema has changed")
    if "NextPageLink" not in document or not isinstance(document["NextPageLink"], str | None):
        raise FeedError(f"page {number} has no 'NextPageLink': the schema has changed")
    items: list[Any] = document["Items"]
    for item in items:
        lacking = [name for name in REQUIRED if not isinstance(item, Mapping) or name not in item]
        if lacking:
            raise FeedError(f"page {number} has a meter without {', '.join(lacking)}: the schema has changed")
    if not items and document["NextPageLink"]:
        raise FeedError(f"page {number} is empty in the middle of the list")
    if document.get("Count", len(items)) != len(items):
        raise FeedError(f"page {number} has {len(items)} meters where it states {document['Count']}")
    return items, document["NextPageLink"]


def _meter(item: Mapping[str, Any]) -> Meter:
    return Meter(
        identity=str(item["meterId"]),
        arm_sku=str(item["armSkuName"] or ""),
        region=str(item["armRegionName"]),
        product=str(item["productName"]),
        sku=str(item["skuName"]),
        name=str(item["meterName"]),
        unit=str(item["unitOfMeasure"]),
        currency=str(item["currencyCode"]),
        price=_positive(item["retailPrice"]),
        tier_minimum=_positive(item.get("tierMinimumUnits")) or 0.0,
        primary=bool(item.get("isPrimaryMeterRegion")),
        starts=_moment(item, "effectiveStartDate"),
        ends=_moment(item, "effectiveEndDate") if item.get("effectiveEndDate") else None,
    )


def _positive(value: Any) -> float | None:
    """A number above 0, never text."""
    return None if isinstance(value, str) else positive(value)


def _moment(item: Mapping[str, Any], field: str) -> datetime:
    try:
        stated = datetime.fromisoformat(str(item[field]))
    except ValueError:
        raise FeedError(f"{field} of the meter {item['meterName']!r} is {item[field]!r}, not a date") from None
    return stated if stated.tzinfo else stated.replace(tzinfo=UTC)
