"""The shared cache in Redis; whatever Redis does, a caller sees at worst a miss."""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError
from redis.retry import Retry

from plimsoll_service.metrics import REDIS_ERRORS, REDIS_UP
from plimsoll_service.prices.breaker import Breaker
from plimsoll_service.prices.source import PricePage
from plimsoll_service.prices.wire import dump, load

USE = "prices"  # the metrics' label
SOCKET_TIMEOUT_SECONDS = 0.1  # the snapshot answers within milliseconds: a slower cache is worth nothing
RETRY_SECONDS = 5.0  # so long a Redis that came back stays unused; a dead one costs one time-out in each
# Beside redis-py's own errors: sockets' and those that its parser lets through when what answers is no Redis.
BROKEN = (RedisError, OSError, ValueError)


class RedisCache:
    """Pages in Redis. A lost connection rests all commands for a while, a refused write all writes."""

    def __init__(self, client: Redis, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._link = Breaker(RETRY_SECONDS, clock)
        self._writes = Breaker(RETRY_SECONDS, clock)
        self._up: bool | None = None

    def get(self, key: str) -> PricePage | None:
        """The page; ``None`` where there is none, Redis does not give it, or what it gives is none."""
        value = self._read(key)
        page = None if value is None else load(key, value)
        if value is not None and page is None:
            REDIS_ERRORS.labels(USE, "garbage").inc()
        return page

    def set(self, key: str, page: PricePage, *, ttl_seconds: int) -> None:
        """Write the page with its time to live in one command, if Redis takes it."""
        if not (self._link.allows() and self._writes.allows()):
            return
        try:
            self._client.set(key, dump(key, page), ex=ttl_seconds)
        except ResponseError as error:  # out of memory, a read-only replica, no permission
            self._refused(error)
            self._reached()
        except BROKEN as error:
            self._lost(error)
        else:
            self._reached()
            if self._writes.succeeded():
                structlog.get_logger(__name__).info("redis_takes_writes_again", use=USE)

    def _read(self, key: str) -> bytes | None:
        if not self._link.allows():
            return None
        try:
            value = self._client.get(key)
        except ResponseError:  # such as a key of another type: the server is well
            REDIS_ERRORS.labels(USE, "refused").inc()
            self._reached()
            return None
        except BROKEN as error:
            self._lost(error)
            return None
        self._reached()
        return value if isinstance(value, bytes) else None

    def _reached(self) -> None:
        self._show(up=True)
        if self._link.succeeded():
            structlog.get_logger(__name__).info("redis_available_again", use=USE)

    def _lost(self, error: Exception) -> None:
        REDIS_ERRORS.labels(USE, "unreachable").inc()
        self._show(up=False)
        if self._link.failed():
            structlog.get_logger(__name__).warning("redis_unavailable", use=USE, error=_text(error))

    def _refused(self, error: Exception) -> None:
        REDIS_ERRORS.labels(USE, "refused").inc()
        if self._writes.failed():
            structlog.get_logger(__name__).warning("redis_refuses_writes", use=USE, error=_text(error))

    def _show(self, *, up: bool) -> None:
        if self._up is not up:
            self._up = up
            REDIS_UP.labels(USE).set(up)


def connect(url: str, *, clock: Callable[[], float] = time.monotonic) -> RedisCache:
    """A cache at a ``redis://``, ``rediss://`` or ``unix://`` URL, not yet reached for; ``ValueError`` for another."""
    client = Redis.from_url(
        url,
        socket_timeout=SOCKET_TIMEOUT_SECONDS,
        socket_connect_timeout=SOCKET_TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), retries=0),
        protocol=2,
    )
    pool = client.connection_pool
    try:
        # Options in the URL are checked only when a connection is made; making one does not open it.
        pool.connection_class(**pool.connection_kwargs)
    except (TypeError, RedisError) as error:
        raise ValueError(str(error)) from error
    return RedisCache(client, clock)


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
