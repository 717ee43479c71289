"""The AWS Price List's region index: which regions are wanted, and where each one's offer file lies.

https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/using-the-aws-price-list-bulk-api.html
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx

from plimsoll_service.prices.feeds.aws_machines import named
from plimsoll_service.prices.feeds.feed import FeedError, FeedRequest
from plimsoll_service.prices.feeds.http import get_json, moved, shown

INDEX = "https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonEC2/current/region_index.json"
CHINA_INDEX = "https://pricing.cn-north-1.amazonaws.com.cn/offers/v1.0/cn/AmazonEC2/current/region_index.json"
CHINA, CHINA_CURRENCY = "cn-", "CNY"
USD = "USD"


@dataclass(frozen=True)
class RegionFiles:
    """The address of each region's offer file, and notes on regions that were left out."""

    urls: dict[str, str]
    notes: tuple[str, ...]


def region_files(http: httpx.Client, request: FeedRequest) -> RegionFiles:
    """The offer files of the regions wanted; raises ``FeedError`` where one that was asked for cannot be had."""
    wanted, notes = _wanted(request)
    china = {region for region in wanted if region.startswith(CHINA)}
    listed: dict[str, str] = {}
    for index, regions in ((INDEX, set(wanted) - china), (CHINA_INDEX, china)):
        if regions:
            listed |= _indexed(http, index, request.base_url)
    missing = [region for region in wanted if region not in listed]
    if missing and (request.regions is not None or len(missing) == len(wanted)):
        raise FeedError(f"the region index lists no {', '.join(missing)}")
    lost = (f"not in the region index: {', '.join(missing)}",) if missing else ()
    return RegionFiles({region: listed[region] for region in wanted if region in listed}, (*notes, *lost))


def currency_of(region: str) -> str:
    """The currency that AWS states a region's prices in."""
    return CHINA_CURRENCY if region.startswith(CHINA) else USD


def _wanted(request: FeedRequest) -> tuple[list[str], tuple[str, ...]]:
    """The regions to fetch, and a note on those that are left out for want of an exchange rate."""
    unknown = sorted(set(request.regions or ()) - request.known_regions)
    if unknown:
        raise FeedError(f"the catalog has no region {', '.join(unknown)}")
    wanted = sorted(filter(request.wants, request.known_regions))
    china = [region for region in wanted if region.startswith(CHINA)]
    if not china or CHINA_CURRENCY in request.units_per_usd:
        return wanted, ()
    option = f"--exchange-rate {CHINA_CURRENCY}=…"
    needed = f"{', '.join(china)}: prices are in {CHINA_CURRENCY}: state its rate to the USD with {option}"
    if request.regions is not None or len(china) == len(wanted):
        raise FeedError(needed)
    return [region for region in wanted if region not in china], (f"left out: {needed}",)


def _indexed(http: httpx.Client, index: str, base_url: str | None) -> dict[str, str]:
    """Addresses by region; the index gives them relative to its host."""
    url = moved(index, base_url)
    document: Any = get_json(http, url)
    regions = document.get("regions") if isinstance(document, dict) else None
    if not isinstance(regions, dict) or not regions:
        raise FeedError(f"{shown(url)}: lists no 'regions'")
    paths = {
        name: str(entry.get("currentVersionUrl") or "") for name, entry in regions.items() if isinstance(entry, dict)
    }
    faulty = sorted(name for name in regions if not paths.get(name, "").startswith("/"))
    if faulty:
        raise FeedError(f"{shown(url)}: no 'currentVersionUrl' relative to the host for {named(faulty)}")
    host = urlsplit(index)
    return {name: moved(f"{host.scheme}://{host.netloc}{path}", base_url) for name, path in paths.items()}
