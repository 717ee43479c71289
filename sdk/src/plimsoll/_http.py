"""HTTP connections, timeouts, and errors in this package's own words; a WSGI application in place of the network."""

from __future__ import annotations

import os
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

USER_AGENT = f"plimsoll-python/{__version__}"
REQUEST_ID = "X-Request-Id"
_REQUEST_ID_BYTES = 16  # as many as a UUID: no two calls are given the same


class Sender:
    """Sends calls to one service, synchronously; safe to share between threads."""

    def __init__(self, options: Options, transport: httpx.BaseTransport | None, *, owner: bool = True) -> None:
        self._inner = transport or httpx.HTTPTransport(proxy=proxy_for(options.url))
        self._client = httpx.Client(transport=RetryingTransport(self._inner, options.retry), **_client_options(options))
        self._owner = owner

    def with_options(self, options: Options) -> Sender:
        """A sender over the same connections, which stay this one's to close."""
        return Sender(options, self._inner, owner=False)

    def send(self, call: Call[T]) -> T:
        """The call's value; raises ``PlimsollError``."""
        request = _request(self._client, call)
        with _own_errors(request):
            response = self._client.send(request)
        return call.result(_reply(request, response))

    def close(self) -> None:
        """Closes the connections, where they are this one's own."""
        if self._owner:
            self._client.close()


class AsyncSender:
    """The asynchronous twin of ``Sender``."""

    def __init__(self, options: Options, transport: httpx.AsyncBaseTransport | None, *, owner: bool = True) -> None:
        self._inner = transport or httpx.AsyncHTTPTransport(proxy=proxy_for(options.url))
        self._client = httpx.AsyncClient(
            transport=AsyncRetryingTransport(self._inner, options.retry), **_client_options(options)
        )
        self._owner = owner

    def with_options(self, options: Options) -> AsyncSender:
        """A sender over the same connections, which stay this one's to close."""
        return AsyncSender(options, self._inner, owner=False)

    async def send(self, call: Call[T]) -> T:
        """The call's value; raises ``PlimsollError``."""
        request = _request(self._client, call)
        with _own_errors(request):
            response = await self._client.send(request)
        return call.result(_reply(request, response))

    async def close(self) -> None:
        """Closes the connections, where they are this one's own."""
        if self._owner:
            await self._client.aclose()


def _client_options(options: Options) -> dict[str, Any]:
    times = options.timeouts
    wait = httpx.Timeout(times.read_seconds, connect=times.connect_seconds, pool=times.pool_seconds)
    return {"base_url": options.url, "timeout": wait, "headers": {"User-Agent": USER_AGENT} | dict(options.headers)}


def _request(client: httpx.Client | httpx.AsyncClient, call: Call[Any]) -> httpx.Request:
    """The request, with an id that stays the same however often it is sent; the caller's own goes first."""
    request = client.build_request(call.method, call.path, params=call.params or None, json=call.json)
    request.headers.setdefault(REQUEST_ID, os.urandom(_REQUEST_ID_BYTES).hex())
    return request


def _reply(request: httpx.Request, response: httpx.Response) -> Reply:
    return Reply(
        status=response.status_code,
        content=response.content,
        request_id=response.headers.get(REQUEST_ID) or request.headers[REQUEST_ID],
        retry_after=asked_wait(response),
    )


@contextmanager
def _own_errors(request: httpx.Request) -> Iterator[None]:
    def words(error: Exception) -> str:
        # A password that stands in the address stays out of logs; some of httpx's errors come without a text.
        address = request.url.copy_with(username="", password="")
        return f"{request.method} {address}: {type(error).__name__} {error}".rstrip()

    request_id = request.headers[REQUEST_ID]
    try:
        yield
    except httpx.TimeoutException as error:
        raise TimedOut(words(error), request_id) from error
    except UnicodeError as error:  # of a host name that cannot be looked up, which httpx lets through
        raise ConnectionFailed(words(error), request_id) from error
    except httpx.DecodingError as error:
        raise BadAnswer(words(error), request_id) from error
    except httpx.RequestError as error:
        raise ConnectionFailed(words(error), request_id) from error


class _ThreadedTransport(httpx.AsyncBaseTransport):
    """Runs each request of the synchronous ``inner`` in a thread, so that the event loop stays free meanwhile."""

    def __init__(self, inner: httpx.BaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The answer, whole."""
        import asyncio  # whoever awaits has loaded it; httpx alone has not

        return await asyncio.to_thread(self._whole, request)

    def _whole(self, request: httpx.Request) -> httpx.Response:
        response = self._inner.handle_request(request)
        content = b"".join(cast(httpx.SyncByteStream, response.stream))
        return httpx.Response(response.status_code, headers=response.headers, content=content)


def in_process(application: WSGIApplication) -> httpx.BaseTransport:
    """Sends requests to the application without a socket."""
    return httpx.WSGITransport(app=application)


def in_process_async(application: WSGIApplication) -> httpx.AsyncBaseTransport:
    """The asynchronous twin of ``in_process``."""
    return _ThreadedTransport(httpx.WSGITransport(app=application))
