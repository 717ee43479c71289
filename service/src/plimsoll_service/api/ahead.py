"""Requests that need nothing of Flask's, answered before it sees them: those that came before, and new plain questions.

Only where every caller may ask everything, as often as they like, from wherever they like, and no traces are recorded:
what decides about the one and begins the other is Flask's to call. So is everything that is wrong with a request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from flask import Flask

from .answer_cache import AnswerCache, Kept
from .body import object_in
from .formats import RECOMMENDATIONS
from .negotiate import accepted
from .observation import observation, phase
from .recommendations import query_of, question_of, recommended
from .remembered import LONGEST_ALIAS, NOT_MODIFIED, ROUTES, Came, as_it_came, count, found_or_answered, holds
from .service import Service

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Head = list[tuple[str, str]]
# The extension of an application that asks nobody whether it may answer: neither Redis for limits, nor files for keys.
WAITS_FOR_NOBODY = "plimsoll.waits_for_nobody"
ROUTE = "/v1/recommendations"
JSON = "application/json"
# Of two answers in one format these two headers differ; 304 has none that describe a body.
_LENGTH, _VALIDATOR = "Content-Length", "ETag"
_OF_A_BODY = (_LENGTH, "Content-Type")


def register(app: Flask, service: Service) -> None:
    """Answer what can be answered ahead of the application."""
    most_body = min(LONGEST_ALIAS, app.config["MAX_CONTENT_LENGTH"])
    app.extensions[WAITS_FOR_NOBODY] = True
    app.wsgi_app = _ahead(service, app.wsgi_app, most_body)  # type: ignore[method-assign]  # as Flask's own docs have it


@dataclass(frozen=True)
class _Asked:
    """A request as it came, and its body."""

    came: Came
    body: bytes


class _Heads:
    """The headers of answers by media type, learnt from the first that Flask gave."""

    def __init__(self, answers: AnswerCache) -> None:
        self._answers = answers
        self._heads: dict[str, Head] = {}

    def learn(self, came: Came, status: str, head: Head) -> None:
        """Take over the headers of an answer that was given to such a request and is kept."""
        found = self._answers.find_by_request(came) if status.startswith("200") else None
        # Where other prices came into force meanwhile the head is that of another answer.
        if found is not None and (_VALIDATOR, f'"{found.etag}"') in head:
            self._heads[found.media_type] = list(head)

    def known(self, media_type: str) -> bool:
        """Whether the headers of answers of that type are known."""
        return media_type in self._heads

    def of(self, found: Kept) -> Head:
        """The headers of an answer."""
        own = {_LENGTH: str(len(found.body)), _VALIDATOR: f'"{found.etag}"'}
        return [(name, own.get(name, value)) for name, value in self._heads[found.media_type]]


def _ahead(service: Service, inner: Application, most_body: int) -> Application:
    answers = service.answers
    assert answers is not None  # nothing to register where nothing is kept
    heads = _Heads(answers)

    def answer(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        asked = _asked(environ, service.prices.current().prices.version, most_body)
        if asked is None:
            return inner(environ, start_response)
        found, outcome = answers.find_by_request(asked.came), "hit"
        if found is None:
            found, outcome = _new(service, environ, asked, heads)
        if found is None or not heads.known(found.media_type):
            return inner(environ, _learning(heads, asked.came, start_response))
        return _reply(found, outcome, heads.of(found), environ, start_response)

    return answer


def _asked(environ: Environ, version: str, most_body: int) -> _Asked | None:
    """A request that may be repeated; its body is read, and laid ready to be read again."""
    if environ["PATH_INFO"] not in ROUTES or environ["REQUEST_METHOD"] not in ("GET", "POST"):
        return None
    length = environ.get("CONTENT_LENGTH") or "0"
    plain = length.isascii() and length.isdigit() and "HTTP_TRANSFER_ENCODING" not in environ
    if not plain or int(length) > most_body:
        return None
    body = environ["wsgi.input"].read(int(length))
    environ["wsgi.input"] = BytesIO(body)
    came = as_it_came(environ, environ["PATH_INFO"], body, version)
    return None if came is None or len(body) < int(length) else _Asked(came, body)


def _new(service: Service, environ: Environ, asked: _Asked, heads: _Heads) -> tuple[Kept | None, str]:
    """The answer to a recommendation's question in a body; ``None`` for anything else, and where it has none."""
    if not _asks_in_json(environ):
        return None, "miss"
    try:
        with phase("parse"):
            form, book = accepted(environ.get("HTTP_ACCEPT", ""), RECOMMENDATIONS), service.prices.current()
            if not heads.known(form.media_type):
                return None, "miss"
            document = object_in(asked.body)
            question = question_of(service, form, query_of(service, document, book.prices), book, document)
        return found_or_answered(service, question, lambda: recommended(service, question), ROUTE, asked.came)
    except Exception:  # whatever it is, Flask comes upon it again, and says it as it says all errors
        observation().phases.clear()
        return None, "miss"


def _asks_in_json(environ: Environ) -> bool:
    media_type = environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    plain = environ["REQUEST_METHOD"] == "POST" and not environ["QUERY_STRING"]
    return plain and media_type == JSON and environ["PATH_INFO"] == ROUTE


def _reply(
    found: Kept, outcome: str, head: Head, environ: Environ, start_response: Callable[..., Any]
) -> Iterable[bytes]:
    seen = observation()
    seen.route = seen.path = environ["PATH_INFO"]
    if holds(found, environ):
        count("not_modified")
        start_response(f"{NOT_MODIFIED} NOT MODIFIED", [each for each in head if each[0] not in _OF_A_BODY])
        return ()
    count(outcome)
    start_response("200 OK", head)
    return (found.body,)


def _learning(heads: _Heads, came: Came, start_response: Callable[..., Any]) -> Callable[..., Any]:
    """``start_response`` that has the headers of an answer learnt."""

    def start(status: str, headers: Head, exc_info: Any = None) -> Any:
        heads.learn(came, status, headers)
        return start_response(status, headers, exc_info)

    return start
