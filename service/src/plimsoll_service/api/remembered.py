"""Sizing answers from the cache where it has them, with an ETag, and 304 where the caller has the answer already.

A question in a body is safe to repeat, like one in an address: both are answered 304.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, wraps
from hashlib import sha256
from typing import Any, TypeAlias

import orjson
from flask import Request, Response, request
from prometheus_client import Counter
from werkzeug.http import parse_etags

from ..metrics import ANSWER_CACHE_LOOKUPS
from ..prices.source import PriceBook
from .answer_cache import Kept, kept
from .formats.format import Format
from .observation import phase
from .replay import PARAMETER as SNAPSHOT
from .schemas.quantities import is_moment
from .service import Service, service

View: TypeAlias = Callable[[], Response]
LONGEST_ALIAS = 16 * 1024  # bytes of a body; a model's configuration has a few thousand
NOT_MODIFIED = 304
ROUTES = frozenset({"/v1/recommendations", "/v1/estimates", "/v1/comparisons"})
Came: TypeAlias = tuple[Hashable, ...]  # the last is the version of the prices in force
_asked: ContextVar[Came | None] = ContextVar("plimsoll_asked", default=None)


@dataclass(frozen=True)
class Question:
    """What is asked in which format at which prices; ``document`` is it before it was ``understood``."""

    form: Format[Any]
    book: PriceBook
    understood: tuple[Any, ...]
    document: Any


def remembering(view: View) -> View:
    """Answer a request that came before, byte by byte, without reading it."""

    @wraps(view)
    def answering() -> Response:
        answers = service().answers
        if answers is None:
            return view()
        asked = _of(request)
        found = None if asked is None else answers.find_by_request(asked)
        if found is not None:
            return _reply(found, "hit")
        token = _asked.set(asked)
        try:
            return view()
        finally:
            _asked.reset(token)

    return answering


def remembered(question: Question, answer: Callable[[], Any]) -> Response:
    """The answer to the question of the request that Flask handles, or that it still holds."""
    return _reply(*found_or_answered(service(), question, answer, request.path, _asked.get()))


def found_or_answered(
    service: Service, question: Question, answer: Callable[[], Any], route: str, asked: Came | None
) -> tuple[Kept, str]:
    """The answer to a question, kept from before or made and kept now, and whether the cache had it: hit or miss."""
    answers, version = service.answers, question.book.prices.version
    if answers is None:
        return _answered(service, question.form, answer), "miss"
    key = (route, question.form.name, version, _digest(question.understood))
    found, outcome = answers.find(key), "hit"
    if found is None:
        found, outcome = _answered(service, question.form, answer), "miss"
        answers.keep(key, found)
    # Where other prices came into force since the request was looked at, those of then may come back.
    if asked is not None and asked[-1] == version and not _counts_from_now(question.document):
        answers.alias(asked, key)
    return found, outcome


def _answered(service: Service, form: Format[Any], answer: Callable[[], Any]) -> Kept:
    with service.turn:
        with phase("size"):
            found = answer()
        with phase("render"):
            body = form.render(found, service.catalog)
            return kept(body if isinstance(body, bytes) else body.encode(), form.media_type)


def _of(asked: Request) -> Came | None:
    if (asked.content_length or 0) > LONGEST_ALIAS:
        return None
    version = service().prices.current().prices.version
    return as_it_came(asked.environ, asked.path, asked.get_data(), version)


def as_it_came(environ: Mapping[str, Any], path: str, body: bytes, version: str) -> Came | None:
    """All that the answer depends on, unread; ``None`` for prices looked up by name, which may be gone by now."""
    query = environ["QUERY_STRING"]
    if SNAPSHOT in query:
        return None
    told = environ.get("CONTENT_TYPE"), environ.get("HTTP_ACCEPT")
    return environ["REQUEST_METHOD"], path, query, told, body, version


def _digest(question: tuple[Any, ...]) -> bytes:
    """A question as it was understood: frozen values, of which some hold a model's configuration."""
    return sha256(orjson.dumps(question, option=orjson.OPT_SORT_KEYS)).digest()


def _counts_from_now(document: Any) -> bool:
    """Whether the deadline is a time: as a number of hours it is another one at each asking."""
    return is_moment(document["workload"].get("deadline"))


def _reply(found: Kept, outcome: str) -> Response:
    if holds(found, request.environ):
        count("not_modified")
        response = Response(status=NOT_MODIFIED)
    else:
        count(outcome)
        response = Response(found.body, mimetype=found.media_type)
    response.headers["ETag"] = f'"{found.etag}"'
    response.headers["Cache-Control"] = "no-cache"  # to be kept, and asked for again
    response.headers["Vary"] = "Accept"
    return response


def holds(found: Kept, environ: Mapping[str, Any]) -> bool:
    """Whether the caller says that it has the answer already."""
    given = environ.get("HTTP_IF_NONE_MATCH")
    return given is not None and parse_etags(given).contains_weak(found.etag)


def count(outcome: str) -> None:
    """Count a question by what the cache had: ``hit``, ``miss`` or ``not_modified``."""
    _counter(outcome).inc()


@cache  # of three outcomes
def _counter(outcome: str) -> Counter:
    return ANSWER_CACHE_LOOKUPS.labels(outcome)
