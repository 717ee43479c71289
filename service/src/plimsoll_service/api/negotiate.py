"""The format of an answer: from ``?format=``, else from the Accept header, else JSON."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from flask import Request, Response, request
from werkzeug.datastructures import MIMEAccept
from werkzeug.exceptions import NotAcceptable
from werkzeug.http import parse_accept_header

from ..engine.faults import Fault, Refused
from ..engine.names import unknown
from .compressed import compressed
from .formats.format import JSON, Format
from .schemas.bounds import MOST_TEXT

PARAMETER = "format"
HEADERS_KEPT = 1 << 6  # bounded, since clients choose these headers
_LOOKING_UP = ("GET", "HEAD")


def chosen(request: Request, formats: Mapping[str, Format[Any]]) -> Format[Any]:
    """The format of the answer; raises ``Refused`` for an unknown name, ``NotAcceptable`` where no media type fits."""
    if not request.query_string:
        return _accepted(request.headers.get("Accept", ""), formats)
    name = request.args.get(PARAMETER)
    if len(request.args.getlist(PARAMETER)) > 1:
        raise Refused((Fault(PARAMETER, "is given more than once"),))
    if name is not None:
        if name not in formats:
            known = ", ".join(formats)
            raise Refused((Fault(PARAMETER, f"{unknown('format', name[:MOST_TEXT], formats)} (one of {known})"),))
        return formats[name]
    return _accepted(request.headers.get("Accept", ""), formats)


def _accepted(accept: str, formats: Mapping[str, Format[Any]]) -> Format[Any]:
    """The format that an Accept header asks for; raises ``NotAcceptable`` where no media type fits."""
    by_type = {form.media_type: form for form in formats.values()}
    best = _preferred(accept, tuple(by_type))
    if best is None:
        raise NotAcceptable(f"none of the accepted media types is offered; there are {', '.join(by_type)}")
    return by_type.get(best, JSON)


@lru_cache(maxsize=HEADERS_KEPT)
def _preferred(accept: str, offered: tuple[str, ...]) -> str | None:
    """The offered media type that an Accept header prefers, JSON without a preference, ``None`` where none fits."""
    # With parameters (a charset, CSV's header) a range would match no media type.
    parsed = parse_accept_header(accept, MIMEAccept)
    accepted = MIMEAccept([(wished.partition(";")[0].strip(), quality) for wished, quality in parsed])
    if not accepted:
        return JSON.media_type
    best = accepted.best_match(offered)
    # A wildcard means JSON, not one of the script formats.
    preferred = best is not None and accepted.quality(JSON.media_type) < accepted.quality(best)
    return best if best is None or preferred else JSON.media_type


def answer(form: Format[Any], value: Any, catalog: Any) -> Response:
    """The value in the format, with an ETag; 304 where the caller sent the ETag of the same answer."""
    response = Response(form.render(value, catalog), mimetype=form.media_type)
    if request.method in _LOOKING_UP:
        response.add_etag()
        response.headers["Cache-Control"] = "no-cache"  # clients keep it and ask again
        response.headers["Vary"] = "Accept"
        response.make_conditional(request)
        return compressed(request, response)
    return response
