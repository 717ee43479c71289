"""The cache of quotes: in the memory of the process and, if the installation has one, in a Redis that others share."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass
from threading import Lock, Thread
from typing import Any

import orjson
from dogpile.cache import CacheRegion
from dogpile.cache.api import CachedValue, CacheMutex, NoValueType
from dogpile.cache.proxy import ProxyBackend

from ..engine.hardware import CONFIDENCES
from .feeds.feed import OfferQuote
from .memory import memory
from .redis_link import Client, Link, RedisRefused, RedisUnavailable

KEEP_SECONDS = 24 * 3600
RETRY_SECONDS = 60  # after a question without an answer
MOST_QUOTES = 20_000  # in the memory of one process, about ten megabytes
# Longer than a process waits for a provider: one that holds a claim for longer is dead.
CLAIM_SECONDS = 4
WAIT_SECONDS = 5.0  # long enough for another process to take over from a dead one
PAUSE_SECONDS = 0.1  # 200 waiting processes ask Redis 2,000 times a second, a fraction of its capacity
_CHANCE = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class LastQuote:
    """The last quote of an offer and its time, in seconds since 1970; ``failed``: the provider did not answer since.

    ``quote`` is ``None`` if the provider does not sell the offer or never answered.
    """

    quote: OfferQuote | None
    quoted_at: float
    failed: bool = False


class StillAsking(Exception):
    """Another caller asks for the same offer, and takes too long."""


def quote_region(link: Link | None = None, prefix: str = "") -> CacheRegion:
    """A cache of ``LastQuote`` values, shared through ``link`` under keys that begin with ``prefix``.

    One caller makes a missing value while the others wait. An old value is returned at once and renewed in a thread.
    """
    return memory(MOST_QUOTES, renew=_renew, shared=[] if link is None else [_Shared(link, prefix)])


def _renew(region: CacheRegion, key: str, make: Callable[[], LastQuote], claim: CacheMutex) -> None:
    def run() -> None:
        try:
            region.set(key, make())
        finally:
            claim.release()

    Thread(target=run, daemon=True, name="price-renewal").start()


class _Shared(ProxyBackend):
    """Quotes in Redis as well as in memory; if Redis fails, the process has its own."""

    def __init__(self, link: Link, prefix: str) -> None:
        self._link = link
        self._prefix = prefix

    def get(self, key: str) -> CachedValue | NoValueType | bytes:
        """Return the shared value, else the process's own."""
        try:
            found = self._link.run(lambda client: client.get(self._prefix + key))
        except (RedisUnavailable, RedisRefused):  # refused: such as a key of another type
            found = None
        value = _loaded(key, found) if isinstance(found, bytes) else None
        if value is None and found is not None:
            self._link.garbage()
        return value or self.proxied.get(key)

    def set(self, key: str, value: Any) -> None:
        """Keep a value here and, if Redis takes it, for others."""
        self.proxied.set(key, value)
        kept: LastQuote = value.payload
        quote = None if kept.quote is None else astuple(kept.quote)
        content = orjson.dumps([key, value.metadata, quote, kept.quoted_at, kept.failed])
        seconds = RETRY_SECONDS if kept.quote is None else KEEP_SECONDS
        self._write(lambda client: client.set(self._prefix + key, content, ex=seconds))

    def get_mutex(self, key: str) -> CacheMutex:
        """Return the claim to ask for an offer."""
        name = f"{self._prefix}{key}:claimed"
        return _Claim(
            lambda: self._claimed(name),
            lambda: self._write(lambda client: client.delete(name)),
        )

    def _claimed(self, name: str) -> bool | None:
        """Return whether the claim is granted; ``None`` if no Redis answers."""
        try:
            granted = self._link.run(lambda client: client.set(name, b"1", ex=CLAIM_SECONDS, nx=True))
        except (RedisUnavailable, RedisRefused):
            return None
        if granted is False:  # Redis says OK or nothing
            self._link.garbage()
            return None
        return bool(granted)

    def _write(self, command: Callable[[Client], object]) -> bool | None:
        """Return whether Redis did it; ``None`` if it does not answer."""
        try:
            return bool(self._link.run(command))
        except (RedisUnavailable, RedisRefused):
            return None


class _Claim(CacheMutex):
    """The right to ask for an offer: of one thread in a process and, if Redis answers, of one process among all."""

    def __init__(self, claim: Callable[[], bool | None], release: Callable[[], object]) -> None:
        self._lock = Lock()
        self._claim = claim
        self._release = release

    def acquire(self, wait: bool = True) -> bool:
        """Return whether the claim is the caller's; raise ``StillAsking`` after a wait in vain."""
        deadline = time.monotonic() + (WAIT_SECONDS if wait else 0)
        if self._lock.acquire(timeout=max(0, deadline - time.monotonic())):
            granted = self._claim()
            others = granted is False
            while granted is False and time.monotonic() < deadline:
                time.sleep(PAUSE_SECONDS * _CHANCE.uniform(0.5, 1.0))
                granted = self._claim()
            # If Redis is lost during the wait, the other process is still at work: not every process must ask.
            if granted or (granted is None and not others):
                return True
            self._lock.release()
        if wait:
            raise StillAsking
        return False

    def release(self) -> None:
        """Let others ask again."""
        self._release()
        self._lock.release()

    def locked(self) -> bool:
        """Return whether a thread of this process has the claim."""
        return self._lock.locked()


def _loaded(key: str, content: bytes) -> CachedValue | None:
    """The value that was kept under a key, or ``None`` where the bytes are anything else."""
    try:
        match orjson.loads(content):
            case [str(name), {"ct": float(), "v": int()} as metadata, quote, float(quoted_at), bool(failed)]:
                kept = LastQuote(None if quote is None else _quote(quote), quoted_at, failed)
                return CachedValue(kept, metadata) if name == key else None
    except ValueError:
        pass
    return None


def _quote(row: Any) -> OfferQuote:
    """The quote of these values, in the order of its fields; raises ``ValueError`` for anything else."""
    match row:
        case [str(), str(), str(), str(), float(usd), str(confidence), str(), str(), float() | None] if (
            usd > 0 and confidence in CONFIDENCES
        ):
            return OfferQuote(*row)
        case _:
            raise ValueError("is no quote")
