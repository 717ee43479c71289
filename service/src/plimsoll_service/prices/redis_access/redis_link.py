"""A link to Redis: runs commands, says by two errors why one did not run, and lets a lost Redis rest."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

import structlog
from redis.exceptions import (
    AskError,
    ClusterError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    TryAgainError,
    WatchError,
)

from plimsoll_service.metrics import REDIS_ERRORS, REDIS_UP
from plimsoll_service.prices.redis_access.breaker import Breaker
from plimsoll_service.prices.redis_access.redis_client import Client, opener
from plimsoll_service.tracing import span

RETRY_SECONDS = 5.0  # so long a Redis that came back stays unused; a dead one costs one time-out in each
# A Cluster that is being rearranged answers with these; the slots' new places are known at the next trial.
REARRANGED = (AskError, ClusterError, TryAgainError)
# Beside redis-py's own errors: sockets' and those that its parsers let through when what answers is no Redis.
BROKEN = (RedisError, RedisClusterException, OSError, ValueError, LookupError, TypeError, AttributeError)

T = TypeVar("T")


class RedisUnavailable(Exception):
    """Redis does not answer, or not as one does; or it did not lately, and is left alone for now."""


class RedisRefused(Exception):
    """Redis answers that it will not: out of memory, a replica, no permission, a key of another type."""


class RedisChanged(Exception):
    """A key that a transaction watched has changed: nothing of the transaction was done."""


class Link:
    """A client for the use named ``use`` in the metrics; shared by threads, reached for at the first command."""

    def __init__(self, make: Callable[[], Client], *, use: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._make = make
        self._use = use
        self._breaker = Breaker(RETRY_SECONDS, clock)
        self._client: Client | None = None
        self._making = Lock()
        self._tried = 0
        self._up: bool | None = None

    def run(self, command: Callable[[Client], T]) -> T:
        """What ``command`` answers; raises ``RedisUnavailable``, ``RedisRefused`` or ``RedisChanged``.

        ``command`` does nothing but speak to the client; where it raises, it may or may not have been carried out.
        """
        if not self._breaker.allows():
            raise RedisUnavailable("did not answer lately")
        try:
            with span(f"redis {self._use}", "client", {"db.system.name": "redis", "plimsoll.redis.use": self._use}):
                answer = command(self._connected())
        except WatchError as error:
            self._reached()
            raise RedisChanged(str(error)) from error
        except REARRANGED as error:
            raise self._lost(error) from error
        except ResponseError as error:
            raise self._refused(error) from error
        except BROKEN as error:
            raise self._lost(error) from error
        self._reached()
        return answer

    def garbage(self) -> None:
        """Count a value that is not what was written."""
        REDIS_ERRORS.labels(self._use, "garbage").inc()

    def _connected(self) -> Client:
        if self._client is None:
            tried = self._tried
            with self._making:
                if self._client is None and self._tried != tried:
                    raise RedisUnavailable("could not be connected to")  # by another thread, for all that waited
                if self._client is None:
                    try:
                        self._client = self._make()
                    finally:
                        self._tried += 1
        return self._client

    def _reached(self) -> None:
        self._show(up=True)
        if self._breaker.succeeded():
            structlog.get_logger(__name__).info("redis_available_again", use=self._use)

    def _lost(self, error: Exception) -> RedisUnavailable:
        REDIS_ERRORS.labels(self._use, "unreachable").inc()
        self._show(up=False)
        if self._breaker.failed():
            structlog.get_logger(__name__).warning("redis_unavailable", use=self._use, error=_text(error))
        return RedisUnavailable(_text(error))

    def _refused(self, error: ResponseError) -> RedisRefused:
        REDIS_ERRORS.labels(self._use, "refused").inc()
        self._reached()
        if isinstance(error, ReadOnlyError):
            # The name may stand for another server by now: the next command looks it up again.
            pool = getattr(self._client, "connection_pool", None)
            if pool is not None:
                pool.disconnect(inuse_connections=False)
        return RedisRefused(_text(error))

    def _show(self, *, up: bool) -> None:
        if self._up is not up:
            self._up = up
            REDIS_UP.labels(self._use).set(up)


def connect(url: str, *, use: str, timeout_seconds: float, clock: Callable[[], float] = time.monotonic) -> Link:
    """A link to the Redis at ``url``, not yet reached for; ``ValueError``, which never quotes it, for another URL."""
    return Link(opener(url, timeout_seconds), use=use, clock=clock)


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
