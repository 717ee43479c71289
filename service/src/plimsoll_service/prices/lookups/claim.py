"""A claim to make a page, with the patience of those that do not get it."""

from __future__ import annotations

import random
import time

from plimsoll_service.prices.lookups.cache import Cache

FIRST_PAUSE_SECONDS = 0.005  # a page of a process' own prices is there by then
LONGEST_PAUSE_SECONDS = 0.1  # 200 waiting processes ask Redis some thousand times a second: a tenth of what it can do
# A claim this close to its end may have gone to another: it is left to expire.
SURELY_HELD = 0.8
_CHANCE = random.SystemRandom()


class Claim:
    """One caller's claim to a page, as the mutex that dogpile's lock works with.

    ``wait`` is how long the caller waits for another one's page; ``making`` and ``renewing`` are how long a claim to a
    missing and to an old page stands, all in seconds.
    """

    def __init__(self, cache: Cache, key: str, *, wait: float, making: int, renewing: int) -> None:
        self._cache = cache
        self._key = key
        self._wait = wait
        self._making = making
        self._renewing = renewing
        self._sure_until = 0.0
        self.held = False

    def acquire(self, wait: bool = True) -> bool:
        """Claim the page, or wait until there is one, or for as long as there is hope: ``held`` tells which."""
        # Where nobody can be asked, nobody is known to be at work.
        self.held = self._claim(self._making if wait else self._renewing) is not False
        if self.held or not wait:
            return self.held
        until, pause = time.monotonic() + self._wait, FIRST_PAUSE_SECONDS
        while time.monotonic() < until:
            time.sleep(pause * _CHANCE.uniform(0.5, 1.0))  # spreads the looks
            if self._cache.get(self._key) is not None:
                break
            claimed = self._claim(self._making)
            if claimed is not False:
                # The one at work is still there where the cache is gone: not everyone must do its work again.
                self.held = claimed is True
                break
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        return True

    def release(self) -> None:
        """Give the claim up, if it is held."""
        if self.held and time.monotonic() < self._sure_until:
            self._cache.release(self._key)
        self.held = False

    def _claim(self, seconds: int) -> bool | None:
        self._sure_until = time.monotonic() + SURELY_HELD * seconds
        return self._cache.claim(self._key, ttl_seconds=seconds)
