"""What a cache of prices is, and the one that needs nothing but this process."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Protocol

from plimsoll_service.prices.source import PricePage

MAX_RECORDS = 20_000  # twenty pages of the largest size, or every price of some hundreds of instance types


class Cache(Protocol):
    """A store of pages that may forget anything at any time, never fails, and keeps nothing without a time to live."""

    def get(self, key: str) -> PricePage | None:
        """The page, or ``None`` where there is none."""
        ...

    def set(self, key: str, page: PricePage, *, ttl_seconds: int) -> None:
        """Keep the page for at most ``ttl_seconds``."""
        ...


class ProcessCache:
    """The least recently used pages of this process go first once they hold more than ``max_records``."""

    def __init__(self, max_records: int = MAX_RECORDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._max_records = max_records
        self._clock = clock
        self._entries: OrderedDict[str, tuple[float, PricePage]] = OrderedDict()
        self._records = 0
        self._lock = Lock()

    def get(self, key: str) -> PricePage | None:
        """The page, unless it has expired or had to go."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            expires, page = entry
            if self._clock() >= expires:
                self._drop(key)
                return None
            self._entries.move_to_end(key)
            return page

    def set(self, key: str, page: PricePage, *, ttl_seconds: int) -> None:
        """Keep the page, at the cost of those that were used longest ago."""
        with self._lock:
            if key in self._entries:
                self._drop(key)
            self._entries[key] = (self._clock() + ttl_seconds, page)
            self._records += len(page.items)
            while self._records > self._max_records:
                self._drop(next(iter(self._entries)))

    def _drop(self, key: str) -> None:
        _, page = self._entries.pop(key)
        self._records -= len(page.items)
