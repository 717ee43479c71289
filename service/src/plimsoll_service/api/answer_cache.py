"""Answers given before: a request that comes again at the same prices gets the same bytes, unread.

The cache lies around the application, as WSGI middleware. Where callers have to be admitted, or requests are traced,
what it finds still takes its way through Flask. Callers who have an answer already hear so: 304, by its ETag.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, wraps
from hashlib import sha256
from io import BytesIO
from threading import Lock
from typing import Any, TypeAlias

from cachetools import LRUCache
from flask import Flask, Response, request
from prometheus_client import Counter
from werkzeug.http import parse_etags

from ..metrics import ANSWER_CACHE_LOOKUPS
from ..prices.source import PriceBook, PriceSource
from .formats.format import Format
from .observation import observation, phase
from .replay import PARAMETER as SNAPSHOT
from .schemas.quantities import is_moment
from .service import service

ROUTES = frozenset({"/v1/recommendations", "/v1/estimates", "/v1/comparisons"})
ENTRY_BYTES = 2048  # of an answer beside its body: its key, its headers and what Python adds
_KEPT, _MADE = "plimsoll.answer_kept", "plimsoll.answer_made"  # what middleware and views hand to each other
_NOT_MODIFIED = "304 NOT MODIFIED"
_HEADERS = (("Cache-Control", "no-cache"), ("Vary", "Accept"))  # to be kept, and asked for again
_OF_BODIES = frozenset({"Content-Length", "Content-Type"})  # headers that a 304 has not
_SENT = ("REQUEST_METHOD", "PATH_INFO", "QUERY_STRING", "CONTENT_TYPE", "HTTP_ACCEPT")

Environ: TypeAlias = dict[str, Any]
Head: TypeAlias = list[tuple[str, str]]
Application: TypeAlias = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


@dataclass(frozen=True)
class Rendered:
    """An answer as bytes, its validator, and the version of the prices that it was made at.

    ``repeats`` says that the same request has the same answer for as long as these prices are in force.
    """

    body: bytes
    media_type: str
    etag: str
    prices: str
    repeats: bool


@dataclass(frozen=True)
class Kept:
    """An answer with its headers."""

    answer: Rendered
    head: Head


class AnswerCache:
    """The answers that were asked for last, up to so many bytes of them; threads share it."""

    def __init__(self, most_bytes: int) -> None:
        self._answers: LRUCache[Hashable, Kept] = LRUCache(most_bytes, getsizeof=_size_of)
        self._lock = Lock()

    def find(self, key: Hashable) -> Kept | None:
        """The answer that was kept under the key."""
        with self._lock:
            return self._answers.get(key)

    def keep(self, key: Hashable, kept: Kept) -> None:
        """Keep an answer, unless it alone is larger than all room."""
        with self._lock:
            if _size_of(kept) <= self._answers.maxsize:
                self._answers[key] = kept


def register(app: Flask, prices: PriceSource, most_bytes: int, *, at_once: bool) -> None:
    """Have the application keep answers; ``at_once`` says that what is found need not take its way through Flask."""
    inner, most_body, answers = app.wsgi_app, app.config["MAX_CONTENT_LENGTH"], AnswerCache(most_bytes)

    def answer(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        asked = _digest(environ, most_body)
        found = None if asked is None else answers.find((prices.current().prices.version, asked))
        if found is not None and at_once:
            return _send(found, environ, start_response)
        environ[_KEPT] = found and found.answer

        def start(status: str, head: Head, exc_info: Any = None) -> Any:
            made: Rendered | None = environ.get(_MADE)
            if asked is not None and made is not None and made.repeats and status != _NOT_MODIFIED:
                answers.keep((made.prices, asked), Kept(made, list(head)))
            return start_response(status, head, exc_info)

        return inner(environ, start)

    app.wsgi_app = answer  # type: ignore[method-assign]  # as Flask's own documentation has it


def cached(view: Callable[[], Rendered]) -> Callable[[], Response]:
    """Send what was found for the request, or else the view's answer, which is kept."""

    @wraps(view)
    def answering() -> Response:
        found: Rendered | None = request.environ.get(_KEPT)
        outcome = "miss" if found is None else "hit"
        if found is None:
            found = request.environ[_MADE] = view()
        head = [("ETag", f'"{found.etag}"'), *_HEADERS]
        if _holds(found, request.environ):
            _lookups("not_modified").inc()
            return Response(status=_NOT_MODIFIED, headers=head)
        _lookups(outcome).inc()
        return Response(found.body, headers=head, mimetype=found.media_type)

    return answering


def rendered(form: Format[Any], book: PriceBook, document: Any, answer: Callable[[], Any]) -> Rendered:
    """The answer to a question that was read from a document, in a format; a worker answers one at a time."""
    with service().turn:
        with phase("size"):
            found = answer()
        with phase("render"):
            text = form.render(found, service().catalog)
            body = text if isinstance(text, bytes) else text.encode()
    # A deadline that is a time is another number of hours at each asking.
    repeats = not is_moment(document["workload"].get("deadline"))
    return Rendered(body, form.media_type, sha256(body).hexdigest()[:32], book.prices.version, repeats)


def _digest(environ: Environ, most_body: int) -> bytes | None:
    """The request as it was sent, all that its answer depends on beside the prices; its body is laid to be read again.

    ``None`` for what is never kept: other routes, prices that are looked up by name, bodies of no stated length, or of
    which only a part came.
    """
    if environ["PATH_INFO"] not in ROUTES or environ["REQUEST_METHOD"] not in ("GET", "POST"):
        return None
    length = environ.get("CONTENT_LENGTH") or "0"
    plain = length.isascii() and length.isdigit() and "HTTP_TRANSFER_ENCODING" not in environ
    if not plain or int(length) > most_body or SNAPSHOT in environ["QUERY_STRING"]:
        return None
    body = environ["wsgi.input"].read(int(length))
    environ["wsgi.input"] = BytesIO(body)
    if len(body) < int(length):
        return None
    return sha256(repr([environ.get(name) for name in _SENT]).encode() + body).digest()


def _send(found: Kept, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Send what was found, without Flask."""
    seen = observation()
    seen.route = seen.path = environ["PATH_INFO"]
    if _holds(found.answer, environ):
        _lookups("not_modified").inc()
        start_response(_NOT_MODIFIED, [each for each in found.head if each[0] not in _OF_BODIES])
        return ()
    _lookups("hit").inc()
    start_response("200 OK", list(found.head))
    return (found.answer.body,)


def _holds(answer: Rendered, environ: Mapping[str, Any]) -> bool:
    """Whether the caller says that it has the answer already."""
    given = environ.get("HTTP_IF_NONE_MATCH")
    return given is not None and parse_etags(given).contains_weak(answer.etag)


def _size_of(kept: Kept) -> int:
    return len(kept.answer.body) + ENTRY_BYTES


@cache  # of three outcomes
def _lookups(outcome: str) -> Counter:
    return ANSWER_CACHE_LOOKUPS.labels(outcome)
