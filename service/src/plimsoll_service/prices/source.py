"""The one interface through which the service learns prices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

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
    """A price snapshot that answers can be replayed from; ``published_at`` is ``None`` for the bundled one."""

    version: str
    prices_as_of: str
    published_at: str | None
    offers: int


class UnknownSnapshot(LookupError):
    """No snapshot of that version is kept; ``why`` gives another reason, if there is one."""

    def __init__(self, version: str, why: str | None = None) -> None:
        super().__init__(version)
        self.version = version
        self.why = why


class SnapshotUnavailable(Exception):
    """The store of snapshots cannot be reached, so that the version may be known or not."""

    def __init__(self, version: str) -> None:
        super().__init__(version)
        self.version = version


class PriceBook(Protocol):
    """The prices of one snapshot; never changes."""

    @property
    def prices(self) -> Prices:
        """All of them, over the rows of the catalog."""

    def lookup(self, wanted: PriceFilter = ALL, *, offset: int = 0, limit: int = DEFAULT_LIMIT) -> PricePage:
        """The prices of the offers wanted, in the catalog's order."""

    def restated(self, prices: Prices) -> PriceBook:
        """The same offers with another version or other stale flags."""


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

    def subscribe(self, prepare: Callable[[Prices], None]) -> None:
        """Have ``prepare`` called with new prices before they come into force, away from any request."""

    def watch(self) -> None:
        """Begin to follow new prices in this process; cheap to call again."""
