"""What every answer's headers forbid browsers to make of it."""

from __future__ import annotations

from flask import Flask, Response, request

_POLICY = "Content-Security-Policy"
_POLICY_NAME = _POLICY.lower()
_STATIC = ".static"  # how Flask names the files of a blueprint
# For what no browser shows as a page: it may not be framed, nor load or run anything, if one is made to show it.
_OF_DATA = (
    (_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    ("X-Frame-Options", "DENY"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
# The embedded page and its files are other sites' to load.
_OF_PAGES = (("Cross-Origin-Resource-Policy", "cross-origin"),)
_OF_ALL = (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"))
_HSTS = "Strict-Transport-Security"


def register(app: Flask, hsts_seconds: int | None) -> None:
    """Add what an answer does not say itself; ``hsts_seconds`` only where TLS ends before the service."""
    common = _OF_ALL if hsts_seconds is None else (*_OF_ALL, (_HSTS, f"max-age={hsts_seconds}"))
    data, pages = (*common, *_OF_DATA), (*common, *_OF_PAGES)
    files = {rule.endpoint for rule in app.url_map.iter_rules() if rule.endpoint.endswith(_STATIC)}

    def protect(response: Response) -> Response:
        said = {name.lower() for name, _ in response.headers}  # one look at all of them costs less than one for each
        page = _POLICY_NAME in said or request.endpoint in files
        response.headers.extend([each for each in (pages if page else data) if each[0].lower() not in said])
        return response

    app.after_request(protect)
