"""Spot offers of AWS: from the price history where the credentials allow it, else estimated from the Spot Advisor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

import httpx

from plimsoll_service.prices.feeds import currency
from plimsoll_service.prices.feeds.aws_advisor import Advisor, fetch_advisor
from plimsoll_service.prices.feeds.aws_index import currency_of
from plimsoll_service.prices.feeds.aws_region import SOURCE, RegionPrices
from plimsoll_service.prices.feeds.aws_spot import CredentialsRefused, Point, SpotHistory, spot_history
from plimsoll_service.prices.feeds.feed import SPOT, FeedError, FeedRequest, OfferQuote

HISTORY = "EC2 spot price history"
ESTIMATE = f"estimated: Spot Advisor's savings on the {SOURCE}"


@dataclass(frozen=True)
class RegionSpot:
    """Spot in a region; ``unusable`` and ``skipped`` are instance types, as on demand."""

    region: str
    offers: tuple[OfferQuote, ...]
    unusable: Set[str]
    skipped: Set[str] = frozenset()


@dataclass(frozen=True)
class Spot:
    """Spot in every region that anything is known of."""

    regions: tuple[RegionSpot, ...]
    notes: tuple[str, ...]


def spot_offers(http: httpx.Client, request: FeedRequest, sold: Sequence[RegionPrices]) -> Spot:
    """Spot offers beside those on demand; raises ``FeedError`` where the price history breaks."""
    advisor, notes = _advisor(http, request)
    told, refused = _told(request, advisor, sold)
    estimated = [_estimate(request, advisor, region) for _, region in refused if region.region in advisor.regions]
    for reason in sorted({reason for reason, _ in refused}):
        regions = [region.region for because, region in refused if because == reason]
        without = [region for region in regions if region not in advisor.regions]
        where = "" if len(regions) == len(sold) else f" (in {', '.join(regions)})"
        if len(without) < len(regions):
            notes.append(f"{reason}{where}: spot prices are estimated from the Spot Advisor")
        if without:
            notes.append(f"{reason}, and no advice of the Spot Advisor: no spot prices in {', '.join(without)}")
    return Spot((*told, *estimated), tuple(notes))


def from_points(
    request: FeedRequest, region: str, points: Iterable[Point], advisor: Advisor
) -> tuple[tuple[OfferQuote, ...], frozenset[str]]:
    """Offers at the prices of the history, of types that the catalog knows; those at 0 or an unreadable price."""
    rate = currency.rate(request, currency_of(region))
    known = [point for point in points if point.instance_type in request.types]
    offers = tuple(
        OfferQuote(
            request.cloud,
            point.instance_type,
            region,
            SPOT,
            point.amount * rate.usd_per_unit,
            rate.confidence,
            HISTORY + rate.remark,
            point.as_of,
            advisor.interruptions_per_hour(region, point.instance_type),
        )
        for point in known
        if point.amount > 0
    )
    return offers, frozenset(point.instance_type for point in known if not point.amount > 0)


def _advisor(http: httpx.Client, request: FeedRequest) -> tuple[Advisor, list[str]]:
    try:
        return fetch_advisor(http, request), []
    except FeedError as error:
        return Advisor({}), [f"the Spot Advisor cannot be had, so interruption rates are missing: {error}"]


def _told(
    request: FeedRequest, advisor: Advisor, sold: Sequence[RegionPrices]
) -> tuple[list[RegionSpot], list[tuple[str, RegionPrices]]]:
    """What the history tells, and the regions that it refuses to speak of, each with the reason."""
    told: list[RegionSpot] = []
    refused: list[tuple[str, RegionPrices]] = []
    try:
        history = spot_history(request.environment, request.base_url)
    except CredentialsRefused as error:
        return [], [(str(error), region) for region in sold]
    for region in sold:
        try:
            told.append(_tell(request, history, advisor, region.region))
            request.report(f"{request.cloud}: {region.region}: {len(told[-1].offers)} machines on spot")
        except CredentialsRefused as error:
            refused.append((str(error), region))
    return told, refused


def _tell(request: FeedRequest, history: SpotHistory, advisor: Advisor, region: str) -> RegionSpot:
    points = history.latest(region)
    if not points:
        raise FeedError(f"{region}: the spot price history is empty")
    offers, unusable = from_points(request, region, points, advisor)
    return RegionSpot(region, offers, unusable, {point.instance_type for point in points} - request.types.keys())


def _estimate(request: FeedRequest, advisor: Advisor, sold: RegionPrices) -> RegionSpot:
    """What the advisor says is saved, taken off the price on demand."""
    advice = advisor.regions[sold.region]
    offers = tuple(
        OfferQuote(
            request.cloud,
            offer.instance_type,
            sold.region,
            SPOT,
            offer.usd_per_hour * share,
            "estimated",
            ESTIMATE,
            interruptions_per_hour=advisor.interruptions_per_hour(sold.region, offer.instance_type),
        )
        for offer in sold.offers
        if offer.instance_type in advice and (share := advice[offer.instance_type].price_share) is not None
    )
    spoken_of = advice.keys() & (sold.unusable | {offer.instance_type for offer in sold.offers})
    return RegionSpot(sold.region, offers, spoken_of - {offer.instance_type for offer in offers})
