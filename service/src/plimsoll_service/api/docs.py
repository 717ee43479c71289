"""``/openapi.yaml``, the reference that is rendered from it, and the page of each kind of problem."""

from __future__ import annotations

from functools import cache

import orjson
from flask import Blueprint, Flask, Response, make_response, render_template, request
from flask.globals import app_ctx
from werkzeug.exceptions import NotFound

from . import openapi
from .examples import KIND_OF_PROBLEM, REFUSAL
from .operation import operation
from .problems import KINDS
from .reference import reference_of

blueprint = Blueprint(
    "docs", __name__, static_folder="static", static_url_path="/docs/static", template_folder="templates"
)
# The page loads from here alone, asks only this service, and writes no markup.
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'"
)


@blueprint.get("/openapi.yaml")
@operation("operations", media_types=("application/yaml",))
def openapi_yaml() -> Response:
    """This contract as OpenAPI 3.1."""
    return Response(_text(_application()), mimetype="application/yaml")


@blueprint.get("/docs")
@operation("pages", media_types=("text/html",))
def reference() -> Response:
    """The reference of all routes, for reading and for trying."""
    return _page(_reference_html(_application()))


@blueprint.get("/problems/<slug>")
@operation(
    "pages",
    media_types=("text/html",),
    problems=(404,),
    paths={"slug": "The last part of a problem's type."},
    example=KIND_OF_PROBLEM,
)
def problem_page(slug: str) -> Response:
    """What a kind of problem means, and what to do about it."""
    found = [(status, kind) for status, kind in KINDS.items() if kind.slug == slug]
    if not found:
        raise NotFound(f"there is no problem {slug!r}; /docs lists all kinds")
    return _page(render_template("problem.html", status=found[0][0], kind=found[0][1]))


@cache
def _text(app: Flask) -> str:
    return openapi.text(app)


@cache
def _reference_html(app: Flask) -> str:
    example = orjson.dumps(REFUSAL, option=orjson.OPT_INDENT_2).decode()
    found = reference_of(openapi.document(app))
    return render_template("reference.html", reference=found, kinds=KINDS, example=example)


def _application() -> Flask:
    return app_ctx.app


def _page(html: str) -> Response:
    response = make_response(html)
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response
