"""A cache of answers: a repeated request at the same prices gets the same bytes and is not parsed.

The cache is WSGI middleware around the application. With API keys, rate limits or traces, a cached answer still passes
through Flask. A caller who sends the ETag of the answer gets 304.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from io import BytesIO
from threading import Lock
from typing import Any, TypeAlias

from cachetools import LRUCache
from flask import Flask, Response, request
from werkzeug.http import parse_etags

from ..metrics import ANSWER_CACHE_LOOKUPS, labelled
from ..prices.source import PriceBook, PriceSource
from .body import READ
from .formats.format import JSON, Format
from .replay import PARAMETER as SNAPSHOT
from .request_record import observation, phase
from .schemas.quantities import is_moment
from .service import service
from .wording import ENGLISH, preferred, worded

ROUTES = frozenset({"/v1/recommendations", "/v1/estimates", "/v1/comparisons"})
ENTRY_BYTES = 2048  # of a cached answer beside its body: key, headers, Python objects
_KEPT, _MADE = "plimsoll.answer_kept", "plimsoll.answer_made"  # middleware and views exchange answers under these keys
_NOT_MODIFIED = "304 NOT MODIFIED"
_HEADERS = (("Cache-Control", "no-cache"), ("Vary", "Accept, Accept-Language"))  # clients keep it and ask again
_OF_BODIES = frozenset({"Content-Language", "Content-Length", "Content-Type"})  # a 304 has no such headers
_SENT = ("REQUEST_METHOD", "PATH_INFO", "QUERY_STRING", "CONTENT_TYPE", "HTTP_ACCEPT")

Environ: TypeAlias = dict[str, Any]
Head: TypeAlias = list[tuple[str, str]]
Application: TypeAlias = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


@dataclass(frozen=True)
class Rendered:
    """An answer as bytes, its language, its ETag, and the version of its prices.

    ``repeats``: the same request has the same answer as long as these prices are in force.
    """

    body: bytes
    media_type: str
    language: str
    etag: str
    prices: str
    repeats: bool


CachedAnswer: TypeAlias = tuple[Rendered, Head]


def register(app: Flask, prices: PriceSource, most_bytes: int, *, at_once: bool) -> None:
    """Add the cache to the application; ``at_once``: cached answers need not pass through Flask."""
    inner, most_body, lock = app.wsgi_app, app.config["MAX_CONTENT_LENGTH"], Lock()
    answers: LRUCache[Hashable, CachedAnswer] = LRUCache(most_bytes, getsizeof=_size_of)

    def answer(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        asked = _digest(environ, most_body)
        version = prices.current().prices.version
        with lock:
            found = answers.get((version, asked))
        if found is not None and at_once:
            return _send(found, environ, start_response)
        environ[_KEPT] = found and found[0]

        def start(status: str, head: Head, exc_info: Any = None) -> Any:
            made: Rendered | None = environ.get(_MADE)
            if asked is not None and made is not None and made.repeats and status != _NOT_MODIFIED:
                with lock, suppress(ValueError):  # of an answer that alone is larger than the cache
                    answers[made.prices, asked] = made, list(head)
            return start_response(status, head, exc_info)

        return inner(environ, start)

    app.wsgi_app = answer  # type: ignore[method-assign]  # as Flask's own documentation has it


def cached(view: Callable[[], Rendered]) -> Callable[[], Response]:
    """Send the cached answer of the request, or the view's answer, which is then cached."""

    @wraps(view)
    def answering() -> Response:
        found: Rendered | None = request.environ.get(_KEPT)
        outcome = "miss" if found is None else "hit"
        if found is None:
            found = request.environ[_MADE] = view()
        head = [("ETag", f'"{found.etag}"'), ("Content-Language", found.language), *_HEADERS]
        if _holds(found, request.environ):
            labelled(ANSWER_CACHE_LOOKUPS, "not_modified").inc()
            return Response(status=_NOT_MODIFIED, headers=head)
        labelled(ANSWER_CACHE_LOOKUPS, outcome).inc()
        return Response(found.body, headers=head, mimetype=found.media_type)

    return answering


def rendered(form: Format[Any], book: PriceBook, document: Any, answer: Callable[[], Any]) -> Rendered:
    """The answer to a question from a document, in a format; a worker computes one at a time.

    JSON is in the language that the caller prefers; the other formats are for programs.
    """
    language = preferred(request.headers.get("Accept-Language", "")) if form is JSON else ENGLISH
    with service().turn:
        with phase("size"):
            found = answer()
        with phase("render"):
            text = form.render(worded(found, language), service().catalog)
            body = text if isinstance(text, bytes) else text.encode()
    # The hours until a deadline in time differ with each request.
    repeats = not is_moment(document["workload"].get("deadline"))
    return Rendered(body, form.media_type, language, sha256(body).hexdigest()[:32], book.prices.version, repeats)


def _digest(environ: Environ, most_body: int) -> bytes | None:
    """Everything in the request that its answer depends on, except the prices; its body can be read again afterwards.

    ``None`` for requests that are never cached: other routes, named price snapshots, bodies without a length or
    incomplete ones.
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
    environ[READ] = body
    language = preferred(environ.get("HTTP_ACCEPT_LANGUAGE", ""))
    return sha256(repr([language, *map(environ.get, _SENT)]).encode() + body).digest()


def _send(found: CachedAnswer, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Send a cached answer, without Flask."""
    made, head = found
    seen = observation()
    seen.route = seen.path = environ["PATH_INFO"]
    if _holds(made, environ):
        labelled(ANSWER_CACHE_LOOKUPS, "not_modified").inc()
        start_response(_NOT_MODIFIED, [each for each in head if each[0] not in _OF_BODIES])
        return ()
    labelled(ANSWER_CACHE_LOOKUPS, "hit").inc()
    start_response("200 OK", list(head))
    return (made.body,)


def _holds(answer: Rendered, environ: Mapping[str, Any]) -> bool:
    """Whether the caller sent the ETag of the answer."""
    given = environ.get("HTTP_IF_NONE_MATCH")
    return given is not None and parse_etags(given).contains_weak(answer.etag)


def _size_of(kept: CachedAnswer) -> int:
    return len(kept[0].body) + ENTRY_BYTES
