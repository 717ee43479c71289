"""Azure's price lists as the API answers them, page by page, for a loopback provider."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from tests.service.prices.feeds.loopback import Asked, Provider, Reply

from plimsoll_service.prices.feeds.azure import AzureFeed
from plimsoll_service.prices.feeds.feed import CloudFacts, FeedRequest, TypeFacts

PATH = "/api/retail/prices"
NOW = datetime(2026, 11, 21, 7, 30, tzinfo=UTC)
FEED = AzureFeed(now=lambda: NOW)
REGION = "westeurope"
D4S, V100 = "Standard_D4s_v3", "Standard_NC6s_v3"
PRODUCTS = frozenset(
    ("premium-ssd-P10", "premium-ssd-P30", "premium-ssd-P80", "premium-ssd-v2", "standard-ssd", "standard-hdd", "ultra")
)


def machine(price: Any = 0.24, **fields: Any) -> dict[str, Any]:
    """A meter of a Linux machine on demand, with the given fields."""
    return {
        "currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": price, "unitPrice": price,
        "armRegionName": REGION, "location": "EU West", "effectiveStartDate": "2024-05-01T00:00:00Z",
        "meterId": "5e1ff2ad-dfa9-5b28-a14c-1eae4b9a5dcc", "meterName": "D4 v3/D4s v3", "productId": "DZH318Z0BQ4L",
        "skuId": "DZH318Z0BQ4L/00V9", "productName": "Virtual Machines DSv3 Series", "skuName": "D4s v3",
        "serviceName": "Virtual Machines", "serviceId": "DZH313Z7MMC8", "serviceFamily": "Compute",
        "unitOfMeasure": "1 Hour", "type": "Consumption", "isPrimaryMeterRegion": True, "armSkuName": D4S, **fields,
    }  # fmt: skip


def spot(price: Any = 0.05, **fields: Any) -> dict[str, Any]:
    """The spot meter of the same machine."""
    names = {"meterName": "D4 v3/D4s v3 Spot", "skuName": "D4s v3 Spot", "meterId": "0c1a2f11-spot"}
    return machine(price, **{**names, **fields})


def disk(product: str, meter: str, price: Any, unit: str = "1/Month", **fields: Any) -> dict[str, Any]:
    """A meter of a managed disk."""
    own = {
        "productName": product, "meterName": meter, "skuName": " ".join(meter.split()[:2]), "unitOfMeasure": unit,
        "serviceName": "Storage", "serviceFamily": "Storage", "armSkuName": "", "meterId": f"{product}/{meter}",
    }  # fmt: skip
    return machine(price, **{**own, **fields})


def page(items: list[dict[str, Any]], following: str | None = None) -> dict[str, Any]:
    """One page of an answer."""
    return {
        "BillingCurrency": "USD", "CustomerEntityId": "Default", "CustomerEntityType": "Retail", "Items": items,
        "NextPageLink": following, "Count": len(items),
    }  # fmt: skip


def serve(provider: Provider, *items: Mapping[str, Any], per_page: int = 100) -> None:
    """Answer the filters of the feed from these meters, in pages whose links name the provider's real host."""
    provider.routes[PATH] = answering(list(items), per_page)


def answering(items: list[Mapping[str, Any]], per_page: int) -> Callable[[Asked], Reply]:
    """The route that filters by service, region and type name, and pages by ``$skip``."""

    def answer(asked: Asked) -> Reply:
        chosen = asked.query["$filter"]
        found = [
            dict(item)
            for item in items
            if f"serviceName eq '{item['serviceName']}'" in chosen
            and f"armRegionName eq '{item['armRegionName']}'" in chosen
            and ("armSkuName eq" not in chosen or f"armSkuName eq '{item['armSkuName']}'" in chosen)
        ]
        skip = int(asked.query.get("$skip", 0))
        rest = f"https://prices.azure.com:443{PATH}?$filter={chosen.replace(' ', '%20')}&$skip={skip + per_page}"
        return Reply(page(found[skip : skip + per_page], rest if skip + per_page < len(found) else None))

    return answer


def request(
    provider: Provider,
    *,
    types: Mapping[str, TypeFacts] | None = None,
    products: frozenset[str] = PRODUCTS,
    **fields: Any,
) -> FeedRequest:
    """A refresh of one region whose two types are known to be sold there."""
    sold = TypeFacts(4, 16, None, 0, 0, False, frozenset((REGION,)))
    known = CloudFacts(frozenset((REGION, "eastus")), {D4S: sold, V100: sold} if types is None else types, products)
    return replace(FeedRequest("azure", (REGION,), {"azure": known}, base_url=provider.url), **fields)
