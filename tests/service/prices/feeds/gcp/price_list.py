"""Google's price list as documented: SKUs, pages of them, and requests for a few machine types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.service.prices.feeds.loopback import Asked, Provider, Reply

from plimsoll_service.prices.feeds.feed import CloudFacts, FeedRequest, TypeFacts
from plimsoll_service.prices.feeds.gcp import FEED

PATH = "/v1/services/6F81-5844-456A/skus"
IOWA, BELGIUM = "us-central1", "europe-west1"
AMERICAS = (IOWA, "us-east1", "us-west1")
N1_CORE, N1_RAM = "N1 Predefined Instance Core", "N1 Predefined Instance Ram"

__all__ = ["AMERICAS", "BELGIUM", "FEED", "IOWA", "N1_CORE", "N1_RAM", "PATH"]
__all__ += ["facts", "n1", "paged", "prices", "request", "sku"]


def sku(
    what: str,
    price: float,
    regions: tuple[str, ...] = (IOWA,),
    *,
    unit: str | None = None,
    usage: str = "OnDemand",
    currency: str = "USD",
    **more: Any,
) -> dict[str, Any]:
    """One SKU at a price per unit; ``more`` replaces whole fields."""
    nanos = round(price * 1e9)
    group = "RAM" if " Ram" in what else "CPU"
    found = {
        "name": f"services/6F81-5844-456A/skus/{what}",
        "skuId": what,
        "description": what if " in " in what else f"{what} running in Americas",
        "category": {
            "serviceDisplayName": "Compute Engine",
            "resourceFamily": "Compute",
            "resourceGroup": "N1Standard" if "N1" in what else group,
            "usageType": usage,
        },
        "serviceRegions": list(regions),
        "pricingInfo": [
            {
                "effectiveTime": "2026-11-20T08:00:00.123456Z",
                "summary": "",
                "pricingExpression": {
                    "usageUnit": unit or ("GiBy.h" if " Ram" in what else "h"),
                    "displayQuantity": 1,
                    "tieredRates": [tier(0, nanos, currency)],
                },
                "currencyConversionRate": 1,
            }
        ],
        "serviceProviderName": "Google",
    }
    return {**found, **more}


def tier(start: float, nanos: int, currency: str = "USD") -> dict[str, Any]:
    """A tier of a price, in billionths: Google gives whole units as text."""
    whole, rest = divmod(nanos, 10**9)
    price = {"currencyCode": currency, "units": str(whole), "nanos": rest}
    return {"startUsageAmount": start, "unitPrice": price}


def n1(core: float = 0.031611, ram: float = 0.004237, regions: tuple[str, ...] = AMERICAS) -> list[dict[str, Any]]:
    """The two SKUs of N1 on demand, at the price of Iowa unless said otherwise."""
    return [sku(N1_CORE, core, regions), sku(N1_RAM, ram, regions)]


def paged(provider: Provider, *pages: list[dict[str, Any]]) -> None:
    """Serve these pages, each naming the next by a token."""

    def answer(asked: Asked) -> Reply:
        number = int(asked.query.get("pageToken", "page-0").removeprefix("page-"))
        token = f"page-{number + 1}" if number + 1 < len(pages) else ""
        return Reply({"skus": pages[number], "nextPageToken": token})

    provider.routes[PATH] = answer


def facts(
    vcpus: float = 4.0,
    memory_gib: float = 15.0,
    accelerator: str | None = None,
    count: float = 0.0,
    disk_gb: float = 0.0,
    regions: tuple[str, ...] = (IOWA,),
    retired: bool = False,
) -> TypeFacts:
    """Facts of the catalog about a type: by default those of n1-standard-4."""
    return TypeFacts(vcpus, memory_gib, accelerator, count, disk_gb, retired, frozenset(regions))


def request(
    provider: Provider | None,
    types: Mapping[str, TypeFacts] | None = None,
    *,
    regions: tuple[str, ...] | None = None,
    environment: Mapping[str, str] | None = None,
    products: frozenset[str] = frozenset(),
    rates: Mapping[str, float] | None = None,
) -> FeedRequest:
    """A refresh from the loopback provider, of n1-standard-4 unless other types are given."""
    known = {"n1-standard-4": facts()} if types is None else types
    return FeedRequest(
        cloud="gcp",
        regions=regions,
        clouds={"gcp": CloudFacts(frozenset({*AMERICAS, BELGIUM}), known, products)},
        environment=environment or {},
        base_url=None if provider is None else provider.url,
        units_per_usd=rates or {},
    )


def prices(
    provider: Provider, skus: list[dict[str, Any]], types: Mapping[str, TypeFacts] | None = None
) -> dict[tuple[str, str, str], float]:
    """Prices that a refresh reads from one page, by instance type, region and purchase option."""
    paged(provider, skus)
    found = FEED.fetch(request(provider, types)).offers
    return {(offer.instance_type, offer.region, offer.purchase): offer.usd_per_hour for offer in found}
