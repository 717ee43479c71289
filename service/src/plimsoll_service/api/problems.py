"""All errors as RFC 9457 problem documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import structlog
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, NotFound, RequestEntityTooLarge

from ..engine.faults import Fault, Refused
from .data_files import CONTRACT
from .encode import encode
from .guard.keys import masked

MEDIA_TYPE = "application/problem+json"
HTTP_ERRORS = 400
UNPROCESSABLE = 422
INTERNAL = 500
DRAIN_BYTES = 1 << 16
MOST_TOLD = 5  # faults in `detail`; `errors` has all of them
# Headers of errors that the document does not repeat.
KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate")


@dataclass(frozen=True)
class Kind:
    """A kind of problem: the last part of its ``type``, its title, and advice for clients."""

    slug: str
    title: str
    advice: str


KINDS: dict[int, Kind] = {status: Kind(*texts) for status, texts in CONTRACT["problems"].items()}


def problem(status: int, detail: str, instance: str, faults: Sequence[Fault] = ()) -> dict[str, Any]:
    """The problem document of a status; a status without a kind is ``about:blank``."""
    kind = KINDS.get(status)
    document: dict[str, Any] = {
        "type": f"/problems/{kind.slug}" if kind else "about:blank",
        "title": kind.title if kind else "The request failed",
        "status": status,
        "detail": detail,
        "instance": instance,
    }
    return document | {"errors": list(faults)} if faults else document


def refusal(refused: Refused, instance: str) -> dict[str, Any]:
    """The problem document of faulty input."""
    count, said = len(refused.faults), [f"{fault.pointer}: {fault.detail}" for fault in refused.faults[:MOST_TOLD]]
    rest = [f"{count - MOST_TOLD} more"] if count > MOST_TOLD else []
    detail = f"{count} fault{'s' if count > 1 else ''}: {'; '.join(said + rest)}"
    return problem(UNPROCESSABLE, detail, instance, refused.faults)


def unexpected() -> dict[str, Any]:
    """The problem document of the exception that is being handled, which is logged."""
    structlog.get_logger(__name__).exception("unexpected_error", path=masked(request.path))
    return problem(INTERNAL, "an unexpected fault of the service; it has been logged", here())


def here() -> str:
    """The request's path as a URI reference, for a problem's ``instance``."""
    return quote(request.path)


def register(app: Flask) -> None:
    """Answer every error of the application with a problem document."""
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Refused, lambda error: _response(refusal(error, here())))
    app.register_error_handler(Exception, lambda _: _response(unexpected()))


def _http_error(error: HTTPException) -> Any:
    if error.code is None or error.code < HTTP_ERRORS:
        return error
    if isinstance(error, RequestEntityTooLarge):
        if error.description == RequestEntityTooLarge.description:
            error.description = f"a body may have {request.max_content_length:,} bytes at most"
        _drain()
    if isinstance(error, NotFound) and error.description == NotFound.description:
        error.description = f"there is nothing at {request.path}; /docs lists every route"
    response = _response(problem(error.code, error.description or error.name, here()))
    for name, value in error.get_headers():
        if name in KEPT_HEADERS:
            response.headers[name] = value
    return response


def _drain() -> None:
    """Read the excess, up to twice the limit; otherwise the server closes a keep-alive connection."""
    left = min(request.content_length or 0, 2 * (request.max_content_length or 0))
    while left > 0 and (piece := request.input_stream.read(min(left, DRAIN_BYTES))):
        left -= len(piece)


def _response(document: dict[str, Any]) -> Response:
    # A shell script may evaluate a problem, which repeats text of a caller. Escaped, these characters run nothing
    # there, and mean the same in JSON.
    harmless = encode(document).replace(b"$", b"\\u0024").replace(b"`", b"\\u0060")
    return Response(harmless, status=document["status"], mimetype=MEDIA_TYPE)
