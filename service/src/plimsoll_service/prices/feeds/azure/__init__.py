"""Azure's Retail Prices API: machines on demand and on spot, and managed disks; needs no credentials."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

import httpx

from ..feed import ON_DEMAND, SPOT, FeedError, FeedRequest, Fetched, OfferQuote, VolumeQuote
from ..http import client
from .meters import SOURCE, in_force, listed, named
from .products import DISKS, LISTED_PRODUCTS, MACHINES, machines, purchase_of, volumes

NAME = "azure"
REGIONS_AT_ONCE = 4  # few, as the API is public and free of charge
NAMED_FAULTS = 20


@dataclass(frozen=True)
class _Region:
    """The prices in one region's lists."""

    name: str
    offers: tuple[OfferQuote, ...]
    volumes: tuple[VolumeQuote, ...]
    notes: tuple[str, ...]

    @property
    def sold(self) -> set[str]:
        """The purchase options of its meters."""
        return {offer.purchase for offer in self.offers}


@dataclass(frozen=True)
class AzureFeed:
    """The feed ``azure``; ``now`` selects the price of a meter that is in force."""

    name: str = NAME
    quotes: frozenset[str] = frozenset((ON_DEMAND, SPOT))
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def fetch(self, request: FeedRequest) -> Fetched:
        """The prices of all regions asked for, a few regions at a time."""
        at = self.now()
        found: list[_Region] = []
        with client() as http, ThreadPoolExecutor(REGIONS_AT_ONCE) as pool:
            for region in pool.map(partial(_region, http, request, at), request.wanted()):
                counts = f"{len(region.offers):,}, of volumes: {len(region.volumes)}"
                request.report(f"azure: {region.name}: prices of machines: {counts}")
                found.append(region)
        sold_somewhere = any(region.name in facts.regions for region in found for facts in request.types.values())
        if sold_somewhere and not any(region.sold for region in found):
            raise FeedError("azure: the lists of machines are empty in every region")
        return _fetched(request, found)

    def quote(self, request: FeedRequest, instance_type: str, region: str, purchase: str) -> OfferQuote | None:
        """The price of one offer now; raises ``FeedError`` if it is listed without a believable one."""
        if instance_type not in request.types or not request.wants(region):
            return None
        with client() as http:
            meters = listed(http, request.base_url, MACHINES, region, named("armSkuName", instance_type))
        found = machines(request, region, (m for m in in_force(meters, self.now()) if purchase_of(m) == purchase))
        prices = [offer for offer in found if offer.instance_type == instance_type]
        if len(prices) > 1:
            raise FeedError(f"azure: {region}: {instance_type} ({purchase}) is listed at {len(prices)} prices at once")
        return prices[0] if prices else None


FEED = AzureFeed()


def _region(http: httpx.Client, request: FeedRequest, at: datetime, region: str) -> _Region:
    try:
        meters = listed(http, request.base_url, MACHINES, region)
        # Among all regions an empty list leaves the last prices; that of a region asked for is a fault.
        if not meters and request.regions and any(region in facts.regions for facts in request.types.values()):
            raise FeedError("the list of machines is empty")
        disks = listed(http, request.base_url, DISKS, region, named("productName", *LISTED_PRODUCTS))
        found = machines(request, region, in_force(meters, at))
        quotes, notes = volumes(request, region, in_force(disks, at))
    except FeedError as error:
        raise FeedError(f"azure: {region}: {error}") from error
    if not disks:
        notes.append(f"{region}: no managed disks are listed")
    return _Region(region, found, quotes, tuple(notes))


def _fetched(request: FeedRequest, regions: list[_Region]) -> Fetched:
    return Fetched(
        source=SOURCE,
        offers=tuple(offer for region in regions for offer in region.offers),
        covered=frozenset((request.cloud, region.name, purchase) for region in regions for purchase in region.sold),
        volumes=tuple(quote for region in regions for quote in region.volumes),
        notes=_notes(regions),
    )


def _notes(regions: list[_Region]) -> tuple[str, ...]:
    """A few lines on what was left out."""
    faults = [fault for region in regions for fault in region.notes]
    silent = sorted(f"{region.name} ({option})" for region in regions for option in {ON_DEMAND, SPOT} - region.sold)
    notes = faults[:NAMED_FAULTS]
    if len(faults) > NAMED_FAULTS:
        notes.append(f"and {len(faults) - NAMED_FAULTS} more like these")
    if silent:
        notes.append(f"nothing is listed, and what was known stays, in {', '.join(silent)}")
    return tuple(notes)
