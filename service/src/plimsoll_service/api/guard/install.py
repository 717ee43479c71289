"""Installation of the guard from the settings: gate, security headers and cross-origin calls."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit, urlunsplit

from flask import Flask, Response, request
from werkzeug.middleware.proxy_fix import ProxyFix

from ...settings import Settings
from . import gate
from .key_file import WatchedKeys
from .limits import Counts, Limiter, ProcessCounts

_POLICY = "Content-Security-Policy"
_POLICY_NAME = _POLICY.lower()
_STATIC = ".static"  # how Flask names the files of a blueprint
# For data: it cannot be framed, and loads or runs nothing if a browser shows it.
_OF_DATA = (
    (_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    ("X-Frame-Options", "DENY"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
# Other sites may load the embedded page and its files.
_OF_PAGES = (("Cross-Origin-Resource-Policy", "cross-origin"),)
_OF_ALL = (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"))
_HSTS = "Strict-Transport-Security"
_ASKED = ("Authorization", "Content-Type", "If-None-Match", "X-API-Key", "X-Request-Id", "traceparent")
_TOLD = ("ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate", "X-Request-Id")
_PREFLIGHT_SECONDS = 600  # after that a browser asks again, so that a removed origin is soon refused


def register(app: Flask, settings: Settings, shared: Counts | None) -> None:
    """Guard the application after all routes are registered; raises ``KeyFileError`` for a faulty file of keys."""
    keys = WatchedKeys(settings.api_keys_path) if settings.api_keys_path else None
    limited = settings.rate_limit is not None or keys is not None  # a key may have a rate of its own
    gate.register(app, keys, Limiter(settings.rate_limit, shared, ProcessCounts()) if limited else None)
    _add_headers(app, settings.hsts_seconds)
    if settings.cors_origins:
        _let_origins_in(app, settings.cors_origins)
    if settings.trusted_proxies:
        count = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=count, x_proto=count)  # type: ignore[method-assign]


def lets_everybody_in(settings: Settings) -> bool:
    """Whether every request may be answered at once, and each answer has the same headers."""
    return not (settings.api_keys_path or settings.rate_limit or settings.cors_origins)


def _add_headers(app: Flask, hsts_seconds: int | None) -> None:
    """Add the headers that an answer lacks; ``hsts_seconds`` only where a proxy terminates TLS."""
    common = _OF_ALL if hsts_seconds is None else (*_OF_ALL, (_HSTS, f"max-age={hsts_seconds}"))
    data, pages = (*common, *_OF_DATA), (*common, *_OF_PAGES)
    files = {rule.endpoint for rule in app.url_map.iter_rules() if rule.endpoint.endswith(_STATIC)}

    def protect(response: Response) -> Response:
        if response.location is not None:
            response.location = _without_host(response.location)
        present = {
            name.lower() for name, _ in response.headers
        }  # one pass over all headers is faster than a look-up for each
        page = _POLICY_NAME in present or request.endpoint in files
        response.headers.extend([each for each in (pages if page else data) if each[0].lower() not in present])
        return response

    app.after_request(protect)


def _without_host(location: str) -> str:
    """The path and query of an address: its host is what the caller said."""
    parts = urlsplit(location)
    return urlunsplit(("", "", "/" + parts.path.lstrip("/"), parts.query, parts.fragment))


def _let_origins_in(app: Flask, origins: Sequence[str]) -> None:
    """Let scripts of these origins read ``/v1``, without cookies."""
    from flask_cors import CORS  # imported only where other origins are allowed

    CORS(
        app,
        resources={
            r"/v1/.*": {
                "origins": list(origins),
                "methods": ["GET", "HEAD", "POST"],
                "allow_headers": list(_ASKED),
                "expose_headers": list(_TOLD),
                "max_age": _PREFLIGHT_SECONDS,
                "supports_credentials": False,
                "vary_header": True,
            }
        },
    )
