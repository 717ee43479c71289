"""Machine prices summed from the prices of their parts, and what could not be summed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from plimsoll_service.prices.feeds.feed import FeedRequest, OfferQuote, TypeFacts
from plimsoll_service.prices.feeds.gcp_machines import Recipe, family_of, is_tpu, recipes
from plimsoll_service.prices.feeds.gcp_rates import PartRates
from plimsoll_service.prices.feeds.gcp_skus import MACHINE_KINDS

SOURCE = "GCP Cloud Billing Catalog"
DECIMALS = 9  # of the price list

Offer = tuple[str, str, str, str]  # cloud, instance type, region, purchase option


@dataclass(frozen=True)
class Composed:
    """Prices, offers whose last good price has to stay, and words about them."""

    offers: tuple[OfferQuote, ...]
    unusable: frozenset[Offer]
    notes: tuple[str, ...]


def covered(rates: PartRates, request: FeedRequest) -> frozenset[tuple[str, str, str]]:
    """The regions and purchase options asked for, for which the list has any part of a machine."""
    return frozenset(
        (request.cloud, region, purchase)
        for (part, purchase), by_region in rates.usd.items()
        if part.kind in MACHINE_KINDS
        for region in by_region
        if request.wants(region)
    )


def composed(rates: PartRates, scope: Iterable[tuple[str, str, str]], request: FeedRequest) -> Composed:
    """The price of every type that is sold in the regions of ``scope``.

    The list tells what a part costs in a region and not whether a type is sold there: the catalog's regions do, and
    for a type that the catalog knows in no region, the list alone.
    """
    offers: list[OfferQuote] = []
    unusable: dict[Offer, str] = {}
    current = {name: facts for name, facts in request.types.items() if not facts.retired}
    for cloud, region, purchase in sorted(scope):
        for name, facts in current.items():
            if facts.regions and region not in facts.regions:
                continue
            sums = recipes(name, facts)
            priced = _first_complete(sums, rates, region, purchase)
            if priced is not None:
                offers.append(_quote((cloud, name, region, purchase), *priced, rates.remark))
            elif facts.regions and (reason := _fault(facts, sums, rates, region, purchase)):
                unusable[cloud, name, region, purchase] = reason
    return Composed(tuple(offers), frozenset(unusable), _notes(unusable))


def _first_complete(
    sums: Iterable[Recipe], rates: PartRates, region: str, purchase: str
) -> tuple[Recipe, float] | None:
    for recipe in sums:
        prices = [rates.usd.get((part, purchase), {}).get(region) for part, _ in recipe]
        total = sum(price * count for price, (_, count) in zip(prices, recipe, strict=True) if price is not None)
        if total > 0 and None not in prices:
            return recipe, total
    return None


def _quote(offer: Offer, recipe: Recipe, total: float, remark: str) -> OfferQuote:
    cloud, name, region, purchase = offer
    kinds = list(dict.fromkeys(part.kind for part, _ in recipe))
    source = f"{SOURCE}: sum of {', '.join(kinds[:-1])} and {kinds[-1]}" if len(kinds) > 1 else f"{SOURCE}: {kinds[0]}"
    return OfferQuote(cloud, name, region, purchase, round(total, DECIMALS), "derived", source + remark)


UNMAPPED, UNPRICED, TPU = "unmapped", "unpriced", "tpu"


def _fault(facts: TypeFacts, sums: tuple[Recipe, ...], rates: PartRates, region: str, purchase: str) -> str | None:
    """Why a type has no price here; ``None`` where its parts are listed elsewhere and not here: it is not sold."""
    if is_tpu(facts):
        return TPU
    parts = {part for recipe in sums for part, _ in recipe}
    if any(rates.usd.get((part, purchase), {}).get(region, 0.0) is None for part in parts):
        return UNPRICED
    if all(any((part, purchase) not in rates.usd for part, _ in recipe) for recipe in sums):
        return UNMAPPED
    return None


def _notes(unusable: Mapping[Offer, str]) -> tuple[str, ...]:
    """One sentence a reason, with the families and purchase options that it struck and the number of their offers."""
    said = {
        UNPRICED: "listed at 0, garbled or in an unknown unit",
        UNMAPPED: "of parts that the list does not name in any region",
        TPU: "of Cloud TPU, whose price list is another service's",
    }
    notes = []
    for reason, words in said.items():
        struck = Counter(
            f"{family_of(name)} {purchase}" for (_, name, _, purchase), why in unusable.items() if why == reason
        )
        if struck:
            families = ", ".join(f"{family} ({count:,})" for family, count in sorted(struck.items()))
            notes.append(f"{words}, so that the last good prices stay: {families}")
    return tuple(notes)
