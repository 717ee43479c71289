"""The prices of one snapshot, found by name, and the source that has the bundled prices alone."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..engine.hardware import PURCHASE_NAMES, Catalog, Coded, Ints, Offers
from ..engine.prices import Prices, bundled
from .gauges import show_version
from .source import ALL, DEFAULT_LIMIT, KeptSnapshot, PriceFilter, PricePage, PriceRecord, UnknownSnapshot


@dataclass(frozen=True, eq=False)
class Facet:
    """One property of the offers: its code by offer, and the offers (ascending) of each code as one slice."""

    codes: Ints
    code_by_word: dict[str, int]
    order: Ints
    starts: Ints

    def rows(self, word: str) -> Ints:
        """The offers that have ``word``, ascending; none for an unknown word."""
        code = self.code_by_word.get(word)
        return self.order[:0] if code is None else self.order[self.starts[code] : self.starts[code + 1]]

    def among(self, rows: Ints, word: str) -> Ints:
        """Those of ``rows`` that have ``word``."""
        matching: Ints = rows[self.codes[rows] == self.code_by_word.get(word, -1)]
        return matching


class OfferIndex:
    """Offers by any combination of filters; the filter that leaves the fewest is applied first."""

    def __init__(self, catalog: Catalog, offers: Offers) -> None:
        types = catalog.instance_types
        self._all = np.arange(len(offers), dtype=np.int32)
        self._facets = {
            "cloud": _facet([types.cloud[row] or "" for row in range(len(types))], offers.instance_type),
            "region": _facet(catalog.regions.name, offers.region),
            "instance_type": _facet(types.name, offers.instance_type),
            "purchase": _facet(PURCHASE_NAMES, offers.purchase),
        }

    def rows(self, wanted: PriceFilter) -> Ints:
        """The offers that pass all filters, ascending."""
        filters = [(self._facets[name], word) for name, word in wanted._asdict().items() if word is not None]
        if not filters:
            return self._all
        filters.sort(key=lambda pair: len(pair[0].rows(pair[1])))
        (facet, word), *others = filters
        rows = facet.rows(word)
        for facet, word in others:
            rows = facet.among(rows, word)
        return rows


def _facet(words: Sequence[str], target: Ints) -> Facet:
    """The facet of a table whose row ``target[i]`` offer i points to; rows of the same word share a code."""
    code_by_word = {word: code for code, word in enumerate(dict.fromkeys(words))}
    code_by_row = np.array([code_by_word[word] for word in words], dtype=np.int32)
    codes = code_by_row[target]
    order = np.argsort(codes, kind="stable").astype(np.int32)
    starts = np.searchsorted(codes[order], np.arange(len(code_by_word) + 1)).astype(np.int32)
    return Facet(codes, code_by_word, order, starts)


class CatalogBook:
    """Prices over the rows of a catalog."""

    def __init__(self, catalog: Catalog, prices: Prices) -> None:
        self._catalog = catalog
        self.prices = prices

    @cached_property
    def _index(self) -> OfferIndex:
        return OfferIndex(self._catalog, self.prices.offers)

    def restated(self, prices: Prices) -> CatalogBook:
        """The same offers with another version or other stale flags; an index that was built is shared."""
        book = copy(self)
        book.prices = prices
        return book

    def lookup(self, wanted: PriceFilter = ALL, *, offset: int = 0, limit: int = DEFAULT_LIMIT) -> PricePage:
        """The prices of the offers wanted, in the catalog's order."""
        rows = self._index.rows(wanted)
        return PricePage(self._records(rows[offset : offset + limit]), len(rows))

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
