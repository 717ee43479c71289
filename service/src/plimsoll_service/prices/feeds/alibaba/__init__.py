"""Alibaba Cloud ECS: machines and volumes from the public price list, spot and missing prices from the API.

The API needs an access key in the environment. Prices are list prices: negotiated ones belong in the operator's
pricing agreements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

import httpx

from ..feed import ON_DEMAND, SPOT, FeedError, FeedRequest, Fetched, OfferQuote
from ..http import client
from .api import KEY_ID, KEY_SECRET, Ecs, Refusal, keys_in
from .machines import Ask, Sweep, Unpriced, offer_of, on_demand, spot, sweep
from .price_list import INTERNATIONAL, MAINLAND, ListUnavailable, MachineList, list_notes, machine_list, offers_listed
from .volumes import volumes

NAME = "alibaba"
NO_KEY = f"no Alibaba Cloud access key ({KEY_ID}, {KEY_SECRET})"


@dataclass(frozen=True)
class AlibabaFeed:
    """The feed ``alibaba``; ``now`` is the end of a spot price history."""

    name: str = NAME
    quotes: frozenset[str] = frozenset((ON_DEMAND, SPOT))
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def fetch(self, request: FeedRequest) -> Fetched:
        """Prices on demand, of volumes and, with an access key, on spot."""
        regions = request.wanted()
        with client() as http:
            ecs = _ecs(http, request)
            demand, listed, notes = _on_demand(http, request, ecs, regions)
            auction, spot_notes = self._auction(request, ecs, _sold(request, regions, demand))
            ecs = None if auction is None else ecs
            priced, volume_notes = volumes(http, request, listed, ecs, regions)
        on_spot = auction or Sweep()
        return Fetched(
            source="Alibaba Cloud",
            offers=(*demand.offers, *on_spot.offers),
            covered=frozenset((request.cloud, region, ON_DEMAND) for region in demand.regions)
            | frozenset((request.cloud, region, SPOT) for region in on_spot.regions),
            volumes=tuple(priced[place] for place in sorted(priced)),
            notes=(*notes, *demand.notes(ON_DEMAND), *spot_notes, *volume_notes),
        )

    def quote(self, request: FeedRequest, instance_type: str, region: str, purchase: str) -> OfferQuote | None:
        """One price from the API; raises ``FeedError``, also without an access key."""
        if instance_type not in request.types or not request.wants(region):
            return None
        with client() as http:
            ecs = _ecs(http, request)
            if ecs is None:
                raise FeedError(f"alibaba: {NO_KEY}")
            try:
                price = self._ask(ecs, purchase)(region, instance_type)
            except Unpriced as fault:
                raise FeedError(f"alibaba: {region}: {instance_type}: {purchase}: {fault}") from fault
        return None if price is None else offer_of(request, instance_type, region, purchase, price)

    def _auction(
        self, request: FeedRequest, ecs: Ecs | None, sold: dict[str, set[str]]
    ) -> tuple[Sweep | None, list[str]]:
        """Spot prices with notes; none without an access key, or without an API at this address."""
        if ecs is None:
            return None, [f"{NO_KEY}: spot prices are missing"]
        try:
            found = sweep(request, SPOT, sold, self._ask(ecs, SPOT))
        except Refusal as refusal:
            if not refusal.absent:
                raise
            return None, [f"no API at this address, spot prices are missing: {refusal}"]
        return found, found.notes(SPOT)

    def _ask(self, ecs: Ecs, purchase: str) -> Ask:
        if purchase == SPOT:
            return lambda region, instance_type: spot(ecs, region, instance_type, self.now())
        return partial(on_demand, ecs)


FEED = AlibabaFeed()


def _ecs(http: httpx.Client, request: FeedRequest) -> Ecs | None:
    keys = keys_in(request.environment)
    return None if keys is None else Ecs(http, keys, request.base_url)


def _on_demand(
    http: httpx.Client, request: FeedRequest, ecs: Ecs | None, regions: list[str]
) -> tuple[Sweep, MachineList | None, list[str]]:
    """Prices from the public list, else from the API; the list, if any; notes."""
    try:
        listed = _list(http, request)
    except ListUnavailable as error:
        if ecs is None:
            raise FeedError(f"{error}; and there is {NO_KEY} to ask the API with") from error
        found = sweep(request, ON_DEMAND, _sold(request, regions, Sweep()), partial(on_demand, ecs))
        if not found.offers:
            raise FeedError(f"{error}; and DescribePrice sells none of the catalog's types") from error
        return found, None, [f"on_demand: by DescribePrice, since there is no public price list: {error}"]
    found = offers_listed(request, listed)
    request.report(f"alibaba: {found.priced} on_demand prices by the public list")
    return found, listed, list_notes(request, listed)


def _list(http: httpx.Client, request: FeedRequest) -> MachineList:
    """The international site's list, in USD, else the mainland's."""
    try:
        return machine_list(http, request, INTERNATIONAL)
    except ListUnavailable as error:
        if not error.missing:
            raise
        return machine_list(http, request, MAINLAND)


def _sold(request: FeedRequest, regions: list[str], listed: Sweep) -> dict[str, set[str]]:
    """The types that a region sells, known from the catalog or from the list."""
    sold = {region: {name for name, facts in request.types.items() if region in facts.regions} for region in regions}
    for offer in listed.offers:
        if offer.instance_type in request.types:
            sold[offer.region].add(offer.instance_type)
    return sold
