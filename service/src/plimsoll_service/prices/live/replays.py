"""Snapshots that were in force before, loaded when an answer of theirs is asked for again."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.live.snapshot_books import SnapshotBooks
from plimsoll_service.prices.redis_access.redis_link import RedisRefused, RedisUnavailable
from plimsoll_service.prices.snapshots.join import version_of
from plimsoll_service.prices.snapshots.pointer import Pointer
from plimsoll_service.prices.snapshots.store import SnapshotStore
from plimsoll_service.prices.source import SnapshotUnavailable, UnknownSnapshot
from plimsoll_service.single_flight import SingleFlight

MOST_LOADED = 3  # some ten megabytes each


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
