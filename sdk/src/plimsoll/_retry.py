"""Transports that repeat a request where a policy says so. Calls of this package change nothing: each may be repeated.

The wait is "full jitter" (AWS Architecture Blog, Exponential Backoff And Jitter, 2015): random between 0 and a bound
that doubles, so that clients refused together do not come back together. Reading an answer's body is part of sending.
"""

from __future__ import annotations

import logging
import math
import random
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from plimsoll.config import Retry

Jitter = Callable[[], float]
Attempt = httpx.Response | httpx.TransportError

# Without read timeouts: another request would only load a slow service more.
RETRIED_ERRORS = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.ReadError,
    httpx.WriteError,
    httpx.RemoteProtocolError,
)

RETRIED_STATUSES = frozenset({429, 500, 502, 503, 504})
# More doublings exceed any cap, and in the end the range of a float.
_MOST_DOUBLINGS = 64

logger = logging.getLogger("plimsoll")


class RetryingTransport(httpx.BaseTransport):
    """Transport that sends through ``inner`` and retries as ``policy`` says."""

    def __init__(
        self,
        inner: httpx.BaseTransport,
        policy: Retry,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Jitter = random.random,
    ) -> None:
        self._inner, self._policy, self._sleep, self._jitter = inner, policy, sleep, jitter

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the first answer that needs no retry, or the last one."""
        sent = 0
        while True:
            sent += 1
            attempt = self._send(request)
            wait = _wait(self._policy, sent, attempt, self._jitter)
            if wait is None:
                return _settled(attempt)
            _log_retry(request, attempt, wait)
            self._sleep(wait)

    def _send(self, request: httpx.Request) -> Attempt:
        try:
            response = self._inner.handle_request(request)
            try:
                response.read()
            except BaseException:
                response.close()
                raise
        except RETRIED_ERRORS as error:
            return error
        return response

    def close(self) -> None:
        """Close ``inner``."""
        self._inner.close()


async def _asyncio_sleep(seconds: float) -> None:
    import asyncio  # loaded already where anything awaits; httpx alone does not load it

    await asyncio.sleep(seconds)


class AsyncRetryingTransport(httpx.AsyncBaseTransport):
    """Asynchronous equivalent of ``RetryingTransport``."""

    def __init__(
        self,
        inner: httpx.AsyncBaseTransport,
        policy: Retry,
        sleep: Callable[[float], Awaitable[None]] = _asyncio_sleep,
        jitter: Jitter = random.random,
    ) -> None:
        self._inner, self._policy, self._sleep, self._jitter = inner, policy, sleep, jitter

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return the first answer that needs no retry, or the last one."""
        sent = 0
        while True:
            sent += 1
            attempt = await self._send(request)
            wait = _wait(self._policy, sent, attempt, self._jitter)
            if wait is None:
                return _settled(attempt)
            _log_retry(request, attempt, wait)
            await self._sleep(wait)

    async def _send(self, request: httpx.Request) -> Attempt:
        try:
            response = await self._inner.handle_async_request(request)
            try:
                await response.aread()
            except BaseException:
                await response.aclose()
                raise
        except RETRIED_ERRORS as error:
            return error
        return response

    async def aclose(self) -> None:
        """Close ``inner``."""
        await self._inner.aclose()


def asked_wait(response: httpx.Response) -> float | None:
    """Seconds that the answer's ``Retry-After`` asks for."""
    return retry_after_seconds(response.headers.get("Retry-After"), datetime.now(UTC))


def _wait(policy: Retry, sent: int, attempt: Attempt, jitter: Jitter) -> float | None:
    if isinstance(attempt, httpx.TransportError):
        return wait_seconds(policy, sent, None, jitter())
    if attempt.status_code not in RETRIED_STATUSES:
        return None
    return wait_seconds(policy, sent, asked_wait(attempt), jitter())


def _settled(attempt: Attempt) -> httpx.Response:
    if isinstance(attempt, httpx.TransportError):
        raise attempt
    return attempt


def _log_retry(request: httpx.Request, attempt: Attempt, wait: float) -> None:
    cause = f"{attempt.status_code} {attempt.reason_phrase}" if isinstance(attempt, httpx.Response) else repr(attempt)
    logger.info("%s %s: %s, again in %.2f s", request.method, request.url.path, cause, wait)


def wait_seconds(policy: Retry, sent: int, retry_after: float | None, jitter: float) -> float | None:
    """Seconds to wait before the next attempt after ``sent`` attempts; ``None`` to give up. ``jitter`` is in [0, 1)."""
    if sent >= policy.attempts or (retry_after or 0.0) > policy.longest_retry_after_seconds:
        return None
    bound = min(policy.cap_seconds, policy.base_seconds * 2.0 ** min(sent - 1, _MOST_DOUBLINGS))
    return (retry_after or 0.0) + jitter * bound


def retry_after_seconds(header: str | None, now: datetime) -> float | None:
    """Seconds that a ``Retry-After`` header asks for, from a number or an HTTP date; ``None`` where it is neither."""
    if header is None:
        return None
    # OverflowError: a number or year beyond any clock asks for an endless wait.
    try:
        return float(max(0, int(header)))
    except OverflowError:
        return math.inf
    except ValueError:
        pass
    try:
        then = parsedate_to_datetime(header)
    except OverflowError:
        return math.inf
    except ValueError:
        return None
    # "-0000" in a date parses as naive, and means UTC.
    aware = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())
