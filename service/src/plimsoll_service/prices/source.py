"""The one interface through which the service learns prices."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from ..engine.hardware import PURCHASE_NAMES, Catalog, Coded, Ints
from ..engine.prices import Prices

DEFAULT_LIMIT = 100


@dataclass(frozen=True, slots=True)
class PriceRecord:
    """The price of one offer in USD for one machine and hour; ``current`` is False if it is no longer sold.

    ``low`` and ``high`` are the range of a price that is estimated or undated. ``interruptions_per_hour`` are those of
    one spot machine, if the price's source states them.
    """

    cloud: str
    region: str
    instance_type: str
    purchase: str
    usd_per_hour: float
    as_of: str | None
    source: str
    stale: bool
    confidence: str
    current: bool
    interruptions_per_hour: float | None = None
    low: float | None = None
    high: float | None = None


class PriceFilter(NamedTuple):
    """The offers that a lookup wants; an unknown name matches none, and ``None`` filters nothing."""

    cloud: str | None = None
    region: str | None = None
    instance_type: str | None = None
    purchase: str | None = None


ALL = PriceFilter()


@dataclass(frozen=True)
class PricePage:
    """A part of the ``total`` records that a lookup found, in the catalog's order."""

    items: tuple[PriceRecord, ...]
    total: int


@dataclass(frozen=True, slots=True)
class KeptSnapshot:
    """A price snapshot, for repeating answers; ``published_at`` is null for the bundled one."""

    version: str
    prices_as_of: str
    published_at: str | None
    offers: int


class UnknownSnapshot(LookupError):
    """No snapshot of that version is kept; ``why`` gives another reason, if there is one."""

    def __init__(self, version: str, why: str | None = None) -> None:
        super().__init__(version)
        self.why = why


class SnapshotUnavailable(Exception):
    """The store of snapshots cannot be reached, so that the version may be known or not."""


class PriceBook:
    """The prices of one snapshot over the rows of a catalog; never changes."""

    def __init__(self, catalog: Catalog, prices: Prices) -> None:
        self._catalog = catalog
        self.prices = prices

    def restated(self, prices: Prices) -> PriceBook:
        """The same offers with another version or other stale flags."""
        return PriceBook(self._catalog, prices)

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


class PriceLookups(Protocol):
    """Lookups in a book, with current prices if the installation asks providers for them."""

    def lookup(
        self, book: PriceBook, wanted: PriceFilter = ALL, *, offset: int = 0, limit: int = DEFAULT_LIMIT
    ) -> PricePage:
        """The page of ``book.lookup``, or the current price of a single offer; never fails because of the provider."""


class PriceSource(Protocol):
    """A source of prices; ``current`` and ``kept`` never fail for reasons outside the process."""

    def current(self) -> PriceBook:
        """The prices in force, in constant time and without I/O."""

    def at(self, version: str) -> PriceBook:
        """The prices of a version; raises ``UnknownSnapshot`` or ``SnapshotUnavailable``."""

    def kept(self) -> tuple[KeptSnapshot, ...]:
        """The snapshots that can be replayed, newest first."""

    def subscribe(self, prepare: Callable[[Prices], object]) -> None:
        """Have ``prepare`` called with new prices before they come into force, away from any request."""

    def watch(self) -> None:
        """Begin to follow new prices in this process; cheap to call again."""
