"""The id, span, log line and latency of every request.

This is WSGI middleware around the application, which is several times faster than hooks of Flask.
The log line contains no query, no body and no workload.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any

import structlog
from flask import Flask, Request, Response, request

from .. import tracing
from ..metrics import (
    PHASE_SECONDS,
    REFUSALS,
    REJECTED_CANDIDATES,
    REQUEST_SECONDS,
    REQUESTS_IN_FLIGHT,
    WORKER_START,
    WORKERS,
    labelled,
)
from .encode import encode
from .guard.keys import masked
from .problems import KINDS, MEDIA_TYPE, problem
from .request_record import CURRENT, NO_ROUTE, Observation, begun, observation

# Key of the application's configuration: true inside another program, which has a log of its own.
UNLOGGED = "PLIMSOLL_REQUESTS_UNLOGGED"
REQUEST_ID = "X-Request-Id"
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})  # and scrapers: their successes are not logged
MOST_PATH = 256  # characters of a path, which callers choose
_CLIENT_ERRORS, _SERVER_ERRORS = 400, 500
_REQUEST = "werkzeug.request"  # werkzeug's key of the current request

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


def register(app: Flask) -> None:
    """Observe every request of the application."""
    app.wsgi_app = _observed(app, app.wsgi_app)  # type: ignore[assignment, method-assign]  # as Flask's own documentation has it
    if tracing.active():
        app.before_request(_begin_span)


def worker_began() -> None:
    """Count this process as a worker."""
    WORKERS.set(1)
    WORKER_START.set_to_current_time()


def refused(status: int) -> None:
    """Count a refused request, or a refused item of a batch."""
    kind = KINDS.get(status)
    labelled(REFUSALS, kind.slug if kind else "other").inc()


def rejected(candidates: Mapping[str, int]) -> None:
    """Count the rejected candidates of a recommendation, by constraint."""
    for constraint, number in candidates.items():
        labelled(REJECTED_CANDIDATES, constraint).inc(number)


def _observed(app: Flask, inner: Application) -> Application:
    def answer(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        seen = begun(environ)
        current = CURRENT.set(seen)
        REQUESTS_IN_FLIGHT.inc()

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            _note(seen, environ.get(_REQUEST), status, headers)
            return start_response(status, headers, exc_info)

        try:
            # RFC 9112, section 3.2.
            hostless = environ.get("SERVER_PROTOCOL") == "HTTP/1.1" and not environ.get("HTTP_HOST")
            body = (_hostless if hostless else inner)(environ, start)
            seen.client = environ.get("REMOTE_ADDR")  # the trusted proxies have replaced it by now
            _tell(seen, logged=not app.config.get(UNLOGGED))
            return body
        finally:
            REQUESTS_IN_FLIGHT.dec()
            seen.scope.__exit__(None, None, None)
            CURRENT.reset(current)

    return answer


def _hostless(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
    """The refusal of a request without a host."""
    environ.pop(_REQUEST, None)
    document = problem(HTTPStatus.BAD_REQUEST, "a request of HTTP/1.1 needs a Host header", "/")
    return Response(encode(document), HTTPStatus.BAD_REQUEST, mimetype=MEDIA_TYPE)(environ, start_response)


def _note(seen: Observation, asked: Request | None, status: str, headers: list[tuple[str, str]]) -> None:
    """Note the labels of the request and of its answer, and add the request's id to the headers."""
    if seen.route == NO_ROUTE and asked is not None:  # a cached answer has its route already
        seen.route, seen.path = _route(asked), masked(asked.path)
    seen.status = int(status[:3])
    # An answer to a POST and a refusal are not stored, unless their headers allow it.
    stored = seen.method != "POST" and seen.status < _CLIENT_ERRORS
    for name, value in headers:
        if name == "Content-Length":
            seen.bytes = int(value)
        elif name == "Cache-Control":
            stored = True
    headers.append((REQUEST_ID, seen.request_id))
    if not stored:
        headers.append(("Cache-Control", "no-store"))


def _tell(seen: Observation, *, logged: bool) -> None:
    """Measure the request, and log it, unless it is a probe's success without an id of its caller."""
    seconds = time.perf_counter() - seen.began
    labelled(REQUEST_SECONDS, seen.route, seen.method, str(seen.status)).observe(seconds)
    for phase, part in seen.phases.items():
        labelled(PHASE_SECONDS, seen.route, phase).observe(part)
    if _CLIENT_ERRORS <= seen.status < _SERVER_ERRORS:
        refused(seen.status)
    seen.span.set_attribute("http.response.status_code", seen.status)
    if seen.status >= _SERVER_ERRORS:
        tracing.fail(seen.span, str(seen.status))
    if logged and (seen.route not in PROBES or seen.status >= _CLIENT_ERRORS or seen.id_given):
        line(seen, seconds)


def _route(asked: Request) -> str:
    return NO_ROUTE if asked.url_rule is None else asked.url_rule.rule


def _begin_span() -> None:
    """Begin the span of the request, as OpenTelemetry's conventions for HTTP servers describe it."""
    seen, route = observation(), _route(request)
    if route in PROBES:
        return
    known = seen.method != NO_ROUTE
    attributes: dict[str, str] = {
        "http.request.method": seen.method if known else "_OTHER",
        "url.path": masked(request.path)[:MOST_PATH],
        "url.scheme": request.scheme,
        "plimsoll.request_id": seen.request_id,
    }
    name = seen.method if known else "HTTP"
    if route != NO_ROUTE:
        attributes["http.route"] = route
        name = f"{name} {route}"
    headers: Any = request.headers  # a mapping but for its type
    seen.scope = tracing.root(name, "server", attributes, headers)
    seen.span = seen.scope.__enter__()


def line(seen: Observation, seconds: float) -> None:
    """Log the request."""
    more: dict[str, object] = {}
    if seen.client:
        more["client"] = seen.client
    if seen.key is not None:
        more["key"] = seen.key
    if seen.phases:
        more["phase_milliseconds"] = {name: round(part * 1000, 3) for name, part in seen.phases.items()}
    settings = structlog.get_config()
    _log(settings["logger_factory"], settings["wrapper_class"]).info(
        "request",
        **seen.ids(),
        method=seen.method,
        route=seen.route,
        path=seen.path[:MOST_PATH],
        status=seen.status,
        milliseconds=round(seconds * 1000, 3),
        bytes=seen.bytes,
        **more,
    )


@lru_cache(maxsize=1)
def _log(_factory: Any, _wrapper: Any) -> Any:
    """The log under structlog's current configuration; binding it takes a third of the time of a line."""
    return structlog.get_logger(__name__).bind()
