"""Several versions of prices over one catalog, like published snapshots, for tests that name a version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from plimsoll_service.engine.hardware import Catalog, Coded, Offers
from plimsoll_service.engine.prices import Prices, bundled
from plimsoll_service.prices.source import KeptSnapshot, PriceBook, SnapshotUnavailable, UnknownSnapshot

AS_OF = "2026-11-{:02d}T07:30:00Z"
bundled_once = cache(bundled)  # the ranges of prices take a while to compute


class PublishedPrices:
    """Prices of which all versions are kept, the newest in force; old ones are unavailable unless ``reachable``."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._books = [PriceBook(catalog, bundled_once(catalog))]
        self._prepared: list[Callable[[Prices], None]] = []
        self.reachable = True

    def publish(self, prices: Prices) -> None:
        """Put prices into force after preparing them."""
        for prepare in self._prepared:
            prepare(prices)
        self._books.append(PriceBook(self._catalog, prices))

    def current(self) -> PriceBook:
        return self._books[-1]

    def at(self, version: str) -> PriceBook:
        if version != self.current().prices.version and not self.reachable:
            raise SnapshotUnavailable(version)
        for book in self._books:
            if book.prices.version == version:
                return book
        raise UnknownSnapshot(version)

    def kept(self) -> tuple[KeptSnapshot, ...]:
        return tuple(
            KeptSnapshot(book.prices.version, book.prices.as_of, book.prices.as_of, len(book.prices.offers))
            for book in reversed(self._books)
        )

    def subscribe(self, prepare: Callable[[Prices], None]) -> None:
        self._prepared.append(prepare)


@cache
def moved(catalog: Catalog, number: int) -> Prices:
    """Prices of a later day: each moved by its own factor, every eleventh gone, some stale, volumes dearer."""
    chance = np.random.default_rng(number)
    kept = rows_of(catalog.offers, np.flatnonzero(np.arange(len(catalog.offers)) % 11 != number % 11))
    factors = chance.choice([0.8, 1.0, 1.25], len(kept))
    dearer = catalog.disks.usd_per_gib_month * (1 + number / 10)
    return replace(
        bundled_once(catalog),
        version=f"2026-11-{number:02d}-{number:08x}",
        as_of=AS_OF.format(number),
        offers=replace(kept, usd_per_hour=kept.usd_per_hour * factors),
        stale=chance.random(len(kept)) < 0.1,
        interruptions_per_hour=np.where(kept.purchase == 1, 0.05, np.nan),
        disks=replace(catalog.disks, usd_per_gib_month=dearer),
    )


def rows_of(offers: Offers, rows: Sequence[int] | np.ndarray) -> Offers:
    """Those rows of the offers, in their order."""
    rows = np.asarray(rows, dtype=np.int32)
    columns = {
        name: replace(column, codes=column.codes[rows]) if isinstance(column, Coded) else column[rows]
        for name, column in vars(offers).items()
    }
    return replace(offers, **columns)
