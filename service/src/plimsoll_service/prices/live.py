"""The prices in force: those of the newest snapshot, in arrays, replaced as a whole."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from threading import Lock

from ..engine.hardware import Catalog
from ..engine.prices import Prices, bundled
from ..metrics import show_version
from .memory import memory
from .redis_link import RedisRefused, RedisUnavailable
from .snapshots import join
from .snapshots.join import STALE, version_of
from .snapshots.store import Pointer, SnapshotStore
from .snapshots.table import PriceTable
from .source import KeptSnapshot, PriceBook, SnapshotUnavailable, UnknownSnapshot

MOST_LOADED = 3  # about ten megabytes each
LEAD_SECONDS = 60.0  # prices with the next stale flags are ready so long before the moment of expiry


class SnapshotBooks:
    """A snapshot joined with a catalog: one book for each state of staleness, which differ in version and flags."""

    def __init__(self, catalog: Catalog, table: PriceTable, digest: str) -> None:
        self.expiries = join.expiries(table)
        self._catalog = catalog
        self._table = table
        self._digest = digest
        self._fresh = PriceBook(catalog, join.prices_of(table, digest, catalog))
        self._books = {0: self._fresh}
        self._lock = Lock()

    def expired(self, now: float) -> int:
        """The number of moments of expiry that have passed at ``now``, in seconds since 1970."""
        return bisect_left(self.expiries, now)

    def until(self, expired: int) -> float:
        """The moment up to which a book is in force."""
        return self.expiries[expired] if expired < len(self.expiries) else inf

    def book(self, expired: int) -> PriceBook:
        """The prices after so many moments of expiry."""
        with self._lock:
            if expired not in self._books:
                prices = join.prices_of(self._table, self._digest, self._catalog, expired)
                same = replace(self._fresh.prices, version=prices.version, stale=prices.stale)
                self._books[expired] = self._fresh.restated(same)
            return self._books[expired]

    def stale_sources(self, now: float) -> int:
        """The number of sources that have not answered for longer than they may."""
        coverage = self._table.coverage
        return len(set(coverage.source.codes[coverage.fresh_until.codes < self.expired(now)].tolist()))


class Replays:
    """The snapshots of a store, if there is one, by version; those that were used last stay in memory."""

    def __init__(self, catalog: Catalog, store: SnapshotStore | None = None) -> None:
        self._catalog = catalog
        self._store = store
        self._loaded = memory(MOST_LOADED)

    def version(self, pointer: Pointer) -> str:
        """The version of a snapshot's prices while all of its sources are fresh."""
        return version_of(pointer.digest, pointer.as_of, self._catalog)

    def books(self, version: str) -> SnapshotBooks:
        """The books of a snapshot; raises ``UnknownSnapshot`` or ``SnapshotUnavailable``."""
        found: SnapshotBooks = self._loaded.get_or_create(version, partial(self._load, version))
        return found

    def keep(self, version: str, books: SnapshotBooks) -> None:
        """Keep a snapshot in memory, in place of the one that was used longest ago."""
        self._loaded.set(version, books)

    def _load(self, version: str) -> SnapshotBooks:
        if self._store is None:
            raise UnknownSnapshot(version)
        try:
            entry = next((entry for entry in self._store.history() if self.version(entry) == version), None)
            table = None if entry is None else self._store.load(entry.digest)
        except (RedisUnavailable, RedisRefused) as error:
            raise SnapshotUnavailable(version) from error
        if entry is None or table is None:
            raise UnknownSnapshot(version)
        return SnapshotBooks(self._catalog, table, entry.digest)


@dataclass(frozen=True)
class Snapshot:
    """A published snapshot as a worker holds it; ``content`` are the bytes that were published."""

    pointer: Pointer
    content: bytes
    books: SnapshotBooks


@dataclass(frozen=True)
class _View:
    """The book in force from one moment up to another, in seconds since 1970."""

    book: PriceBook
    until: float
    since: float = -inf


class LivePrices:
    """The prices in force: the bundled ones, until a follower of ``replays``' store adopts others.

    ``mark`` ends every version: it names the pricing agreements, which change every cost. Records are list prices.
    """

    def __init__(
        self, catalog: Catalog, replays: Replays | None = None, clock: Callable[[], float] = time.time, mark: str = ""
    ) -> None:
        self.snapshot: Snapshot | None = None
        self.mark = mark
        self._bundled = self._marked(PriceBook(catalog, bundled(catalog)))
        self._view = _View(self._bundled, inf)
        self._replays = replays or Replays(catalog)
        self._clock = clock
        self._history: tuple[Pointer, ...] = ()
        self._subscribers: list[Callable[[Prices], object]] = []
        self._lock = Lock()
        self._watch: Callable[[], None] = lambda: show_version(catalog.version)

    def current(self) -> PriceBook:
        """The prices in force, in constant time and without I/O."""
        view = self._view
        return view.book if view.since < self._clock() <= view.until else self._turned().book

    def at(self, version: str) -> PriceBook:
        """The prices of a version; raises ``UnknownSnapshot`` or ``SnapshotUnavailable``."""
        book = self._view.book
        if version == book.prices.version:
            return book
        if version == self._bundled.prices.version:
            return self._bundled
        unmarked = version.removesuffix(self.mark)
        if self.mark and unmarked == version:
            why = f"version {version!r} rests on other pricing agreements than those in force, {self.mark!r}"
            raise UnknownSnapshot(version, why)
        fresh, stale, count = unmarked.partition(STALE)
        expired = int(count) if count.isascii() and count.isdigit() else 0
        if stale and (str(expired) != count or expired == 0):
            raise UnknownSnapshot(version)
        books = self._books(fresh)
        if expired > len(books.expiries):
            raise UnknownSnapshot(version)
        return self._marked(books.book(expired))

    def kept(self) -> tuple[KeptSnapshot, ...]:
        """The snapshots that can be replayed, newest first, as last listed."""
        held = self.snapshot
        history = self._history
        if held is not None and held.pointer not in history:
            history = (held.pointer, *history)
        published = [
            KeptSnapshot(self._replays.version(entry) + self.mark, entry.as_of, entry.published_at, entry.offers)
            for entry in history
        ]
        own = self._bundled.prices
        return (*published, KeptSnapshot(own.version, own.as_of, None, len(own.offers)))

    def subscribe(self, prepare: Callable[[Prices], object]) -> None:
        """Have ``prepare`` called with new prices before they come into force."""
        self._subscribers.append(prepare)

    def watch(self) -> None:
        """Begin to follow new prices in this process."""
        self._watch()

    def follow(self, start: Callable[[], None]) -> None:
        """Have ``watch`` call this."""
        self._watch = start

    def adopt(self, snapshot: Snapshot) -> None:
        """Put a snapshot into force after all subscribers have prepared for it."""
        view = self._view_of(snapshot.books)
        self._prepare(view.book)
        with self._lock:
            self._view = view
            self.snapshot = snapshot
        self._replays.keep(self._replays.version(snapshot.pointer), snapshot.books)

    def note(self, history: tuple[Pointer, ...]) -> None:
        """Note which snapshots are kept."""
        self._history = history

    def prepare_next(self) -> None:
        """Prepare the prices of the next moment of expiry, shortly before it."""
        held, until = self.snapshot, self._view.until
        if held is not None and until < self._clock() + LEAD_SECONDS:
            self._prepare(self._marked(held.books.book(held.books.expired(until) + 1)))
            self.current()

    def _prepare(self, book: PriceBook) -> None:
        for prepare in self._subscribers:
            prepare(book.prices)

    def _view_of(self, books: SnapshotBooks) -> _View:
        expired = books.expired(self._clock())
        return _View(
            self._marked(books.book(expired)), books.until(expired), books.until(expired - 1) if expired else -inf
        )

    def _marked(self, book: PriceBook) -> PriceBook:
        prices = book.prices
        return book.restated(replace(prices, version=prices.version + self.mark)) if self.mark else book

    def _turned(self) -> _View:
        """The view of now: after a moment of expiry, or after the clock was set back."""
        with self._lock:
            if self.snapshot is not None and not self._view.since < self._clock() <= self._view.until:
                self._view = self._view_of(self.snapshot.books)
            return self._view

    def _books(self, version: str) -> SnapshotBooks:
        held = self.snapshot
        if held is not None and self._replays.version(held.pointer) == version:
            return held.books
        return self._replays.books(version)
