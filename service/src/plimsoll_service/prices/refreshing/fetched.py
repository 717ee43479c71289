"""A feed's answer as columns: prices of known offers that can be believed; the others are counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import compress
from math import isfinite
from typing import TypeVar

from ...columns_file import coded
from ...engine.hardware import PURCHASE_NAMES, Catalog
from ..feeds.feed import FeedError, Fetched, OfferQuote, VolumeQuote, few
from ..snapshots import moments
from ..snapshots.codec import HIGHEST_USD_PER_HOUR, HIGHEST_USD_PER_MONTH, LOWEST_USD_PER_HOUR, LOWEST_USD_PER_MONTH
from ..snapshots.table import CoverageColumns, OfferColumns, VolumeColumns, in_order, section_of

OfferKey = tuple[str, str, str, str]  # cloud, instance type, region, purchase option
Quote = TypeVar("Quote", OfferQuote, VolumeQuote)
NAMED = 3  # examples in a message


@dataclass(frozen=True, eq=False)
class Answer:
    """A feed's answer as sections of a price table; ``unusable`` offers keep their last good price."""

    offers: OfferColumns
    volumes: VolumeColumns
    coverage: CoverageColumns
    unusable: frozenset[OfferKey]
    notes: tuple[str, ...]
    missing: tuple[str, ...]


def answer_of(fetched: Fetched, catalog: Catalog, now: datetime, ttl: timedelta) -> Answer:
    """The answer of ``now``, fresh for ``ttl``; raises ``FeedError`` if it holds no usable price."""
    known, source = _Known(catalog), fetched.source
    lacking = [name for quote in fetched.offers if (name := known.lacks(quote)) is not None]
    placed = [
        quote
        for quote in fetched.offers
        if known.lacks(quote) is None and (quote.cloud, quote.region, quote.purchase) in fetched.covered
    ]
    single, twice = _once(placed)
    sound = [_believable(quote.usd_per_hour, LOWEST_USD_PER_HOUR, HIGHEST_USD_PER_HOUR) for quote in single]
    usable = list(compress(single, sound))
    doubtful = [" ".join(key_of(quote)) for quote, believed in zip(single, sound, strict=True) if not believed]
    if not usable and twice:
        raise FeedError(f"{source} lists {len(twice):,} offers at two prices: {few(map(' '.join, twice), NAMED)}")
    if not usable:
        raise FeedError(f"{source} lists no usable price of an instance type that the catalog knows")
    volumes = [quote for quote in fetched.volumes if known.lacks(quote) is None and _sound(quote)]
    unsound = len(fetched.volumes) - len(volumes)
    volumes, volumes_twice = _once(volumes)
    left_out = (
        (len(lacking), f"offers of types or regions that the catalog lacks ({few(set(lacking))})"),
        (len(fetched.offers) - len(lacking) - len(placed), "offers outside of the places that the list covers"),
        (len(doubtful), f"offers without a price that can be believed ({few(doubtful, NAMED)})"),
        (unsound, "volume prices of unknown products or without a sound price"),
    )
    several = (
        f"{len(keys):,} {what} at two prices, kept at the last price: {few(map(' '.join, keys), NAMED)}"
        for what, keys in (("offers", twice), ("volumes", volumes_twice))
        if keys
    )
    unpriced = {key_of(quote) for quote in placed} - {key_of(quote) for quote in usable}
    moment = moments.text(now)

    def source_of(quote: OfferQuote | VolumeQuote) -> str:
        return quote.source or source

    def as_of(quote: OfferQuote) -> str:
        # No price is dated after the fetch; a date alone sorts before all moments of its day.
        return min(quote.as_of or moment, moment)

    sold = {"current": True, "named": True, "accepted_usd_per_hour": None}
    return Answer(
        offers=section_of(OfferColumns, usable, as_of=as_of, source=source_of, **sold),
        volumes=section_of(VolumeColumns, volumes, as_of=moment, source=source_of),
        coverage=in_order(_coverage(fetched, now, ttl)),
        unusable=frozenset(unpriced),
        notes=(*fetched.notes, *(f"{count:,} {what} left out" for count, what in left_out if count)),
        missing=(*fetched.missing, *several),
    )


def key_of(quote: OfferQuote) -> OfferKey:
    """The key of a quote's offer."""
    return quote.cloud, quote.instance_type, quote.region, quote.purchase


class _Known:
    """Names that the catalog has a row for."""

    def __init__(self, catalog: Catalog) -> None:
        types, regions, disks = catalog.instance_types, catalog.regions, catalog.disks
        self._types = {(types.cloud[row], name) for row, name in enumerate(types.name)}
        self._regions = {(regions.cloud[row], name) for row, name in enumerate(regions.name)}
        self._products = {(disks.cloud[row], name) for row, name in enumerate(disks.product)}

    def lacks(self, quote: OfferQuote | VolumeQuote) -> str | None:
        """The first name in a quote that the catalog lacks."""
        if (quote.cloud, quote.region) not in self._regions:
            return quote.region
        if isinstance(quote, VolumeQuote):
            return None if (quote.cloud, quote.product) in self._products else quote.product
        if (quote.cloud, quote.instance_type) not in self._types:
            return quote.instance_type
        return None if quote.purchase in PURCHASE_NAMES else quote.purchase


def _believable(usd: float, lowest: float, highest: float) -> bool:
    return isfinite(usd) and lowest <= usd <= highest


def _sound(quote: VolumeQuote) -> bool:
    parts = (quote.usd_per_iops_month, quote.usd_per_mib_s_month)
    return _believable(quote.usd_per_gib_month, LOWEST_USD_PER_MONTH, HIGHEST_USD_PER_MONTH) and all(
        part is None or 0 <= part <= HIGHEST_USD_PER_MONTH for part in parts
    )


def _once(quotes: Sequence[Quote]) -> tuple[list[Quote], list[tuple[str, ...]]]:
    """The quotes, equal ones once; and the keys of those that are listed at several prices, which are left out."""
    by_key: dict[tuple[str, ...], Quote] = {}
    several: dict[tuple[str, ...], None] = {}
    for quote in quotes:
        key = key_of(quote) if isinstance(quote, OfferQuote) else (quote.cloud, quote.product, quote.region)
        if by_key.setdefault(key, quote) != quote:
            several[key] = None
    return [quote for key, quote in by_key.items() if key not in several], list(several)


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
