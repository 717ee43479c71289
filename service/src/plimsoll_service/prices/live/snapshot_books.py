"""The books of one price snapshot: with every source that has gone stale it is another one."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from math import inf
from threading import Lock

from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.book import CatalogBook
from plimsoll_service.prices.snapshots import join
from plimsoll_service.prices.snapshots.table import PriceTable


class SnapshotBooks:
    """A snapshot joined with a catalog. Its books share all but the version and the stale flags."""

    def __init__(self, catalog: Catalog, table: PriceTable, digest: str) -> None:
        self.expiries = join.expiries(table)
        self._catalog = catalog
        self._table = table
        self._digest = digest
        self._fresh = CatalogBook(catalog, join.prices_of(table, digest, catalog))
        self._fresh.lookup(limit=1)  # builds the index now rather than in a request
        self._books = {0: self._fresh}
        self._lock = Lock()

    def expired(self, now: float) -> int:
        """How many moments of expiry have passed at ``now``, in seconds since 1970."""
        return bisect_left(self.expiries, now)

    def until(self, expired: int) -> float:
        """The moment up to which a book is in force."""
        return self.expiries[expired] if expired < len(self.expiries) else inf

    def book(self, expired: int) -> CatalogBook:
        """The prices after so many of the moments at which sources go stale."""
        with self._lock:
            if expired not in self._books:
                prices = join.prices_of(self._table, self._digest, self._catalog, expired)
                same = replace(self._fresh.prices, version=prices.version, stale=prices.stale)
                self._books[expired] = self._fresh.restated(same)
            return self._books[expired]

    def stale_sources(self, now: float) -> int:
        """How many sources have not answered for longer than they may."""
        coverage = self._table.coverage
        gone = [moment < now for moment in self.expiries]
        return len(
            {
                int(source)
                for source, code in zip(coverage.source.codes, coverage.fresh_until.codes, strict=True)
                if gone[code]
            }
        )
