"""What a feed found as columns: only what can be placed and believed, the rest counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import isfinite, nan

import numpy as np

from plimsoll_service.engine.hardware import PURCHASE_NAMES, Catalog, Floats
from plimsoll_service.prices.feeds.feed import FeedError, Fetched, OfferQuote, VolumeQuote
from plimsoll_service.prices.snapshots import moments
from plimsoll_service.prices.snapshots.codec import (
    HIGHEST_USD_PER_HOUR,
    HIGHEST_USD_PER_MONTH,
    LOWEST_USD_PER_HOUR,
    LOWEST_USD_PER_MONTH,
)
from plimsoll_service.prices.snapshots.table import CoverageColumns, OfferColumns, VolumeColumns, coded, in_order

OfferKey = tuple[str, str, str, str]  # cloud, instance type, region, purchase option
SHOWN = 3  # names that a message gives as examples


@dataclass(frozen=True, eq=False)
class Answer:
    """A feed's answer as sections of a price table; of the ``unusable`` the last good price stays."""

    offers: OfferColumns
    volumes: VolumeColumns
    coverage: CoverageColumns
    unusable: frozenset[OfferKey]
    notes: tuple[str, ...]


def answer_of(fetched: Fetched, catalog: Catalog, now: datetime, ttl: timedelta) -> Answer:
    """The answer asked for at ``now`` and fresh for ``ttl``; raises ``FeedError`` where nothing of it can be used."""
    known = _Known(catalog)
    placed = [quote for quote in fetched.offers if known.offer(quote) and _covered(quote, fetched)]
    usable = [quote for quote in placed if _believable(quote.usd_per_hour, LOWEST_USD_PER_HOUR, HIGHEST_USD_PER_HOUR)]
    if not usable:
        raise FeedError(f"{fetched.source} lists no usable price of an instance type that the catalog knows")
    _refuse_duplicates(fetched.source, map(key_of, usable))
    volumes = [quote for quote in fetched.volumes if known.volume(quote) and _sound(quote)]
    _refuse_duplicates(fetched.source, ((quote.cloud, quote.product, quote.region) for quote in volumes))
    left_out = (
        (len(fetched.offers) - len(placed), "offers of types or regions that the catalog lacks"),
        (len(placed) - len(usable), "offers without a price that can be believed"),
        (len(fetched.volumes) - len(volumes), "volume prices of unknown products or without a sound price"),
    )
    unpriced = {key_of(quote) for quote in placed} - {key_of(quote) for quote in usable}
    return Answer(
        offers=in_order(_offers(usable, fetched.source, moments.text(now))),
        volumes=in_order(_volumes(volumes, fetched.source, moments.text(now))),
        coverage=in_order(_coverage(fetched, now, ttl)),
        unusable=frozenset(unpriced | fetched.unusable),
        notes=(*fetched.notes, *(f"{count:,} {what} left out" for count, what in left_out if count)),
    )


def key_of(quote: OfferQuote) -> OfferKey:
    """What tells a quote from the others."""
    return quote.cloud, quote.instance_type, quote.region, quote.purchase


class _Known:
    """What the catalog has a row for."""

    def __init__(self, catalog: Catalog) -> None:
        types, regions, disks = catalog.instance_types, catalog.regions, catalog.disks
        self._types = {(types.cloud[row], name) for row, name in enumerate(types.name)}
        self._regions = {(regions.cloud[row], name) for row, name in enumerate(regions.name)}
        self._products = {(disks.cloud[row], name) for row, name in enumerate(disks.product)}

    def offer(self, quote: OfferQuote) -> bool:
        return (
            (quote.cloud, quote.instance_type) in self._types
            and (quote.cloud, quote.region) in self._regions
            and quote.purchase in PURCHASE_NAMES
        )

    def volume(self, quote: VolumeQuote) -> bool:
        return (quote.cloud, quote.product) in self._products and (quote.cloud, quote.region) in self._regions


def _covered(quote: OfferQuote, fetched: Fetched) -> bool:
    return (quote.cloud, quote.region, quote.purchase) in fetched.covered


def _believable(usd: float, lowest: float, highest: float) -> bool:
    return isfinite(usd) and lowest <= usd <= highest


def _sound(quote: VolumeQuote) -> bool:
    parts = (quote.usd_per_iops_month, quote.usd_per_mib_s_month)
    return _believable(quote.usd_per_gib_month, LOWEST_USD_PER_MONTH, HIGHEST_USD_PER_MONTH) and all(
        part is None or 0 <= part <= HIGHEST_USD_PER_MONTH for part in parts
    )


def _refuse_duplicates(source: str, keys: Iterable[tuple[str, ...]]) -> None:
    twice = [key for key, count in Counter(keys).items() if count > 1]
    if twice:
        raise FeedError(f"{source} lists {len(twice):,} prices twice: {named(twice)}")


def named(keys: Iterable[tuple[str, ...]]) -> str:
    """The first of some keys in words."""
    found = sorted(keys)
    return ", ".join(" ".join(key) for key in found[:SHOWN]) + (" …" if len(found) > SHOWN else "")


def _offers(quotes: list[OfferQuote], source: str, now: str) -> OfferColumns:
    return OfferColumns(
        cloud=coded(quote.cloud for quote in quotes),
        instance_type=coded(quote.instance_type for quote in quotes),
        region=coded(quote.region for quote in quotes),
        purchase=coded(quote.purchase for quote in quotes),
        usd_per_hour=np.array([quote.usd_per_hour for quote in quotes], dtype=np.float64),
        current=np.ones(len(quotes), dtype=np.bool_),
        interruptions_per_hour=_floats(quote.interruptions_per_hour for quote in quotes),
        # No price is dated after it was asked for; a date alone comes before all moments of its day.
        as_of=coded(min(quote.as_of or now, now) for quote in quotes),
        source=coded(quote.source or source for quote in quotes),
        confidence=coded(quote.confidence for quote in quotes),
    )


def _volumes(quotes: list[VolumeQuote], source: str, now: str) -> VolumeColumns:
    return VolumeColumns(
        cloud=coded(quote.cloud for quote in quotes),
        product=coded(quote.product for quote in quotes),
        region=coded(quote.region for quote in quotes),
        usd_per_gib_month=_floats(quote.usd_per_gib_month for quote in quotes),
        usd_per_iops_month=_floats(quote.usd_per_iops_month for quote in quotes),
        usd_per_mib_s_month=_floats(quote.usd_per_mib_s_month for quote in quotes),
        as_of=coded(now for _ in quotes),
        source=coded(quote.source or source for quote in quotes),
        confidence=coded(quote.confidence for quote in quotes),
    )


def _coverage(fetched: Fetched, now: datetime, ttl: timedelta) -> CoverageColumns:
    covered = sorted(fetched.covered)
    return CoverageColumns(
        cloud=coded(cloud for cloud, _, _ in covered),
        region=coded(region for _, region, _ in covered),
        purchase=coded(purchase for _, _, purchase in covered),
        source=coded(fetched.source for _ in covered),
        fetched_at=coded(moments.text(now) for _ in covered),
        fresh_until=coded(moments.text(now + ttl) for _ in covered),
    )


def _floats(values: Iterable[float | None]) -> Floats:
    return np.array([nan if value is None else value for value in values], dtype=np.float64)
