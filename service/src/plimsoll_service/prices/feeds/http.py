"""HTTP for feeds: time limits, retries, a slowest pace, addresses on other hosts, and errors without secrets."""

from __future__ import annotations

import email.utils
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from json import JSONDecodeError
from typing import IO, Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

import httpx
import stamina
import structlog
from stamina.instrumentation import RetryDetails, set_on_retry_hooks

from ...tracing import Scope, span
from .feed import FeedError

PATIENCE_SECONDS = 60.0  # for any body; longer only at the pace below
SLOWEST_BYTES_PER_SECOND = 32 * 1024
LARGEST_BYTES = 1 << 31  # about five times the longest list, AWS' of us-east-1
TIMEOUT = httpx.Timeout(30.0, connect=10.0)
ATTEMPTS = 6
LONGEST_WAIT_SECONDS = 30.0
FIRST_WAIT_SECONDS = 0.5
LONGEST_STATED_SECONDS = (ATTEMPTS - 1) * LONGEST_WAIT_SECONDS  # a longer wait would outlast all attempts
THROTTLED = 429
SERVER_ERROR = 500
CHUNK_BYTES = 1 << 20

T = TypeVar("T")
Throttled = Callable[[httpx.Response], bool]


class Paced(httpx.SyncByteStream):
    """A body that raises ``FeedError`` if it comes too slowly or does not end.

    The time limit on a single read starts anew with every byte.
    """

    def __init__(self, stream: httpx.SyncByteStream, name: str) -> None:
        self._stream = stream
        self._name = name

    def __iter__(self) -> Iterator[bytes]:
        began, received = time.monotonic(), 0
        for chunk in self._stream:
            received += len(chunk)
            seconds = time.monotonic() - began
            if seconds > PATIENCE_SECONDS + received / SLOWEST_BYTES_PER_SECOND:
                raise FeedError(f"{self._name}: sends too slowly: {received:,} bytes in {seconds:,.0f} s")
            if received > LARGEST_BYTES:
                raise FeedError(f"{self._name}: does not end after {received:,} bytes")
            yield chunk

    def close(self) -> None:
        """Let the connection go."""
        self._stream.close()


class StatusError(FeedError):
    """An error status that a retry would not change; ``body`` holds the provider's reason."""

    def __init__(self, message: str, status: int, body: bytes) -> None:
        super().__init__(message)
        self.status = status
        self.body = body


class _Again(Exception):
    """A failure that a retry may mend."""

    def __init__(self, reason: str, wait_seconds: float | None) -> None:
        super().__init__(reason)
        self.wait_seconds = wait_seconds


def client(headers: Mapping[str, str] | None = None) -> httpx.Client:
    """A client for one refresh; close it after use."""
    logging.getLogger("httpx").setLevel(logging.WARNING)  # at INFO it logs queries, which may hold a key
    hooks = {"response": [_pace]}
    return httpx.Client(timeout=TIMEOUT, follow_redirects=True, headers=dict(headers or {}), event_hooks=hooks)


def moved(url: str, base_url: str | None) -> str:
    """``url`` with the scheme and host of ``base_url``; unchanged without one."""
    if base_url is None:
        return url
    base, own = urlsplit(base_url), urlsplit(url)
    return urlunsplit((base.scheme, base.netloc, base.path.rstrip("/") + own.path, own.query, ""))


def shown(url: str) -> str:
    """The address for messages: without user and query, which may hold a password or a key."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def get_json(http: httpx.Client, url: str, **options: Any) -> Any:
    """The JSON document at ``url``, with ``options`` as in ``request``; raises ``FeedError`` after retries."""
    response = request(http, url, **options)
    try:
        return response.json()
    except (JSONDecodeError, UnicodeDecodeError) as error:
        raise FeedError(f"{shown(url)}: is not JSON: {error}") from error


def inside(document: Any, *path: str) -> Any:
    """The value at a path of a JSON document; ``None`` if there is none."""
    for name in path:
        document = document.get(name) if isinstance(document, dict) else None
    return document


def request(http: httpx.Client, url: str, *, throttled: Throttled | None = None, **options: Any) -> httpx.Response:
    """A successful answer; ``throttled`` recognises the provider's own way to throttle. Raises ``FeedError``."""

    def once() -> httpx.Response:
        with _asking(url) as asked:
            try:
                response = http.get(url, **options)
            except httpx.RequestError as error:
                raise _unsent(error, url) from error
            asked.set_attribute("http.response.status_code", response.status_code)
            _judge(response, throttled)
            return response

    return _patiently(url, once)


def download(http: httpx.Client, url: str, into: IO[bytes]) -> None:
    """Write the whole body at ``url`` into a file; raises ``FeedError``."""

    def once() -> None:
        into.seek(0)
        into.truncate()
        try:
            with _asking(url) as asked, http.stream("GET", url) as response:
                asked.set_attribute("http.response.status_code", response.status_code)
                if not response.is_success:
                    response.read()
                _judge(response)
                for chunk in response.iter_bytes(CHUNK_BYTES):
                    into.write(chunk)
                into.seek(0)
        except httpx.RequestError as error:
            raise _unsent(error, url) from error

    _patiently(url, once)


def _asking(url: str) -> Scope:
    """The span of one attempt, with an address that holds no key."""
    host = urlsplit(url).hostname or ""
    attributes = {"http.request.method": "GET", "server.address": host, "url.full": shown(url)}
    return span("GET", "client", attributes)


def _patiently(url: str, once: Callable[[], T]) -> T:
    try:
        return retried(once, _wait)
    except _Again as error:
        raise FeedError(f"{shown(url)}: {error} ({ATTEMPTS} attempts)") from error


def retried(call: Callable[[], T], on: Callable[[Exception], bool | timedelta]) -> T:
    """Return the result of a call that is made again while ``on`` allows it."""
    waits = {"wait_initial": FIRST_WAIT_SECONDS, "wait_max": LONGEST_WAIT_SECONDS}
    for attempt in stamina.retry_context(on=on, attempts=ATTEMPTS, timeout=None, **waits):
        with attempt:
            return call()
    raise AssertionError("a retry either returns or raises")


def _wait(error: Exception) -> bool | timedelta:
    """Return whether to try again, and after how long if the provider said so."""
    if not isinstance(error, _Again):
        return False
    return True if error.wait_seconds is None else timedelta(seconds=min(error.wait_seconds, LONGEST_WAIT_SECONDS))


def _unsent(error: httpx.RequestError, url: str) -> Exception:
    """The error for a request without an answer: a retry may mend it, unless the request is faulty."""
    if isinstance(error, (httpx.LocalProtocolError, httpx.UnsupportedProtocol)):
        # Their text quotes the request, whose headers may hold a key.
        return FeedError(f"{shown(url)}: cannot be asked ({type(error).__name__}): is a header or an address faulty?")
    return _Again(f"{type(error).__name__}: {error}", None)


def _judge(response: httpx.Response, throttled: Throttled | None = None) -> None:
    """Raise for an answer that is no success."""
    if response.status_code == THROTTLED or (throttled is not None and throttled(response)):
        raise _later(response, f"throttled ({response.status_code})")
    if response.status_code >= SERVER_ERROR:
        raise _later(response, f"answers {response.status_code}")
    if not response.is_success:
        message = f"{shown(str(response.url))}: answers {response.status_code}"
        raise StatusError(message, response.status_code, response.content)


def _later(response: httpx.Response, reason: str) -> Exception:
    """The error for a throttled answer: final if it asks for a longer wait than all retries take."""
    wait = _retry_after(response)
    if wait is not None and wait > LONGEST_STATED_SECONDS:
        return FeedError(f"{shown(str(response.url))}: {reason}, asks to come back in {wait:,.0f} s")
    return _Again(reason, wait)


def _retry_after(response: httpx.Response) -> float | None:
    """The seconds that the answer asks to wait, stated as a number or a date."""
    stated = response.headers.get("retry-after", "")
    if stated.isascii() and stated.isdigit():
        return float(stated)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(stated).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _pace(response: httpx.Response) -> None:
    """Hold the body of an answer to the slowest pace."""
    assert isinstance(response.stream, httpx.SyncByteStream)
    response.stream = Paced(response.stream, shown(str(response.url)))


def _say(details: RetryDetails) -> None:
    """Log a retry; of foreign errors the type alone, as their text may hold a secret."""
    error = details.caused_by
    reason = str(error) if isinstance(error, _Again) else type(error).__name__
    log = structlog.get_logger(__name__)
    log.info("provider_asked_again", reason=reason, attempt=details.retry_num, wait_seconds=round(details.wait_for, 1))


set_on_retry_hooks([_say])
