"""A WSGI application in place of the network."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import httpx

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


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
