"""The wire: connections, timeouts, retries, and errors in this package's own words. Nothing else imports httpx."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TypeVar

import httpx

from plimsoll._protocol import Call
from plimsoll._reply import Reply
from plimsoll._retry import RETRIED_STATUSES, retry_after_seconds, wait_seconds
from plimsoll._version import __version__
from plimsoll.config import Retry, Timeouts, proxy_for, service_url
from plimsoll.errors import BadAnswer, ConnectionFailed, TimedOut

T = TypeVar("T")
Jitter = Callable[[], float]
Outcome = httpx.Response | httpx.TransportError
Transport = httpx.BaseTransport
AsyncTransport = httpx.AsyncBaseTransport

USER_AGENT = f"plimsoll-python/{__version__}"
# A read timeout is not among them: a service too slow to answer is not helped by being asked once more.
RETRIED_ERRORS = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.ReadError,
    httpx.WriteError,
    httpx.RemoteProtocolError,
)

logger = logging.getLogger("plimsoll")


class RetryingTransport(httpx.BaseTransport):
    """Sends through ``inner``, again where ``policy`` says so; an answer's body counts as part of the sending."""

    def __init__(
        self,
        inner: httpx.BaseTransport,
        policy: Retry,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Jitter = random.random,
    ) -> None:
        self._inner, self._policy, self._sleep, self._jitter = inner, policy, sleep, jitter

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The first answer that needs no retry, or the last one."""
        sent = 0
        while True:
            sent += 1
            outcome = self._send(request)
            wait = _wait(self._policy, sent, outcome, self._jitter)
            if wait is None:
                return _settled(outcome)
            _log_retry(request, outcome, wait)
            self._sleep(wait)

    def _send(self, request: httpx.Request) -> Outcome:
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
        """Closes ``inner``."""
        self._inner.close()


class AsyncRetryingTransport(httpx.AsyncBaseTransport):
    """The asynchronous twin of ``RetryingTransport``."""

    def __init__(
        self,
        inner: httpx.AsyncBaseTransport,
        policy: Retry,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Jitter = random.random,
    ) -> None:
        self._inner, self._policy, self._sleep, self._jitter = inner, policy, sleep, jitter

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The first answer that needs no retry, or the last one."""
        sent = 0
        while True:
            sent += 1
            outcome = await self._send(request)
            wait = _wait(self._policy, sent, outcome, self._jitter)
            if wait is None:
                return _settled(outcome)
            _log_retry(request, outcome, wait)
            await self._sleep(wait)

    async def _send(self, request: httpx.Request) -> Outcome:
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
        """Closes ``inner``."""
        await self._inner.aclose()


class Sender:
    """Sends calls to one service, synchronously; safe to share between threads."""

    def __init__(
        self,
        base_url: str | None,
        timeouts: Timeouts,
        retry: Retry,
        headers: Mapping[str, str],
        transport: httpx.BaseTransport | None,
    ) -> None:
        url = service_url(base_url)
        inner = transport or httpx.HTTPTransport(proxy=proxy_for(url))
        self._client = httpx.Client(transport=RetryingTransport(inner, retry), **_options(url, timeouts, headers))

    def send(self, call: Call[T]) -> T:
        """The call's value; raises ``PlimsollError``."""
        with _own_errors(call):
            response = self._client.request(call.method, call.path, params=call.params or None, json=call.json)
        return call.result(_reply(response))

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()


class AsyncSender:
    """The asynchronous twin of ``Sender``."""

    def __init__(
        self,
        base_url: str | None,
        timeouts: Timeouts,
        retry: Retry,
        headers: Mapping[str, str],
        transport: httpx.AsyncBaseTransport | None,
    ) -> None:
        url = service_url(base_url)
        inner = transport or httpx.AsyncHTTPTransport(proxy=proxy_for(url))
        self._client = httpx.AsyncClient(
            transport=AsyncRetryingTransport(inner, retry), **_options(url, timeouts, headers)
        )

    async def send(self, call: Call[T]) -> T:
        """The call's value; raises ``PlimsollError``."""
        with _own_errors(call):
            response = await self._client.request(call.method, call.path, params=call.params or None, json=call.json)
        return call.result(_reply(response))

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.aclose()


def _options(url: str, timeouts: Timeouts, headers: Mapping[str, str]) -> dict[str, Any]:
    wait = httpx.Timeout(timeouts.read_seconds, connect=timeouts.connect_seconds, pool=timeouts.pool_seconds)
    return {"base_url": url, "timeout": wait, "headers": {"User-Agent": USER_AGENT} | dict(headers)}


def _reply(response: httpx.Response) -> Reply:
    return Reply(
        status=response.status_code,
        content=response.content,
        request_id=response.headers.get("X-Request-Id"),
        retry_after=_asked_wait(response),
    )


def _asked_wait(response: httpx.Response) -> float | None:
    return retry_after_seconds(response.headers.get("Retry-After"), datetime.now(UTC))


def _wait(policy: Retry, sent: int, outcome: Outcome, jitter: Jitter) -> float | None:
    if isinstance(outcome, httpx.TransportError):
        return wait_seconds(policy, sent, None, jitter())
    if outcome.status_code not in RETRIED_STATUSES:
        return None
    return wait_seconds(policy, sent, _asked_wait(outcome), jitter())


def _settled(outcome: Outcome) -> httpx.Response:
    if isinstance(outcome, httpx.TransportError):
        raise outcome
    return outcome


def _log_retry(request: httpx.Request, outcome: Outcome, wait: float) -> None:
    cause = outcome.status_code if isinstance(outcome, httpx.Response) else repr(outcome)
    logger.info("%s %s: %s, again in %.2f s", request.method, request.url.path, cause, wait)


@contextmanager
def _own_errors(call: Call[Any]) -> Iterator[None]:
    try:
        yield
    except httpx.TimeoutException as error:
        raise TimedOut(f"{call.method} {error.request.url}: {_words(error)}") from error
    except httpx.DecodingError as error:
        raise BadAnswer(f"{call.method} {error.request.url}: {_words(error)}") from error
    except httpx.RequestError as error:
        raise ConnectionFailed(f"{call.method} {error.request.url}: {_words(error)}") from error


def _words(error: httpx.RequestError) -> str:
    # Some of httpx's errors come without a text.
    return f"{type(error).__name__} {error}".rstrip()
