"""What a cache of prices is, and the one that needs nothing but this process."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

from plimsoll_service.prices.source import PricePage

MAX_RECORDS = 20_000  # twenty pages of the largest size, or every price of some hundreds of instance types


@dataclass(frozen=True, slots=True)
class Kept:
    """A page and when it was made, in seconds since 1970."""

    page: PricePage
    made_at: float


class Cache(Protocol):
    """A store of pages that may forget anything at any time, never fails, and keeps nothing without a time to live."""

    def get(self, key: str) -> Kept | None:
        """The page, or ``None`` where there is none."""
        ...

    def set(self, key: str, kept: Kept, *, ttl_seconds: int) -> None:
        """Keep the page for at most ``ttl_seconds``."""
        ...

    def claim(self, key: str, *, ttl_seconds: int) -> bool | None:
        """Whether the caller is to make the page: nobody else who shares the cache is for ``ttl_seconds``.

        ``None`` where others cannot be asked.
        """
        ...

    def release(self, key: str) -> None:
        """Let others make the page again."""
        ...


class ProcessCache:
    """The least recently used pages of this process go first once they hold more than ``max_records``."""

    def __init__(self, max_records: int = MAX_RECORDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._max_records = max_records
        self._clock = clock
        self._entries: OrderedDict[str, tuple[float, Kept]] = OrderedDict()
        self._claims: dict[str, float] = {}
        self._records = 0
        self._lock = Lock()

    def get(self, key: str) -> Kept | None:
        """The page, unless it has expired or had to go."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            expires, kept = entry
            if self._clock() >= expires:
                self._drop(key)
                return None
            self._entries.move_to_end(key)
            return kept

    def set(self, key: str, kept: Kept, *, ttl_seconds: int) -> None:
        """Keep the page, at the cost of those that were used longest ago."""
        with self._lock:
            if key in self._entries:
                self._drop(key)
            self._entries[key] = (self._clock() + ttl_seconds, kept)
            self._records += _size(kept)
            while self._records > self._max_records:
                self._drop(next(iter(self._entries)))

    def claim(self, key: str, *, ttl_seconds: int) -> bool:
        """Whether no other thread is making the page."""
        with self._lock:
            now = self._clock()
            if self._claims.get(key, now) > now:
                return False
            self._claims = {name: until for name, until in self._claims.items() if until > now}
            self._claims[key] = now + ttl_seconds
            return True

    def release(self, key: str) -> None:
        """Let other threads make the page again."""
        with self._lock:
            self._claims.pop(key, None)

    def _drop(self, key: str) -> None:
        _, kept = self._entries.pop(key)
        self._records -= _size(kept)


def _size(kept: Kept) -> int:
    """An empty page takes a place as well, so that made-up names are bounded too."""
    return max(1, len(kept.page.items))
