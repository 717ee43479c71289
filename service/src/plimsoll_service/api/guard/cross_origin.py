"""Pages of other sites that may call the service from their own scripts; none unless the settings name them."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask

_ASKED = ("Authorization", "Content-Type", "If-None-Match", "X-API-Key", "X-Request-Id", "traceparent")
_TOLD = ("ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate", "X-Request-Id")
_REMEMBERED_SECONDS = 600  # a browser asks again after that, so that an origin taken off the list is soon refused


def register(app: Flask, origins: Sequence[str]) -> None:
    """Let scripts of these origins read ``/v1``; never with cookies, of which the service has none."""
    if not origins:
        return
    from flask_cors import CORS  # here alone: without other origins it is not needed

    CORS(
        app,
        resources={
            r"/v1/.*": {
                "origins": list(origins),
                "methods": ["GET", "HEAD", "POST"],
                "allow_headers": list(_ASKED),
                "expose_headers": list(_TOLD),
                "max_age": _REMEMBERED_SECONDS,
                "supports_credentials": False,
                "vary_header": True,
            }
        },
    )
