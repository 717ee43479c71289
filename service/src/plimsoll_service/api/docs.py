"""``/openapi.yaml``, the API reference that shows it, and a page for each kind of problem."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import yaml
from flask import Blueprint, Response, make_response, render_template, request
from jinja2.utils import htmlsafe_json_dumps
from werkzeug.exceptions import NotFound

from .data_files import EXAMPLES
from .operation import operation
from .problems import KINDS

_IN_A_CHECKOUT, _IN_A_WHEEL = (Path(__file__).parents[up] / "openapi.yaml" for up in (4, 0))
blueprint = Blueprint("docs", __name__, template_folder="templates")
# Redoc's own styles by their hashes, the empty one that it fills by rules and that of its scroll bars; it searches in a
# worker, under this policy too.
_STYLES = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='"
_POLICY = (
    f"default-src 'none'; style-src 'self' {_STYLES}; script-src 'self'; worker-src blob:; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)


@blueprint.get("/openapi.yaml")
@operation("operations", media_types=("application/yaml",))
def openapi_yaml() -> Response:
    """This contract as OpenAPI 3.1."""
    return Response(contract_text(), mimetype="application/yaml")


@blueprint.get("/docs")
@operation("pages", media_types=("text/html",))
def reference() -> Response:
    """The API reference, with samples for curl, Python, JavaScript, Go, Java, C#, Ruby and PHP."""
    return _page(_reference())


@blueprint.get("/problems/<slug>")
@operation(
    "pages",
    media_types=("text/html",),
    problems=(404,),
    paths={"slug": "The last part of a problem's type."},
    example=EXAMPLES["kind_of_problem"],
)
def problem_page(slug: str) -> Response:
    """A kind of problem and its remedy."""
    found = [(status, kind) for status, kind in KINDS.items() if kind.slug == slug]
    if not found:
        raise NotFound(f"there is no problem {slug!r}; /docs lists all kinds")
    return _page(render_template("problem.html", status=found[0][0], kind=found[0][1], kinds=KINDS))


@cache
def _reference() -> str:
    text, in_c = contract_text(), yaml.__with_libyaml__  # a tenth of the time
    contract = yaml.load(text, Loader=yaml.CSafeLoader) if in_c else yaml.safe_load(text)
    return render_template("docs.html", contract=htmlsafe_json_dumps(contract, json.dumps))


@cache
def contract_text() -> str:
    """The contract as it is committed; `make openapi` writes it from the code, and a test compares both."""
    return (_IN_A_CHECKOUT if _IN_A_CHECKOUT.is_file() else _IN_A_WHEEL).read_text(encoding="utf-8")


def _page(html: str) -> Response:
    response = make_response(html)
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response
