"""A cache in front of lookups: what it has is used, what it lacks is looked up and kept."""

from __future__ import annotations

from urllib.parse import quote

from plimsoll_service.metrics import PRICE_CACHE_LOOKUPS
from plimsoll_service.prices.cache import Cache
from plimsoll_service.prices.single_flight import SingleFlight
from plimsoll_service.prices.source import DEFAULT_LIMIT, PriceBook, PricePage

NAMESPACE = "plimsoll:prices"
TTL_SECONDS = 3600  # only bounds what a superseded version leaves behind: the key names the version of the prices
_ANY = "*"  # quoted names never contain it


class CachedLookups:
    """Lookups in books of prices, of which ``cache`` keeps the pages that were found."""

    def __init__(self, cache: Cache, *, ttl_seconds: int = TTL_SECONDS) -> None:
        self._cache = cache
        self._ttl_seconds = ttl_seconds
        self._flight = SingleFlight[PricePage]()

    def lookup(
        self,
        book: PriceBook,
        cloud: str | None = None,
        region: str | None = None,
        instance_type: str | None = None,
        purchase: str | None = None,
        *,
        offset: int = 0,
        limit: int = DEFAULT_LIMIT,
    ) -> PricePage:
        """What the book would answer, from the cache where that has it."""
        filters = (cloud, region, instance_type, purchase)
        key = _key(book.prices.version, filters, offset, limit)

        def look_up() -> PricePage:
            page = self._cache.get(key)
            PRICE_CACHE_LOOKUPS.labels("miss" if page is None else "hit").inc()
            if page is None:
                page = book.lookup(*filters, offset=offset, limit=limit)
                self._keep(key, page)
            return page

        return self._flight.run(key, look_up)

    def _keep(self, key: str, page: PricePage) -> None:
        # An empty page costs nothing to find, and made-up names must not fill the cache.
        if page.items:
            self._cache.set(key, page, ttl_seconds=self._ttl_seconds)


def _key(version: str, filters: tuple[str | None, ...], offset: int, limit: int) -> str:
    """Everything that changes the page, in a form that two different lookups never share."""
    names = "/".join(_ANY if name is None else quote(name, safe="") for name in filters)
    return f"{NAMESPACE}:{version}:{names}:{offset}+{limit}"
