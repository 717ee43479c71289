"""HTTP: connections, timeouts and errors; a WSGI application may replace the network."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

import httpx

from plimsoll._protocol import Call
from plimsoll._reply import Reply
from plimsoll._retry import AsyncRetryingTransport, RetryingTransport, asked_wait
from plimsoll._version import __version__
from plimsoll.config import Options, proxy_for
from plimsoll.errors import BadAnswer, ConnectionFailed, TimedOut

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

T = TypeVar("T")
Transport = httpx.BaseTransport
AsyncTransport = httpx.AsyncBaseTransport
HttpClient = httpx.Client
AsyncHttpClient = httpx.AsyncClient

USER_AGENT = f"plimsoll-python/{__version__}"
REQUEST_ID = "X-Request-Id"
_RATE_LIMIT = "RateLimit"  # draft-ietf-httpapi-ratelimit-headers
_MILLISECONDS = 1000
_BUILT = "plimsoll.built"
_REQUEST_ID_BYTES = 16  # as many as a UUID, so that no two calls have the same id

logger = logging.getLogger("plimsoll")


class Sender:
    """Synchronous sender of calls to one service; threads may share it."""

    def __init__(self, options: Options, transport: httpx.BaseTransport | None, *, owner: bool = True) -> None:
        self._inner = transport or httpx.HTTPTransport(proxy=proxy_for(options.url))
        self._client = httpx.Client(transport=RetryingTransport(self._inner, options.retry), **_client_options(options))
        self._owner = owner

    def with_options(self, options: Options) -> Sender:
        """Return a sender over the same connections; closing this one closes them."""
        return Sender(options, self._inner, owner=False)

    def send(self, call: Call[T]) -> T:
        """Send the call and return its value; raises ``PlimsollError``."""
        request = _request(self._client, call)
        with _own_errors(request):
            response = self._client.send(request)
        return call.result(_reply(request, response))

    def close(self) -> None:
        """Close the connections, unless another sender owns them."""
        if self._owner:
            self._client.close()


class AsyncSender:
    """Asynchronous equivalent of ``Sender``."""

    def __init__(self, options: Options, transport: httpx.AsyncBaseTransport | None, *, owner: bool = True) -> None:
        self._inner = transport or httpx.AsyncHTTPTransport(proxy=proxy_for(options.url))
        self._client = httpx.AsyncClient(
            transport=AsyncRetryingTransport(self._inner, options.retry), **_client_options(options)
        )
        self._owner = owner

    def with_options(self, options: Options) -> AsyncSender:
        """Return a sender over the same connections; closing this one closes them."""
        return AsyncSender(options, self._inner, owner=False)

    async def send(self, call: Call[T]) -> T:
        """Send the call and return its value; raises ``PlimsollError``."""
        request = _request(self._client, call)
        with _own_errors(request):
            response = await self._client.send(request)
        return call.result(_reply(request, response))

    async def close(self) -> None:
        """Close the connections, unless another sender owns them."""
        if self._owner:
            await self._client.aclose()


def _client_options(options: Options) -> dict[str, Any]:
    times = options.timeouts
    wait = httpx.Timeout(times.read_seconds, connect=times.connect_seconds, pool=times.pool_seconds)
    return {"base_url": options.url, "timeout": wait, "headers": {"User-Agent": USER_AGENT} | dict(options.headers)}


def _request(client: httpx.Client | httpx.AsyncClient, call: Call[Any]) -> httpx.Request:
    """Build the request; its id is the caller's or a new one, and stays the same for every retry."""
    request = client.build_request(call.method, call.path, params=call.params or None, json=call.json)
    request.extensions[_BUILT] = time.perf_counter()
    request.headers.setdefault(REQUEST_ID, os.urandom(_REQUEST_ID_BYTES).hex())
    return request


def _reply(request: httpx.Request, response: httpx.Response) -> Reply:
    request_id = response.headers.get(REQUEST_ID) or request.headers[REQUEST_ID]
    milliseconds = (time.perf_counter() - request.extensions[_BUILT]) * _MILLISECONDS
    limit = response.headers.get(_RATE_LIMIT)
    logger.debug(
        "%s %s: %d in %.0f ms, request %s%s",
        *(request.method, _public(request.url), response.status_code, milliseconds, request_id),
        f", rate limit {limit}" if limit else "",
    )
    return Reply(response.status_code, response.content, request_id, asked_wait(response))


def _public(url: httpx.URL) -> httpx.URL:
    """Return the address without a password, which must not get into logs."""
    return url.copy_with(username="", password="")


@contextmanager
def _own_errors(request: httpx.Request) -> Iterator[None]:
    def words(error: Exception) -> str:
        # Some errors of httpx have no text.
        return f"{request.method} {_public(request.url)}: {type(error).__name__} {error}".rstrip()

    request_id = request.headers[REQUEST_ID]
    try:
        yield
    except httpx.TimeoutException as error:
        raise TimedOut(words(error), request_id) from error
    except UnicodeError as error:  # an invalid host name, which httpx does not check
        raise ConnectionFailed(words(error), request_id) from error
    except httpx.DecodingError as error:
        raise BadAnswer(words(error), request_id) from error
    except httpx.RequestError as error:
        raise ConnectionFailed(words(error), request_id) from error


class _ThreadedTransport(httpx.AsyncBaseTransport):
    """Asynchronous transport that runs each request of the synchronous ``inner`` in a thread."""

    def __init__(self, inner: httpx.BaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return the response with its whole body."""
        import asyncio  # loaded already where anything awaits; httpx alone does not load it

        return await asyncio.to_thread(self._whole, request)

    def _whole(self, request: httpx.Request) -> httpx.Response:
        response = self._inner.handle_request(request)
        content = b"".join(cast(httpx.SyncByteStream, response.stream))
        return httpx.Response(response.status_code, headers=response.headers, content=content)


class _Through(httpx.BaseTransport):
    """Transport that sends through the caller's own client, with its headers, hooks and connections."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the client's response; its owner closes it."""
        return self._client.send(_with_headers(request, self._client), stream=True)


class _AsyncThrough(httpx.AsyncBaseTransport):
    """Asynchronous equivalent of ``_Through``."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return the client's response; its owner closes it."""
        return await self._client.send(_with_headers(request, self._client), stream=True)


def _with_headers(request: httpx.Request, client: httpx.Client | httpx.AsyncClient) -> httpx.Request:
    for name, value in client.headers.items():
        request.headers.setdefault(name, value)
    return request


def through(client: httpx.Client | None, transport: Transport | None) -> Transport | None:
    """Return the transport of the caller's client or the given one; raises ``ValueError`` for both."""
    if client is not None and transport is not None:
        raise ValueError("http_client and transport exclude each other")
    return transport if client is None else _Through(client)


def through_async(client: httpx.AsyncClient | None, transport: AsyncTransport | None) -> AsyncTransport | None:
    """Asynchronous equivalent of ``through``."""
    if client is not None and transport is not None:
        raise ValueError("http_client and transport exclude each other")
    return transport if client is None else _AsyncThrough(client)


def in_process(application: WSGIApplication) -> httpx.BaseTransport:
    """Return a transport that calls the application without a socket."""
    return httpx.WSGITransport(app=application)


def in_process_async(application: WSGIApplication) -> httpx.AsyncBaseTransport:
    """Asynchronous equivalent of ``in_process``."""
    return _ThreadedTransport(httpx.WSGITransport(app=application))
