"""The guard as the settings say."""

from __future__ import annotations

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from ...settings import Settings
from . import cross_origin, gate, headers
from .limits import Counts, Limiter, ProcessCounts
from .watched_keys import WatchedKeys


def register(app: Flask, settings: Settings, shared: Counts | None) -> None:
    """Guard the application, whose routes are all in; raises ``KeyFileError`` for keys that cannot be used."""
    keys = WatchedKeys(settings.api_keys_path) if settings.api_keys_path else None
    limited = settings.rate_limit is not None or keys is not None  # a key may have a rate of its own
    gate.register(app, keys, Limiter(settings.rate_limit, shared, ProcessCounts()) if limited else None)
    headers.register(app, settings.hsts_seconds)
    cross_origin.register(app, settings.cors_origins)
    if settings.trusted_proxies:
        count = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=count, x_proto=count)  # type: ignore[method-assign]


def lets_everybody_in(settings: Settings) -> bool:
    """Whether every request may be answered at once, and each answer has the same headers."""
    return not (settings.api_keys_path or settings.rate_limit or settings.cors_origins)
