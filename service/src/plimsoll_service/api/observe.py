"""Every request's id, log line and latency."""

from __future__ import annotations

import re
import time
import uuid

import structlog
from flask import Flask, Response, current_app, g, request

from ..metrics import REQUEST_SECONDS

HEADER = "X-Request-Id"
NO_ROUTE = "none"  # one label for all paths that lead nowhere: made-up ones must not fill the metrics
_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}", re.ASCII)
# Key of the application's configuration: true where requests are calls of the program itself, whose log is its own.
UNLOGGED = "PLIMSOLL_REQUESTS_UNLOGGED"
_METHODS = ("GET", "HEAD", "POST", "OPTIONS")


def register(app: Flask) -> None:
    """Observe every request of the application."""
    app.before_request(_begin)
    app.after_request(_end)


def _begin() -> None:
    given = request.headers.get(HEADER, "")
    # An id from outside goes into the log: only what cannot be mistaken for something else is taken over.
    g.request_id = given if _ID.fullmatch(given) else uuid.uuid4().hex
    g.began = time.perf_counter()


def _end(response: Response) -> Response:
    seconds = time.perf_counter() - g.began
    route = request.url_rule.rule if request.url_rule else NO_ROUTE
    method = request.method if request.method in _METHODS else NO_ROUTE
    REQUEST_SECONDS.labels(route, method, str(response.status_code)).observe(seconds)
    if not current_app.config.get(UNLOGGED):
        _log(response, seconds)
    response.headers[HEADER] = g.request_id
    if request.method == "POST":
        response.headers["Cache-Control"] = "no-store"
    return response


def _log(response: Response, seconds: float) -> None:
    structlog.get_logger(__name__).info(
        "request",
        request_id=g.request_id,
        method=request.method,
        path=request.path,
        status=response.status_code,
        milliseconds=round(seconds * 1000, 3),
    )
