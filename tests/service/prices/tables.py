"""Small price tables, answers and feeds for tests, with types and regions that the catalog knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from math import isnan

import numpy as np
from tests.service.engine.catalogs import bundled

from plimsoll_service.prices.feeds.feed import UNPRICED, FeedRequest, Fetched, OfferQuote, VolumeQuote
from plimsoll_service.prices.refreshing.fetched import key_of
from plimsoll_service.prices.snapshots.table import PriceTable

NOW = datetime(2026, 11, 21, 7, 30, tzinfo=UTC)
NOW_TEXT = "2026-11-21T07:30:00Z"
CATALOG = bundled()

Key = tuple[str, str, str, str]  # cloud, instance type, region, purchase option


def offers_in(table: PriceTable, *, current: bool | None = None) -> dict[Key, float]:
    """The prices of a table by key; of those that are current, or are not, where that is asked."""
    offers = table.offers
    rows = slice(None) if current is None else offers.current == current
    columns = (offers.cloud, offers.instance_type, offers.region, offers.purchase)
    words = (np.array(column.words, dtype=object)[column.codes[rows]].tolist() for column in columns)
    return dict(zip(zip(*words, strict=True), offers.usd_per_hour[rows].tolist(), strict=True))


def quotes(prices: dict[Key, float]) -> tuple[OfferQuote, ...]:
    """Quotes of these prices."""
    return tuple(OfferQuote(*key, price) for key, price in prices.items())


def scope(prices: Iterable[Key]) -> frozenset[tuple[str, str, str]]:
    """Clouds, regions and purchase options that a feed with these offers covers."""
    return frozenset((cloud, region, purchase) for cloud, _, region, purchase in prices)


def priced(found: Fetched) -> dict[Key, float]:
    """The prices of an answer."""
    return {key_of(quote): quote.usd_per_hour for quote in found.offers if not isnan(quote.usd_per_hour)}


def unpriced(found: Fetched) -> set[Key]:
    """The offers that an answer lists without a price."""
    return {key_of(quote) for quote in found.offers} - priced(found).keys()


def fetched(
    prices: dict[Key, float],
    *,
    without: Iterable[Key] = (),
    volumes: tuple[VolumeQuote, ...] = (),
    **changes: object,
) -> Fetched:
    """An answer with these prices, and with offers ``without`` one."""
    offers = quotes({**prices, **dict.fromkeys(without, UNPRICED)})
    answer = Fetched("test list", offers, scope(prices), volumes=volumes)
    return replace(answer, **changes)


class Quoting:
    """A feed with a given answer, which first runs ``before``."""

    name = "aws"

    def __init__(self, answer: Fetched, before: Callable[[], object] = lambda: None) -> None:
        self.answer = answer
        self.before = before

    def fetch(self, request: FeedRequest) -> Fetched:
        """The answer."""
        self.before()
        return self.answer


def request(cloud: str = "aws") -> FeedRequest:
    """A request that names only the cloud."""
    return FeedRequest(cloud)


def current_of(cloud: str, region: str, purchase: str, table: PriceTable) -> dict[Key, float]:
    """The current offers of a table in one place."""
    prices = offers_in(table, current=True)
    return {key: price for key, price in prices.items() if (key[0], key[2], key[3]) == (cloud, region, purchase)}


def scaled(table: PriceTable, factor: float) -> PriceTable:
    """A table with other prices."""
    return replace(table, offers=replace(table.offers, usd_per_hour=np.round(table.offers.usd_per_hour * factor, 9)))
