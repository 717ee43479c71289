"""Prices of an installation with own terms: their versions say so, since the terms change what they come to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from plimsoll_service.engine.prices import Prices
from plimsoll_service.prices.source import (
    DEFAULT_LIMIT,
    KeptSnapshot,
    PriceBook,
    PricePage,
    PriceSource,
    UnknownSnapshot,
)


class MarkedBook:
    """A book whose version names the terms; its records are list prices as ever."""

    def __init__(self, book: PriceBook, mark: str) -> None:
        self.book = book
        self.prices = replace(book.prices, version=book.prices.version + mark)

    def lookup(
        self,
        cloud: str | None = None,
        region: str | None = None,
        instance_type: str | None = None,
        purchase: str | None = None,
        *,
        offset: int = 0,
        limit: int = DEFAULT_LIMIT,
    ) -> PricePage:
        """The book's own prices."""
        return self.book.lookup(cloud, region, instance_type, purchase, offset=offset, limit=limit)


class MarkedPrices:
    """A source of prices with ``+terms.<digest>`` after each version."""

    def __init__(self, source: PriceSource, digest: str) -> None:
        self._source = source
        self._mark = f"+terms.{digest}"
        self._current = MarkedBook(source.current(), self._mark)

    def current(self) -> PriceBook:
        """The prices in force."""
        book, marked = self._source.current(), self._current
        if marked.book is not book:
            marked = self._current = MarkedBook(book, self._mark)
        return marked

    def at(self, version: str) -> PriceBook:
        """The prices of a version under these terms; raises ``UnknownSnapshot`` or ``SnapshotUnavailable``."""
        plain = version.removesuffix(self._mark)
        if plain == version:
            why = f"the answer of version {version!r} rests on other own terms than those in force, {self._mark!r}"
            raise UnknownSnapshot(version, why)
        try:
            return MarkedBook(self._source.at(plain), self._mark)
        except UnknownSnapshot as unknown:
            raise UnknownSnapshot(version, unknown.why) from unknown

    def kept(self) -> tuple[KeptSnapshot, ...]:
        """The snapshots that can be replayed, newest first."""
        return tuple(replace(one, version=one.version + self._mark) for one in self._source.kept())

    def subscribe(self, prepare: Callable[[Prices], None]) -> None:
        """Have ``prepare`` called with new prices before they come into force."""
        self._source.subscribe(lambda prices: prepare(replace(prices, version=prices.version + self._mark)))

    def watch(self) -> None:
        """Begin to follow new prices in this process."""
        self._source.watch()
