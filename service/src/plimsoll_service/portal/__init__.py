"""The page for people: static files that speak only to the service's own ``/v1``."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, current_app, make_response, render_template, request
from werkzeug.exceptions import NotFound

from ..api.compressed import compressed
from ..api.data_files import EXAMPLES
from ..api.instance_types import row_of
from ..api.operation import operation
from ..api.service import service

FRAME_ANCESTORS = "PORTAL_FRAME_ANCESTORS"
"""Name in the application's configuration: the origins that may show ``/embed`` in a frame, as the CSP writes them."""

_DEFAULT_FRAME_ANCESTORS = "'self'"
_POLICY = (
    "default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'self'; object-src 'none'; "
    "require-trusted-types-for 'script'; frame-ancestors {ancestors}"
)

_OK = 200
_COMPRESSED = ("text/javascript", "text/css")

blueprint = Blueprint(
    "portal", __name__, static_folder="static", static_url_path="/portal", template_folder="templates"
)


@blueprint.after_request
def _small(response: Response) -> Response:
    """Send scripts and styles compressed to clients that accept it."""
    is_file = request.endpoint == f"{blueprint.name}.static"
    return compressed(request, response) if is_file and response.mimetype in _COMPRESSED else response


@blueprint.get("/")
@operation("pages", media_types=("text/html",))
def page() -> Response:
    """The page as a site, which nothing may frame."""
    return _page()


@blueprint.get("/embed")
@operation("pages", media_types=("text/html",))
def embed() -> Response:
    """The same page for an iframe of the origins that the configuration names."""
    return _page(embedded=True, ancestors=current_app.config.get(FRAME_ANCESTORS, _DEFAULT_FRAME_ANCESTORS))


@blueprint.get("/machines/<cloud>/<name>")
@operation(
    "pages",
    media_types=("text/html",),
    problems=(404,),
    paths={"cloud": "The catalog's cloud, such as `aws`.", "name": "The provider's own name, such as `p3.2xlarge`."},
    example=EXAMPLES["instance_type"],
)
def machine(cloud: str, name: str) -> Response:
    """A machine: its hardware, its prices by region, and the work that it suits."""
    return _hardware(f"{name}, {cloud}", lambda: row_of(cloud, name))


@blueprint.get("/machines")
@operation("pages", media_types=("text/html",))
def machines() -> Response:
    """All machines in a table with filters: their hardware, and their lowest prices."""
    return _page("Machines")


@blueprint.get("/accelerators")
@operation("pages", media_types=("text/html",))
def accelerators() -> Response:
    """All accelerators side by side: their figures, and the lowest price of one device."""
    return _page("GPUs")


@blueprint.get("/accelerators/<name>")
@operation(
    "pages",
    media_types=("text/html",),
    problems=(404,),
    paths={"name": "A name or an alias of `/v1/accelerators`."},
    example=EXAMPLES["accelerator"],
)
def accelerator(name: str) -> Response:
    """An accelerator: its figures, the machines that have it, and the work that it suits."""
    return _hardware(name, lambda: _accelerator(name))


def _accelerator(name: str) -> str:
    """The catalog's spelling; raises ``NotFound`` with similar names."""
    found = service().names.find("accelerator", name)
    if found is None:
        raise NotFound(service().names.unknown("accelerator", name))
    return found


def _hardware(subject: str, find: Callable[[], object]) -> Response:
    """The page of some hardware; for an unknown name, the page that helps people find the right one."""
    status = _OK
    try:
        find()
    except NotFound:
        if not request.accept_mimetypes["text/html"] > request.accept_mimetypes["application/json"]:
            raise
        status = 404
    response = _page(subject)
    response.status_code = status
    return response


def _page(subject: str | None = None, *, embedded: bool = False, ancestors: str = "'none'") -> Response:
    response = make_response(render_template("portal.html", embedded=embedded, subject=subject))
    response.headers["Content-Security-Policy"] = _POLICY.format(ancestors=ancestors)
    response.headers["Cache-Control"] = "no-cache"
    return response
