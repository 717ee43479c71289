"""In which format to answer: ``?format=`` says it, else the Accept header, else JSON."""

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
from .formats.format import Format
from .formats.json_body import JSON
from .schemas.bounds import MOST_TEXT

PARAMETER = "format"
HEADERS_KEPT = 1 << 6  # clients of a service send few different ones; bounded, since anybody writes them
_LOOKING_UP = ("GET", "HEAD")


def chosen(request: Request, formats: Mapping[str, Format[Any]]) -> Format[Any]:
    """The format to answer in; raises ``Refused`` for an unknown name, ``NotAcceptable`` where no media type fits."""
    name = request.args.get(PARAMETER)
    if len(request.args.getlist(PARAMETER)) > 1:
        raise Refused((Fault(PARAMETER, "is given more than once"),))
    if name is not None:
        if name not in formats:
            known = ", ".join(formats)
            raise Refused((Fault(PARAMETER, f"{unknown('format', name[:MOST_TEXT], formats)} (one of {known})"),))
        return formats[name]
    return accepted(request.headers.get("Accept", ""), formats)


def accepted(accept: str, formats: Mapping[str, Format[Any]]) -> Format[Any]:
    """The format that an Accept header asks for; raises ``NotAcceptable`` where no media type fits."""
    by_type = {form.media_type: form for form in formats.values()}
    best = _preferred(accept, tuple(by_type))
    if best is None:
        raise NotAcceptable(f"none of the accepted media types is offered; there are {', '.join(by_type)}")
    return by_type.get(best, JSON)


@lru_cache(maxsize=HEADERS_KEPT)
def _preferred(accept: str, offered: tuple[str, ...]) -> str | None:
    """The offered media type that an Accept header asks for, JSON where it asks for nothing; ``None``: none fits."""
    # A range's parameters (a charset, CSV's header) wish for no other format; with them it would match none.
    parsed = parse_accept_header(accept, MIMEAccept)
    accepted = MIMEAccept([(wished.partition(";")[0].strip(), quality) for wished, quality in parsed])
    if not accepted:
        return JSON.media_type
    best = accepted.best_match(offered)
    # A wildcard is no wish for one of the script formats.
    preferred = best is not None and accepted.quality(JSON.media_type) < accepted.quality(best)
    return best if best is None or preferred else JSON.media_type


def only_format(request: Request) -> None:
    """Refuse query parameters beside the format, where the body says everything else."""
    others = tuple(name for name in request.args if name != PARAMETER)
    if others:
        raise Refused(
            tuple(Fault(name[:MOST_TEXT], unknown("parameter", name[:MOST_TEXT], (PARAMETER,))) for name in others)
        )


def answer(form: Format[Any], value: Any, catalog: Any) -> Response:
    """The value in the format; to who looks things up the second time, that nothing has changed."""
    response = Response(form.render(value, catalog), mimetype=form.media_type)
    if request.method in _LOOKING_UP:
        response.add_etag()
        response.headers["Cache-Control"] = "no-cache"  # to be kept, and asked for again
        response.headers["Vary"] = "Accept"
        response.make_conditional(request)
    return response
