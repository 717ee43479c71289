"""Prices as the newest snapshot has them: in arrays, always at hand, replaced as a whole."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from threading import Lock

from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.engine.prices import Prices, bundled
from plimsoll_service.prices.book import CatalogBook
from plimsoll_service.prices.live.replays import Replays
from plimsoll_service.prices.live.snapshot_books import SnapshotBooks
from plimsoll_service.prices.snapshots.join import STALE
from plimsoll_service.prices.snapshots.pointer import Pointer
from plimsoll_service.prices.source import KeptSnapshot, UnknownSnapshot

LEAD_SECONDS = 60.0  # so long before sources go stale the prices that say so are ready


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
