"""Prices of an installation with pricing agreements: their versions name the agreements, which change every cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..engine.prices import Prices
from .source import KeptSnapshot, PriceBook, PriceSource, UnknownSnapshot


class PricesUnderAgreements:
    """A source of prices with ``+terms.<digest>`` after each version; its records are list prices."""

    def __init__(self, source: PriceSource, digest: str) -> None:
        self._source = source
        self._mark = f"+terms.{digest}"
        self._current = self._marked(source.current())

    def current(self) -> PriceBook:
        """The prices in force."""
        book = self._source.current()
        if book.prices.version + self._mark != self._current.prices.version:
            self._current = self._marked(book)
        return self._current

    def at(self, version: str) -> PriceBook:
        """The prices of a version under these agreements; raises ``UnknownSnapshot`` or ``SnapshotUnavailable``."""
        unmarked = version.removesuffix(self._mark)
        if unmarked == version:
            why = f"version {version!r} rests on other pricing agreements than those in force, {self._mark!r}"
            raise UnknownSnapshot(version, why)
        try:
            return self._marked(self._source.at(unmarked))
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

    def _marked(self, book: PriceBook) -> PriceBook:
        return book.restated(replace(book.prices, version=book.prices.version + self._mark))
