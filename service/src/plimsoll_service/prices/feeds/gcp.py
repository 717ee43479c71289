"""Google Cloud's price list: the Cloud Billing Catalog of Compute Engine, whose parts make machine prices.

Source of the format: https://cloud.google.com/billing/docs/reference/rest/v1/services.skus/list
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import httpx

from plimsoll_service.prices.feeds.feed import Feed, FeedError, FeedRequest, Fetched
from plimsoll_service.prices.feeds.gcp_access import access
from plimsoll_service.prices.feeds.gcp_compose import SOURCE, Composed, composed, covered
from plimsoll_service.prices.feeds.gcp_machines import recipes
from plimsoll_service.prices.feeds.gcp_rates import PartRates, collected
from plimsoll_service.prices.feeds.gcp_skus import CORE
from plimsoll_service.prices.feeds.gcp_volumes import volumes
from plimsoll_service.prices.feeds.http import client, get_json, moved

COMPUTE_ENGINE = "https://cloudbilling.googleapis.com/v1/services/6F81-5844-456A/skus"
PAGE_SIZE = 5000  # the most that Google gives
MOST_PAGES = 50  # six times what the list's 40,000 SKUs need, as a page may hold less than was asked for


class GcpFeed:
    """Compute Engine's machines, on demand and spot, and its disks."""

    name = "gcp"

    def fetch(self, request: FeedRequest) -> Fetched:
        """All prices of the regions asked for; raises ``FeedError``."""
        with client(access(request)) as http:
            http.follow_redirects = False  # a key goes to no other host
            rates = collected(_skus(http, request), request)
        scope = covered(rates, request)
        if not scope:
            raise FeedError(f"{SOURCE}: no SKU is for a region asked for")
        found = composed(rates, scope, request)
        if not found.offers:
            raise FeedError(f"{SOURCE}: not one machine type has a price above 0")
        return Fetched(
            source=SOURCE,
            offers=found.offers,
            covered=scope,
            volumes=volumes(rates, request),
            unusable=found.unusable,
            notes=_notes(rates, found, request),
        )


def _skus(http: httpx.Client, request: FeedRequest) -> Iterator[Mapping[str, Any]]:
    """The SKUs of all pages; raises ``FeedError`` for a page that is none and for pages that do not end."""
    url = moved(COMPUTE_ENGINE, request.base_url)
    query = {"pageSize": str(PAGE_SIZE), "currencyCode": "USD"}
    seen: set[str] = set()
    read = 0
    for number in range(1, MOST_PAGES + 1):
        page = get_json(http, url, params=query)
        skus = page.get("skus") if isinstance(page, dict) else None
        if not isinstance(skus, list) or not skus or not all(isinstance(sku, dict) for sku in skus):
            raise FeedError(f"{SOURCE}: page {number} has no list of SKUs: it is empty or the format has changed")
        yield from skus
        read += len(skus)
        request.report(f"{SOURCE}: page {number}, {read:,} SKUs")
        token = page.get("nextPageToken") or ""
        if not isinstance(token, str) or token in seen:
            raise FeedError(f"{SOURCE}: page {number} names a page that was read before: the pages do not end")
        if not token:
            return
        seen.add(token)
        query = {**query, "pageToken": token}
    raise FeedError(f"{SOURCE}: more than {MOST_PAGES} pages: they do not end")


def _notes(rates: PartRates, found: Composed, request: FeedRequest) -> tuple[str, ...]:
    notes = list(found.notes)
    paid = {part for name, facts in request.types.items() for recipe in recipes(name, facts) for part, _ in recipe}
    new = sorted({part.name for part, _ in rates.usd if part.kind == CORE} - {part.name for part in paid})
    if new:
        notes.append(f"families of which the catalog has no type: {', '.join(new)}")
    if rates.unknown_regions:
        notes.append(f"regions that the catalog lacks: {', '.join(sorted(rates.unknown_regions))}")
    if rates.remark:
        notes.append(f"prices were converted{rates.remark}")
    return tuple(notes)


FEED: Feed = GcpFeed()
