"""The shared cache in Redis; whatever Redis does, a caller sees at worst a miss, or a page to make itself."""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog

from plimsoll_service.prices.lookups.cache import Kept
from plimsoll_service.prices.lookups.wire import dump, load
from plimsoll_service.prices.redis_access.breaker import Breaker
from plimsoll_service.prices.redis_access.redis_link import RETRY_SECONDS, Link, RedisRefused, RedisUnavailable

USE = "prices"  # the metrics' label of the link
SOCKET_TIMEOUT_SECONDS = 0.1  # the process answers within milliseconds: a slower cache is worth nothing
_CLAIMED = ":claimed"  # ends the key of a claim


class RedisCache:
    """Pages in Redis under a prefix. A refused write rests all writes for a while, a lost connection everything."""

    def __init__(self, link: Link, prefix: str, use: str = USE, clock: Callable[[], float] = time.monotonic) -> None:
        self._link = link
        self._use = use
        self._prefix = prefix
        self._writes = Breaker(RETRY_SECONDS, clock)

    def get(self, key: str) -> Kept | None:
        """The page; ``None`` where there is none, Redis does not give it, or what it gives is none."""
        name = self._prefix + key
        try:
            value = self._link.run(lambda client: client.get(name))
        except (RedisUnavailable, RedisRefused):  # such as a key of another type
            return None
        if not isinstance(value, bytes):
            return None
        kept = load(key, value)
        if kept is None:
            self._link.garbage()
        return kept

    def set(self, key: str, kept: Kept, *, ttl_seconds: int) -> None:
        """Write the page with its time to live in one command, if Redis takes it."""
        name, value = self._prefix + key, dump(key, kept)
        self._write(lambda: self._link.run(lambda client: client.set(name, value, ex=ttl_seconds)))

    def claim(self, key: str, *, ttl_seconds: int) -> bool | None:
        """Whether nobody else held the claim; ``None`` where Redis does not say."""
        name = self._prefix + key + _CLAIMED
        return self._write(lambda: self._link.run(lambda client: client.set(name, b"1", ex=ttl_seconds, nx=True)))

    def release(self, key: str) -> None:
        """Give the claim up."""
        name = self._prefix + key + _CLAIMED
        self._write(lambda: self._link.run(lambda client: client.delete(name)))

    def _write(self, command: Callable[[], object]) -> bool | None:
        """Whether Redis did it; ``None`` where it could not be asked, or refused."""
        if not self._writes.allows():
            return None
        try:
            answer = command()
        except RedisRefused as error:  # out of memory, a read-only replica, no permission
            if self._writes.failed():
                structlog.get_logger(__name__).warning("redis_refuses_writes", use=self._use, error=str(error))
            return None
        except RedisUnavailable:
            return None
        if self._writes.succeeded():
            structlog.get_logger(__name__).info("redis_takes_writes_again", use=self._use)
        return bool(answer)
