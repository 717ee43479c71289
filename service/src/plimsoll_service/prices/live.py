"""Prices as the newest snapshot has them: in arrays, always at hand, replaced as a whole."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from threading import Lock

from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.engine.prices import Prices, bundled
from plimsoll_service.prices.book import CatalogBook
from plimsoll_service.prices.redis_link import RedisRefused, RedisUnavailable
from plimsoll_service.prices.snapshots import join
from plimsoll_service.prices.snapshots.join import STALE, version_of
from plimsoll_service.prices.snapshots.store import Pointer, SnapshotStore
from plimsoll_service.prices.snapshots.table import PriceTable
from plimsoll_service.prices.source import KeptSnapshot, SnapshotUnavailable, UnknownSnapshot
from plimsoll_service.single_flight import SingleFlight

MOST_LOADED = 3  # some ten megabytes each
LEAD_SECONDS = 60.0  # so long before sources go stale the prices that say so are ready


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


class Replays:
    """The snapshots of a store by the version that answers name; the ones used last stay loaded."""

    def __init__(self, catalog: Catalog, store: SnapshotStore) -> None:
        self._catalog = catalog
        self._store = store
        self._loaded: OrderedDict[str, SnapshotBooks] = OrderedDict()
        self._lock = Lock()
        self._flight = SingleFlight[SnapshotBooks]()

    def version(self, pointer: Pointer) -> str:
        """What answers from a snapshot name while all of its sources are fresh."""
        return version_of(pointer.digest, pointer.as_of, self._catalog)

    def books(self, version: str) -> SnapshotBooks:
        """The books of a snapshot; raises ``UnknownSnapshot`` or ``SnapshotUnavailable``."""
        return self._find(version) or self._flight.run(version, lambda: self._load(version))

    def keep(self, version: str, books: SnapshotBooks) -> None:
        """Keep a loaded snapshot, at the cost of the one that was used longest ago."""
        with self._lock:
            self._loaded[version] = books
            self._loaded.move_to_end(version)
            while len(self._loaded) > MOST_LOADED:
                self._loaded.popitem(last=False)

    def _find(self, version: str) -> SnapshotBooks | None:
        with self._lock:
            if version not in self._loaded:
                return None
            self._loaded.move_to_end(version)
            return self._loaded[version]

    def _load(self, version: str) -> SnapshotBooks:
        try:
            entry = next((entry for entry in self._store.history() if self.version(entry) == version), None)
            table = None if entry is None else self._store.load(entry.digest)
        except (RedisUnavailable, RedisRefused) as error:
            raise SnapshotUnavailable(version) from error
        if entry is None or table is None:
            raise UnknownSnapshot(version)
        books = SnapshotBooks(self._catalog, table, entry.digest)
        self.keep(version, books)
        return books


@dataclass(frozen=True)
class Snapshot:
    """A published snapshot as a worker holds it; ``content`` are the bytes that were published."""

    pointer: Pointer
    content: bytes
    books: SnapshotBooks


@dataclass(frozen=True)
class _View:
    """What is in force up to a moment, in seconds since 1970."""

    book: CatalogBook
    until: float


class LivePrices:
    """The prices in force; ``watch`` begins to follow new ones in this process."""

    def __init__(self, catalog: Catalog, replays: Replays, clock: Callable[[], float] = time.time) -> None:
        self.snapshot: Snapshot | None = None
        self._bundled = CatalogBook(catalog, bundled(catalog))
        self._view = _View(self._bundled, inf)
        self._replays = replays
        self._clock = clock
        self._history: tuple[Pointer, ...] = ()
        self._subscribers: list[Callable[[Prices], None]] = []
        self._lock = Lock()
        self._watch: Callable[[], None] = lambda: None

    def current(self) -> CatalogBook:
        """The prices in force, in constant time and without I/O."""
        view = self._view
        return view.book if self._clock() <= view.until else self._turned().book

    def at(self, version: str) -> CatalogBook:
        """The prices that answers of that version came from; raises ``UnknownSnapshot`` or ``SnapshotUnavailable``."""
        book = self._view.book
        if version == book.prices.version:
            return book
        if version == self._bundled.prices.version:
            return self._bundled
        fresh, mark, count = version.partition(STALE)
        expired = int(count) if count.isascii() and count.isdigit() else 0
        if mark and (str(expired) != count or expired == 0):
            raise UnknownSnapshot(version)
        books = self._books(fresh)
        if expired > len(books.expiries):
            raise UnknownSnapshot(version)
        return books.book(expired)

    def kept(self) -> tuple[KeptSnapshot, ...]:
        """The snapshots that can be replayed, newest first, as far as is known."""
        held = self.snapshot
        history = self._history
        if held is not None and held.pointer not in history:
            history = (held.pointer, *history)
        published = [
            KeptSnapshot(self._replays.version(entry), entry.as_of, entry.published_at, entry.offers)
            for entry in history
        ]
        own = self._bundled.prices
        return (*published, KeptSnapshot(own.version, own.as_of, None, len(own.offers)))

    def subscribe(self, prepare: Callable[[Prices], None]) -> None:
        """Have ``prepare`` called with new prices before they come into force."""
        self._subscribers.append(prepare)

    def watch(self) -> None:
        """Begin to follow new prices in this process."""
        self._watch()

    def follow(self, start: Callable[[], None]) -> None:
        """Have ``watch`` call this."""
        self._watch = start

    def adopt(self, snapshot: Snapshot) -> None:
        """Put a snapshot into force, once everything that depends on it is ready."""
        view = self._view_of(snapshot.books)
        self._prepare(view.book)
        with self._lock:
            self._view = view
            self.snapshot = snapshot
        self._replays.keep(self._replays.version(snapshot.pointer), snapshot.books)

    def note(self, history: tuple[Pointer, ...]) -> None:
        """Remember which snapshots are kept."""
        self._history = history

    def prepare_next(self) -> None:
        """Have the prices ready that come into force when the next sources go stale, shortly before they do."""
        held, until = self.snapshot, self._view.until
        if held is not None and until < self._clock() + LEAD_SECONDS:
            self._prepare(held.books.book(held.books.expired(until) + 1))
            self.current()

    def _prepare(self, book: CatalogBook) -> None:
        for prepare in self._subscribers:
            prepare(book.prices)

    def _view_of(self, books: SnapshotBooks) -> _View:
        expired = books.expired(self._clock())
        return _View(books.book(expired), books.until(expired))

    def _turned(self) -> _View:
        """The view after some sources have gone stale; which needs nothing but the clock."""
        with self._lock:
            if self.snapshot is not None and self._clock() > self._view.until:
                self._view = self._view_of(self.snapshot.books)
            return self._view

    def _books(self, version: str) -> SnapshotBooks:
        held = self.snapshot
        if held is not None and self._replays.version(held.pointer) == version:
            return held.books
        return self._replays.books(version)
