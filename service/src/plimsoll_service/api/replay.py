"""``?snapshot=``: the prices of an answer, either those in force or those of a version that is still kept."""

from __future__ import annotations

from flask import Request
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import NotFound, ServiceUnavailable

from ..engine.faults import Fault, Refused
from ..prices.source import PriceBook, SnapshotUnavailable, UnknownSnapshot
from .flat import FlatQuery
from .negotiate import PARAMETER as FORMAT
from .schemas.fields import Version
from .schemas.strict import StrictSchema
from .service import service

PARAMETER = "snapshot"
STATUSES = (404, 503)  # for a version that is not kept, and for one that cannot be looked up
MOST_NAMED = 10
RETRY_AFTER_SECONDS = 5  # a failed store is not asked again for this long


class ReplaySchema(StrictSchema):
    """The query parameters of a question beside its format."""

    target = dict

    snapshot = Version()


REPLAY = FlatQuery(ReplaySchema())


def book_of(version: str | None) -> PriceBook:
    """The prices of a version, or those in force; raises ``NotFound`` or ``ServiceUnavailable``."""
    prices = service().prices
    if version is None:
        return prices.current()
    try:
        return prices.at(version)
    except UnknownSnapshot as unknown:
        raise NotFound(unknown.why or _not_kept(version)) from unknown
    except SnapshotUnavailable as unavailable:
        detail = f"the service cannot tell now whether it keeps the prices {version}; requests without one are answered"
        raise ServiceUnavailable(detail, retry_after=RETRY_AFTER_SECONDS) from unavailable


def asked_at(request: Request, *, alone: bool = True) -> tuple[PriceBook, tuple[Fault, ...]]:
    """The prices that the query asks for, and its faults, which are reported with those of the rest of the request.

    ``alone``: the query may have no other parameter than these and the format.
    """
    if not request.query_string:
        return book_of(None), ()
    own = MultiDict([(PARAMETER, text) for text in request.args.getlist(PARAMETER)])
    try:
        return book_of(REPLAY.load(request.args if alone else own, beside=(FORMAT,)).get(PARAMETER)), ()
    except Refused as refused:
        return book_of(None), refused.faults


def _not_kept(version: str) -> str:
    kept = service().prices.kept()
    named = [one.version for one in kept[:MOST_NAMED]] + ["others"] * (len(kept) > MOST_NAMED)
    return f"no prices of version {version!r} are kept; {len(kept)} are: {', '.join(named)} (see /v1/prices/snapshots)"
