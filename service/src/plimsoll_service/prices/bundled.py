"""Prices as the catalog bundles them: one snapshot that nothing refreshes."""

from __future__ import annotations

import os
from collections.abc import Callable

from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.engine.prices import Prices, bundled
from plimsoll_service.prices.book import CatalogBook
from plimsoll_service.prices.shown import show_version
from plimsoll_service.prices.source import KeptSnapshot, UnknownSnapshot


class BundledPrices:
    """The catalog's own prices."""

    def __init__(self, catalog: Catalog) -> None:
        self._book = CatalogBook(catalog, bundled(catalog))
        self._shown_by: int | None = None

    def current(self) -> CatalogBook:
        """The only book there is."""
        return self._book

    def at(self, version: str) -> CatalogBook:
        """The same, if that is its version; raises ``UnknownSnapshot``."""
        if version != self._book.prices.version:
            raise UnknownSnapshot(version)
        return self._book

    def kept(self) -> tuple[KeptSnapshot, ...]:
        """The bundled snapshot."""
        prices = self._book.prices
        return (KeptSnapshot(prices.version, prices.as_of, None, len(prices.offers)),)

    def subscribe(self, prepare: Callable[[Prices], None]) -> None:
        """Nothing ever changes here."""

    def watch(self) -> None:
        """Nothing to follow; the metrics show for once what each process answers with."""
        if self._shown_by != os.getpid():
            self._shown_by = os.getpid()
            show_version(self._book.prices.version)
