"""Read-through lookups: what is kept is shown, what has aged is renewed behind it, what is missing is made once.

Who makes it is settled by claims in the cache, so that processes which share a cache share the work. dogpile's lock
does the rest: it lets one caller make a missing page while the others wait, and one renew an old page that is shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread

from dogpile import Lock as Dogpile
from dogpile import NeedRegenerationException

from plimsoll_service.metrics import PRICE_CACHE_LOOKUPS
from plimsoll_service.prices.lookups.cache import Cache, Kept
from plimsoll_service.prices.lookups.claim import Claim
from plimsoll_service.prices.source import PricePage
from plimsoll_service.single_flight import SingleFlight

NOTHING = PricePage((), 0)

_HIT, _MISS, _STALE = (PRICE_CACHE_LOOKUPS.labels(outcome) for outcome in ("hit", "miss", "stale"))

Make = Callable[[bool], PricePage | None]


@dataclass(frozen=True)
class Policy:
    """How long pages count, in seconds.

    ``fresh`` is how long a page is shown as it is (``None``: always), ``keep`` how long it is kept to be shown while or
    although it cannot be renewed, ``empty`` how long it is remembered that there is none. A caller that finds another
    one at work waits for ``wait`` at most; who works for longer than ``claim`` is taken for dead. A renewal that failed
    is tried again after ``pause``.
    """

    fresh: float | None
    keep: int
    empty: int
    wait: float
    claim: int
    pause: int


class ReadThrough:
    """Lookups through a cache that others may share."""

    def __init__(self, cache: Cache, policy: Policy) -> None:
        self.policy = policy
        self._cache = cache
        self._flight = SingleFlight[Kept]()

    def get(self, key: str, make: Make) -> Kept:
        """The page of ``key``: kept, else made.

        ``make`` never raises. It is told whether this caller is the one that shall work: False where another one is at
        work but not heard of, within ``wait`` or any more. It answers ``None`` where it failed, which counts as an
        empty page.
        """
        kept = self._cache.get(key)
        if kept is not None and self._is_fresh(kept):
            _HIT.inc()
            return kept
        return self._flight.run(key, lambda: self._get(key, make))

    def keep(self, key: str, page: PricePage) -> Kept:
        """Keep a page that was made just now."""
        kept = Kept(page, time.time())
        self._cache.set(key, kept, ttl_seconds=self.policy.keep if page.items else self.policy.empty)
        return kept

    def _is_fresh(self, kept: Kept) -> bool:
        return self.policy.fresh is None or time.time() - kept.made_at <= self.policy.fresh

    def _get(self, key: str, make: Make) -> Kept:
        """What is not just a hit."""
        policy, outcome = self.policy, _HIT
        claim = Claim(self._cache, key, wait=policy.wait, making=policy.claim, renewing=policy.pause)

        def look() -> tuple[Kept, float]:
            kept = self._cache.get(key)
            if kept is None:
                raise NeedRegenerationException
            return kept, kept.made_at

        def create() -> tuple[Kept, float]:
            nonlocal outcome
            outcome = _MISS
            page = make(claim.held)
            if page is None and not claim.held:
                return Kept(NOTHING, time.time()), time.time()
            # A failure is kept as well: those who wait shall not fail one after the other.
            kept = self.keep(key, NOTHING if page is None else page)
            return kept, kept.made_at

        def renew(_: object) -> None:
            nonlocal outcome
            outcome = _STALE
            Thread(target=self._renew, args=(key, make, claim), daemon=True, name="price-renewal").start()

        with Dogpile(claim, create, look, policy.fresh, renew) as kept:  # type: ignore[no-untyped-call]
            outcome.inc()
            found: Kept = kept
        return found

    def _renew(self, key: str, make: Make, claim: Claim) -> None:
        """Make the page anew; what is kept stays where that fails, and the claim stands, so that nobody hurries."""
        page = make(True)
        if page is not None:
            self.keep(key, page)
            claim.release()
