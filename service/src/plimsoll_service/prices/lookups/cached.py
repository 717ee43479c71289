"""Lookups through caches: pages of a snapshot by its version, and single offers at the price of now."""

from __future__ import annotations

from urllib.parse import quote

from plimsoll_service.prices.lookups.cache import Cache
from plimsoll_service.prices.lookups.quotes import LiveQuotes
from plimsoll_service.prices.lookups.read_through import Policy, ReadThrough
from plimsoll_service.prices.source import DEFAULT_LIMIT, PriceBook, PricePage
from plimsoll_service.tracing import span

# A page never changes, as its key names the version of the prices: times only bound what superseded versions and
# made-up names leave behind. Making one takes a millisecond: nobody waits for long.
PAGES = Policy(fresh=None, keep=3600, empty=60, wait=0.25, claim=5, pause=5)
_ANY = "*"  # quoted names never contain it


class CachedLookups:
    """Lookups in books of prices, of which ``cache`` keeps the pages that were found; ``quotes`` know prices of now."""

    def __init__(self, cache: Cache, quotes: LiveQuotes | None = None) -> None:
        self._pages = ReadThrough(cache, PAGES)
        self._quotes = quotes

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
        """What the book answers, from the cache where that has it; a single offer at the price of now, if known."""
        filters = (cloud, region, instance_type, purchase)
        key = _key(book.prices.version, filters, offset, limit)
        with span("price lookup", attributes={"plimsoll.prices.version": book.prices.version}):
            page = self._pages.get(key, lambda _: book.lookup(*filters, offset=offset, limit=limit)).page
            return page if self._quotes is None else self._quotes.instead_of(page, filters, offset)


def _key(version: str, filters: tuple[str | None, ...], offset: int, limit: int) -> str:
    """Everything that changes the page, in a form that two different lookups never share."""
    names = "/".join(_ANY if name is None else quote(name, safe="") for name in filters)
    return f"page:{version}:{names}:{offset}+{limit}"
