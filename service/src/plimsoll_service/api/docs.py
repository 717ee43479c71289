"""``/openapi.yaml``, the reference that is rendered from it, and the page of each kind of problem."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Blueprint, Flask, Response, current_app, make_response, render_template
from werkzeug.exceptions import NotFound

from . import openapi
from .operation import operation
from .problems import KINDS
from .reference import sections

blueprint = Blueprint(
    "docs", __name__, static_folder="static", static_url_path="/docs/static", template_folder="templates"
)
# The page needs its own style sheet and nothing else, from nowhere else.
_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"


@blueprint.get("/openapi.yaml")
@operation("operations", media_types=("application/yaml",))
def openapi_yaml() -> Response:
    """This contract as OpenAPI 3.1."""
    return Response(_text(_application()), mimetype="application/yaml")


@blueprint.get("/docs")
@operation("pages", media_types=("text/html",))
def reference() -> Response:
    """The reference of all routes, for reading."""
    return _page("reference.html", sections=_sections(_application()), kinds=KINDS)


@blueprint.get("/problems/<slug>")
@operation("pages", media_types=("text/html",), problems=(404,), paths={"slug": "The last part of a problem's type."})
def problem_page(slug: str) -> Response:
    """What a kind of problem means, and what to do about it."""
    found = [(status, kind) for status, kind in KINDS.items() if kind.slug == slug]
    if not found:
        raise NotFound(f"there is no problem {slug!r}; /docs lists all kinds")
    return _page("problem.html", status=found[0][0], kind=found[0][1])


@cache
def _text(app: Flask) -> str:
    return openapi.text(app)


@cache
def _sections(app: Flask) -> Any:
    return sections(openapi.document(app))


def _application() -> Flask:
    return current_app._get_current_object()  # type: ignore[attr-defined,no-any-return]


def _page(template: str, **values: Any) -> Response:
    response = make_response(render_template(template, **values))
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
