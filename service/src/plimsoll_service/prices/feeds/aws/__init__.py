"""Prices of AWS: machines and volumes on demand from the Price List, spot from EC2 or estimated from the Spot Advisor.

The list needs no credentials. Spot prices need those of the usual environment variables or the provider's chain.
Without them spot prices are estimated from the Spot Advisor's savings.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import httpx

from ..feed import ON_DEMAND, SPOT, FeedError, FeedRequest, Fetched, OfferQuote
from ..http import client
from .on_demand import SOURCE, RegionPrices, fetch_region
from .price_list import each_region, region_files
from .spot import from_points, spot_history, spot_offers

NAME = "aws"


@dataclass(frozen=True)
class AwsFeed:
    """The feed ``aws``; only spot can be quoted, as AWS has no price of a single machine on demand."""

    name: str = NAME
    quotes: frozenset[str] = frozenset((SPOT,))

    def fetch(self, request: FeedRequest) -> Fetched:
        """The prices of all regions asked for, one region after the other."""
        try:
            with client() as http:
                return _fetch(http, request)
        except FeedError as error:
            raise FeedError(f"{NAME}: {error}") from error

    def quote(self, request: FeedRequest, instance_type: str, region: str, purchase: str) -> OfferQuote | None:
        """The spot price now, without an interruption rate; raises ``FeedError``, also without credentials."""
        if purchase not in self.quotes or instance_type not in request.types or not request.wants(region):
            return None
        points = spot_history(request.environment, request.base_url).latest(region, instance_type)
        offers = from_points(request, region, points, {})
        return next((offer for offer in offers if offer.instance_type == instance_type), None)


FEED = AwsFeed()


def _fetch(http: httpx.Client, request: FeedRequest) -> Fetched:
    urls, notes = region_files(http, request)
    numbers = {region: place for place, region in enumerate(urls, start=1)}

    def ask(region: str) -> RegionPrices:
        found = fetch_region(http, request, region, urls[region])
        place = f"{numbers[region]} of {len(urls)}"
        request.report(f"{NAME}: {region} ({place}): {len(found.offers)} machines on demand")
        return found

    sold, failures = each_region(urls, ask)
    on_spot, spot_notes, spot_missing = spot_offers(http, request, sold)
    places = [(region.region, ON_DEMAND) for region in sold] + [(region, SPOT) for region in on_spot]
    return Fetched(
        SOURCE,
        tuple(chain.from_iterable((*(region.offers for region in sold), *on_spot.values()))),
        covered=frozenset((request.cloud, region, purchase) for region, purchase in places),
        volumes=tuple(volume for region in sold for volume in region.volumes),
        notes=(*notes, *(note for region in sold for note in region.notes), *spot_notes),
        missing=(*(f"{region}: no prices on demand: {error}" for region, error in failures.items()), *spot_missing),
    )
