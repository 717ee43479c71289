"""Updates of a worker's prices: it adopts newer snapshots, restores lost ones in Redis and keeps the last in a file."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from pathlib import Path
from threading import Lock, Thread
from typing import Any
from weakref import WeakMethod

import structlog

from ..engine.hardware import Catalog
from ..metrics import PRICE_RELOADS, REDIS_BYTES, STALE_SOURCES, show_age, show_version
from ..whole_file import write_whole
from .live import LivePrices, Snapshot, SnapshotBooks
from .redis_link import RedisRefused, RedisUnavailable
from .refreshing.merge import regained
from .snapshots import codec
from .snapshots.codec import SnapshotError
from .snapshots.store import Overtaken, Pointer, SnapshotStore, dump_pointer, load_pointer
from .snapshots.table import PriceTable

FILE = "prices"
MOST_POINTER_BYTES = 4096  # a pointer has about 300 bytes
INTERVAL_SECONDS = 1.0
JITTER = 0.25  # keeps the workers of an installation from asking at the same moments
_CHANCE = random.SystemRandom()
START_SECONDS = 1.0  # the longest that a start waits for Redis
REPORT_SECONDS = 60.0
RETRY_SECONDS = 30.0  # until an unreadable snapshot is tried again


class LastPrices:
    """The last good prices in a file: a snapshot with its pointer, replaced in one step by any worker."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / FILE
        self._silent = False

    def read(self) -> tuple[Pointer, bytes] | None:
        """The pointer and the snapshot's bytes; ``None`` if there is no whole snapshot."""
        try:
            with self._path.open("rb") as file:
                found, content = load_pointer(file.readline(MOST_POINTER_BYTES)), file.read()
        except OSError:
            return None
        return (found, content) if found is not None and codec.digest(content) == found.digest else None

    def write(self, new: Pointer, content: bytes) -> None:
        """Keep a snapshot that is newer than the one in the file; log once if the directory takes none."""
        try:
            kept = self.read()
            if kept is None or kept[0].sequence < new.sequence:
                write_whole(self._path, dump_pointer(new) + b"\n" + content)
        except OSError as error:
            if not self._silent:
                self._silent = True
                structlog.get_logger(__name__).warning("last_prices_not_kept", error=error.strerror or str(error))


class Watcher:
    """A thread that calls ``step`` about once a second, for as long as the watcher lives.

    Threads do not survive a fork. Each process starts its own, after ``begin`` if another process made the watcher.
    """

    def __init__(self, step: Callable[[], None], begin: Callable[[], None] = lambda: None) -> None:
        self._step = step
        self._begin = begin
        self._maker = os.getpid()
        self._process: int | None = None
        self._lock = Lock()

    def start(self) -> None:
        """Start the thread, unless this process has it already."""
        if self._process == os.getpid():
            return
        with self._lock:
            process = os.getpid()
            if self._process != process:
                if self._maker != process:
                    self._begin()
                self._process = process
                Thread(target=_run, args=(WeakMethod(self._step),), daemon=True, name="price-watcher").start()


def _run(step: WeakMethod[Any]) -> None:
    failure = ""
    while (call := step()) is not None:
        try:
            call()
            failure = ""
        except Exception as error:  # one failure must not end the watch; repeated failures are logged once
            if failure != (failure := repr(error)):
                structlog.get_logger(__name__).error("price_watch_failed", exc_info=error)
        del call  # lets the object be collected while the thread sleeps
        time.sleep(INTERVAL_SECONDS * _CHANCE.uniform(1 - JITTER, 1 + JITTER))


class Follower:
    """Keeps ``live`` at the newest snapshot of a store, and that snapshot in a file if there is a directory for it."""

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
        """Adopt the newest snapshot that arrives within a second, else the last good one in the file.

        A forked process begins again: its parent may have begun long ago.
        """
        answer: Future[tuple[Pointer, bytes] | None] = Future()
        # The thread has links of its own: locks that it held at a fork would stay locked in the child.
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
        """Look once for a newer snapshot; the prices in force stay if Redis fails."""
        try:
            self._follow(self._store.pointer())
            self._report()
        except (RedisUnavailable, RedisRefused):  # the link has logged and counted it
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
        """Put the snapshot back into a Redis that lost it by a flush, an eviction or a restart."""
        if self._store.restore(held.pointer, held.content):
            PRICE_RELOADS.labels("restored").inc()
            structlog.get_logger(__name__).info("price_snapshot_restored", digest=held.pointer.digest[:8])

    def _regain(self, pointer: Pointer, new: PriceTable, held: PriceTable) -> None:
        """Publish the part that a refresh lacks because Redis had lost it when the refresh began."""
        whole = regained(new, held)
        if whole is None:
            return
        try:
            self._store.publish(whole, over=pointer)
        except Overtaken:  # another worker or the next refresh has published
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
            self._reported = -REPORT_SECONDS  # read the list of snapshots again at once
            return
        self._unreadable = (pointer.digest, self._clock() + RETRY_SECONDS)
        PRICE_RELOADS.labels("failed").inc()
        if digest != pointer.digest:
            structlog.get_logger(__name__).warning("price_snapshot_unreadable", digest=pointer.digest[:8])

    def _adopt(self, pointer: Pointer, content: bytes) -> bool:
        """Put the snapshot into force; return whether it was readable."""
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
        """Note once a minute which snapshots Redis keeps and their memory; restore the one in force if it is gone."""
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
        version = prices.version.removesuffix(self._live.mark)
        if version != self._shown:
            show_version(version, self._shown)
            self._shown = version
        show_age(prices.as_of, now)
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
