"""Rate limits: requests and workloads of a caller in windows of time, counted by all replicas in Redis.

Counting is one command in one round trip, over the service's common link to Redis: it supports Sentinel and Cluster,
times out after a fraction of a second, and does not retry a dead Redis at once.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

import structlog
from cachetools import TLRUCache

from ...settings import RateLimit

# Callers that one process counts; beyond that, it forgets the least recent one.
MOST_CALLERS = 100_000


class Counts(Protocol):
    """Counts by name, each kept for some seconds after its last change."""

    def add(self, name: str, amount: int, seconds: int) -> int | None:
        """The count after adding; ``None`` where the store is not available."""
        ...


class ProcessCounts:
    """Counts in this process."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        # Each count with the seconds for which it is kept.
        self._kept: TLRUCache[str, tuple[int, int]] = TLRUCache(MOST_CALLERS, lambda _, kept, now: now + kept[1], clock)
        self._lock = Lock()

    def add(self, name: str, amount: int, seconds: int) -> int:
        """The count after adding."""
        with self._lock:
            count = amount + self._kept.get(name, (0, 0))[0]
            self._kept[name] = (count, seconds)
            return count


@dataclass(frozen=True)
class Quota:
    """The rest of a caller's rate in this window, and whether the request was within it."""

    allowed: bool
    rate: RateLimit
    remaining: int
    reset_seconds: int


class Limiter:
    """The rate limits of callers; a refused request costs nothing.

    A window begins at a multiple of its length, so that all replicas agree on it. Around the start of a window a caller
    may have twice its rate within one window's length.
    """

    def __init__(
        self, default: RateLimit | None, shared: Counts | None, own: Counts, clock: Callable[[], float] = time.time
    ) -> None:
        self.default = default
        self._shared = shared
        self._own = own
        self._clock = clock
        self._alone = False  # whether this process counts by itself, where it should share

    def _tell(self, *, shared: bool) -> None:
        """Log once that the limits are each process's own, and once that they are shared again."""
        if self._alone is shared:
            self._alone = not shared
            log = structlog.get_logger(__name__)
            log.info("limits_shared_again") if shared else log.warning("limits_not_shared", each_worker_counts=True)

    def charge(self, caller: str, rate: RateLimit, units: int) -> Quota:
        """Charge the caller for the units, in Redis, or in this process while Redis is not available."""
        now = self._clock()
        window = int(now // rate.seconds)
        reset = math.ceil((window + 1) * rate.seconds - now)
        name = f"{caller}:{rate.seconds}:{window}"
        counts, count = self._own, None
        if self._shared is not None:
            counts, count = self._shared, self._shared.add(name, units, rate.seconds)
            self._tell(shared=count is not None)
        if count is None:
            counts, count = self._own, self._own.add(name, units, rate.seconds) or 0
        if count > rate.amount:
            counts.add(name, -units, rate.seconds)
            return Quota(False, rate, max(rate.amount - count + units, 0), max(reset, 1))
        return Quota(True, rate, rate.amount - count, max(reset, 1))
