"""Follows the snapshot in force: takes what is newer, puts back what Redis lost, keeps what it has otherwise."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from threading import Thread

import structlog

from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.metrics import PRICE_RELOADS, REDIS_BYTES, STALE_SOURCES
from plimsoll_service.prices.live.last_prices import LastPrices
from plimsoll_service.prices.live.live import LivePrices, Snapshot
from plimsoll_service.prices.live.snapshot_books import SnapshotBooks
from plimsoll_service.prices.redis_access.redis_link import RedisRefused, RedisUnavailable
from plimsoll_service.prices.refreshing.merge import regained
from plimsoll_service.prices.shown import show_age, show_version
from plimsoll_service.prices.snapshots import codec
from plimsoll_service.prices.snapshots.codec import SnapshotError
from plimsoll_service.prices.snapshots.pointer import Pointer
from plimsoll_service.prices.snapshots.store import Overtaken, SnapshotStore
from plimsoll_service.prices.snapshots.table import PriceTable

START_SECONDS = 1.0  # the start waits so long for Redis
REPORT_SECONDS = 60.0
RETRY_SECONDS = 30.0  # a snapshot that could not be read is tried again after so long


class Follower:
    """Keeps ``live`` at the newest snapshot of a store, and the last good one in a file where there is a place."""

    def __init__(
        self,
        catalog: Catalog,
        live: LivePrices,
        make_store: Callable[[], SnapshotStore],
        last_prices: LastPrices | None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._catalog = catalog
        self._live = live
        self._make_store = make_store
        self._store = make_store()
        self._last_prices = last_prices
        self._clock = clock
        self._unreadable: tuple[str, float] = ("", 0.0)
        self._reported = -REPORT_SECONDS
        self._shown: str | None = None

    def begin(self) -> None:
        """Take the newest snapshot that can be had within a second, else the last good one of the file.

        A process that was forked from one that began long ago begins anew.
        """
        answer: Future[tuple[Pointer, bytes] | None] = Future()
        # The thread's own links: locks that it holds at a fork would stay locked in the child.
        Thread(target=_newest, args=(self._make_store(), answer), daemon=True, name="price-start").start()
        kept = None if self._last_prices is None else self._last_prices.read()
        try:
            newest = answer.result(START_SECONDS)
        except NotYet:
            newest = None
        held = self._live.snapshot
        least = -1 if held is None else held.pointer.sequence
        candidates = [found for found in (newest, kept) if found is not None and found[0].sequence > least]
        for found, content in sorted(candidates, key=lambda pair: pair[0].sequence, reverse=True):
            if self._adopt(found, content):
                break

    def step(self) -> None:
        """Look once; whatever Redis does, the prices in force stay good."""
        try:
            self._follow(self._store.pointer())
            self._report()
        except (RedisUnavailable, RedisRefused):  # which the link has logged and counted
            pass
        self._live.prepare_next()
        self._measure()

    def _follow(self, pointer: Pointer | None) -> None:
        held = self._live.snapshot
        if held is not None and (pointer is None or pointer.sequence < held.pointer.sequence):
            self._restore(held)
        elif pointer is not None and (held is None or pointer != held.pointer):
            self._take(pointer)

    def _restore(self, held: Snapshot) -> None:
        """Give back what a flush, an eviction or an empty restart took."""
        if self._store.restore(held.pointer, held.content):
            PRICE_RELOADS.labels("restored").inc()
            structlog.get_logger(__name__).info("price_snapshot_restored", digest=held.pointer.digest[:8])

    def _regain(self, pointer: Pointer, new: PriceTable, held: PriceTable) -> None:
        """Publish again what a refresh left out because Redis had lost it when the refresh began."""
        whole = regained(new, held)
        if whole is None:
            return
        try:
            self._store.publish(whole, over=pointer)
        except Overtaken:  # by another worker that knows the same, or by the next refresh
            return
        PRICE_RELOADS.labels("regained").inc()
        structlog.get_logger(__name__).info("price_snapshot_regained", digest=pointer.digest[:8])

    def _take(self, pointer: Pointer) -> None:
        digest, retry_at = self._unreadable
        if digest == pointer.digest and self._clock() < retry_at:
            return
        held = self._live.snapshot
        content = self._store.fetch(pointer.digest)
        if content is not None and self._adopt(pointer, content):
            if held is not None:
                self._regain(pointer, codec.loads(content), codec.loads(held.content))
            self._reported = -REPORT_SECONDS  # the list of what is kept has grown: it is read anew at once
            return
        self._unreadable = (pointer.digest, self._clock() + RETRY_SECONDS)
        PRICE_RELOADS.labels("failed").inc()
        if digest != pointer.digest:
            structlog.get_logger(__name__).warning("price_snapshot_unreadable", digest=pointer.digest[:8])

    def _adopt(self, pointer: Pointer, content: bytes) -> bool:
        """Whether these bytes are in force now."""
        try:
            table = codec.loads(content)
        except SnapshotError:
            return False
        self._live.adopt(Snapshot(pointer, content, SnapshotBooks(self._catalog, table, pointer.digest)))
        PRICE_RELOADS.labels("adopted").inc()
        if self._last_prices is not None:
            self._last_prices.write(pointer, content)
        return True

    def _report(self) -> None:
        """About once a minute: which snapshots are kept, what they take, and whether ours is still whole."""
        if self._clock() < self._reported + REPORT_SECONDS:
            return
        self._reported = self._clock()
        self._live.note(self._store.history())
        REDIS_BYTES.set(self._store.memory_bytes())
        held = self._live.snapshot
        if held is not None and not self._store.has(held.pointer.digest):
            self._restore(held)

    def _measure(self) -> None:
        now, held = self._clock(), self._live.snapshot
        prices = self._live.current().prices
        if prices.version != self._shown:
            show_version(prices.version, self._shown)
            self._shown = prices.version
        show_age(prices, now)
        STALE_SOURCES.set(0 if held is None else held.books.stale_sources(now))


def _newest(store: SnapshotStore, answer: Future[tuple[Pointer, bytes] | None]) -> None:
    found = None
    try:
        pointer = store.pointer()
        content = None if pointer is None else store.fetch(pointer.digest)
        found = None if pointer is None or content is None else (pointer, content)
    except (RedisUnavailable, RedisRefused):
        pass
    finally:
        answer.set_result(found)
