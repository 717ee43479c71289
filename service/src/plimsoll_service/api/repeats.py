"""Requests that came before, answered before Flask sees them: by the same bytes, or 304.

Only where every caller may ask everything, as often as they like, from wherever they like, and no traces are recorded:
what decides about the one and begins the other is Flask's to call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

from flask import Flask
from werkzeug.http import parse_etags

from .observation import observation
from .remembered import LONGEST_ALIAS, NOT_MODIFIED, ROUTES, as_it_came, count
from .service import Service

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Headers = list[tuple[str, str]]
_REQUEST_ID = "X-Request-Id"


def register(app: Flask, service: Service) -> None:
    """Answer what came before ahead of the application, and keep the heads of its answers for that."""
    app.wsgi_app = _ahead(service, app.wsgi_app)  # type: ignore[method-assign]  # as Flask's own documentation has it


def _ahead(service: Service, inner: Application) -> Application:
    answers = service.answers
    assert answers is not None  # nothing to register where nothing is kept

    def answer(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        asked = _asked(environ, service.prices.current().prices.version)
        if asked is None:
            return inner(environ, start_response)
        before = answers.find_with_head(asked)
        if before is None:
            return inner(environ, _noting(lambda headers: answers.note_head(asked, headers), start_response))
        found, head = before
        seen = observation()
        seen.route = seen.path = environ["PATH_INFO"]
        given = environ.get("HTTP_IF_NONE_MATCH")
        if given is not None and parse_etags(given).contains_weak(found.etag):
            count("not_modified")
            start_response(f"{NOT_MODIFIED} NOT MODIFIED", [each for each in head if each[0] != "Content-Length"])
            return ()
        count("hit")
        start_response("200 OK", list(head))
        return (found.body,)

    return answer


def _asked(environ: Environ, version: str) -> Any:
    """The key of a request that may be repeated; its body is read, and laid ready to be read again."""
    if environ["PATH_INFO"] not in ROUTES or environ["REQUEST_METHOD"] not in ("GET", "POST"):
        return None
    length = environ.get("CONTENT_LENGTH") or "0"
    plain = length.isascii() and length.isdigit() and "HTTP_TRANSFER_ENCODING" not in environ
    if not plain or int(length) > LONGEST_ALIAS:
        return None
    body = environ["wsgi.input"].read(int(length))
    environ["wsgi.input"] = BytesIO(body)
    return as_it_came(environ, environ["PATH_INFO"], body, version)


def _noting(note: Callable[[Headers], None], start_response: Callable[..., Any]) -> Callable[..., Any]:
    """``start_response`` that keeps the headers of an answer that may be given again."""

    def start(status: str, headers: Headers, exc_info: Any = None) -> Any:
        if status.startswith("200"):
            note([each for each in headers if each[0] != _REQUEST_ID])
        return start_response(status, headers, exc_info)

    return start
