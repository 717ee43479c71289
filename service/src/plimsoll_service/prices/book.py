"""The prices of one snapshot, found by name, and the source that has the bundled prices alone."""

from __future__ import annotations

import math
import os
from collections.abc import Callable

import numpy as np

from ..engine.hardware import PURCHASE_NAMES, Catalog, Coded, Ints
from ..engine.prices import Prices, bundled
from .gauges import show_version
from .source import ALL, DEFAULT_LIMIT, KeptSnapshot, PriceFilter, PricePage, PriceRecord, UnknownSnapshot


class CatalogBook:
    """Prices over the rows of a catalog."""

    def __init__(self, catalog: Catalog, prices: Prices) -> None:
        self._catalog = catalog
        self.prices = prices

    def restated(self, prices: Prices) -> CatalogBook:
        """The same offers with another version or other stale flags."""
        return CatalogBook(self._catalog, prices)

    def lookup(self, wanted: PriceFilter = ALL, *, offset: int = 0, limit: int = DEFAULT_LIMIT) -> PricePage:
        """The prices of the offers wanted, in the catalog's order."""
        rows = self._rows(wanted)
        return PricePage(self._records(rows[offset : offset + limit]), len(rows))

    def _rows(self, wanted: PriceFilter) -> Ints:
        """The offers that pass all filters, ascending."""
        types, regions, offers = self._catalog.instance_types, self._catalog.regions, self.prices.offers
        wanted_types = np.ones(len(types), dtype=np.bool_)
        if wanted.cloud is not None:
            wanted_types &= types.cloud.codes == types.cloud.code_of(wanted.cloud)
        if wanted.instance_type is not None:
            wanted_types &= np.fromiter((name == wanted.instance_type for name in types.name), np.bool_, len(types))
        # Offers are sorted by instance type, and types by cloud: most filters leave one part of them.
        ends = np.flatnonzero(wanted_types)[[0, -1]] + (0, 1) if wanted_types.any() else (0, 0)
        first, end = np.searchsorted(offers.instance_type, ends)
        passes = wanted_types[offers.instance_type[first:end]]
        if wanted.region is not None:
            passes &= np.array([name == wanted.region for name in regions.name])[offers.region[first:end]]
        if wanted.purchase is not None:
            passes &= np.array([name == wanted.purchase for name in PURCHASE_NAMES])[offers.purchase[first:end]]
        found: Ints = (np.flatnonzero(passes) + first).astype(np.int32)
        return found

    def _records(self, rows: Ints) -> tuple[PriceRecord, ...]:
        types, regions, offers = self._catalog.instance_types, self._catalog.regions, self.prices.offers
        type_rows = offers.instance_type[rows].tolist()
        risks, lows, highs = (
            [None if math.isnan(value) else value for value in column[rows].tolist()]
            for column in (self.prices.interruptions_per_hour, self.prices.low, self.prices.high)
        )
        return tuple(
            PriceRecord(
                cloud=_known(types.cloud, type_row),
                region=regions.name[offers.region[row]],
                instance_type=types.name[type_row],
                purchase=PURCHASE_NAMES[offers.purchase[row]],
                usd_per_hour=float(offers.usd_per_hour[row]),
                as_of=offers.as_of[row],
                source=_known(offers.source, row),
                stale=bool(self.prices.stale[row]),
                confidence=_known(offers.confidence, row),
                current=bool(offers.current[row]),
                interruptions_per_hour=risk,
                low=low,
                high=high,
            )
            for row, type_row, risk, low, high in zip(rows.tolist(), type_rows, risks, lows, highs, strict=True)
        )


def _known(column: Coded, row: int) -> str:
    """The word in a column without unknown words."""
    return column.words[int(column.codes[row])]


class BundledPrices:
    """The catalog's own prices."""

    def __init__(self, catalog: Catalog) -> None:
        self._book = CatalogBook(catalog, bundled(catalog))
        self._shown_by: int | None = None

    def current(self) -> CatalogBook:
        """The only book."""
        return self._book

    def at(self, version: str) -> CatalogBook:
        """The only book; raises ``UnknownSnapshot`` for another version."""
        if version != self._book.prices.version:
            raise UnknownSnapshot(version)
        return self._book

    def kept(self) -> tuple[KeptSnapshot, ...]:
        """The bundled snapshot."""
        prices = self._book.prices
        return (KeptSnapshot(prices.version, prices.as_of, None, len(prices.offers)),)

    def subscribe(self, prepare: Callable[[Prices], None]) -> None:
        """Do nothing: these prices never change."""

    def watch(self) -> None:
        """Show the version in the metrics, once in each process."""
        if self._shown_by != os.getpid():
            self._shown_by = os.getpid()
            show_version(self._book.prices.version)
