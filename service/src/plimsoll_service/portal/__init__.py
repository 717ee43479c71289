"""The page for people: static files that speak only to the service's own ``/v1``."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, make_response, render_template

from ..api.operation import operation

FRAME_ANCESTORS = "PORTAL_FRAME_ANCESTORS"
"""Name in the application's configuration: the origins that may show ``/embed`` in a frame, as the CSP writes them."""

_DEFAULT_FRAME_ANCESTORS = "'self'"
_POLICY = (
    "default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'self'; object-src 'none'; "
    "require-trusted-types-for 'script'; frame-ancestors {ancestors}"
)

blueprint = Blueprint(
    "portal", __name__, static_folder="static", static_url_path="/portal", template_folder="templates"
)


@blueprint.get("/")
@operation("pages", media_types=("text/html",))
def page() -> Response:
    """The page as a site of its own, which nothing may frame."""
    return _page(embedded=False, ancestors="'none'")


@blueprint.get("/embed")
@operation("pages", media_types=("text/html",))
def embed() -> Response:
    """The same page for an iframe of the origins that the configuration names."""
    return _page(embedded=True, ancestors=current_app.config.get(FRAME_ANCESTORS, _DEFAULT_FRAME_ANCESTORS))


def _page(*, embedded: bool, ancestors: str) -> Response:
    response = make_response(render_template("portal.html", embedded=embedded))
    response.headers["Content-Security-Policy"] = _POLICY.format(ancestors=ancestors)
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-cache"
    return response
