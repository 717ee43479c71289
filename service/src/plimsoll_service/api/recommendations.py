"""``/v1/recommendations``: machines for a workload, or for a batch of workloads."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from flask import Blueprint, Response, current_app, request
from werkzeug.exceptions import RequestEntityTooLarge

from ..engine.answer import Answer
from ..engine.faults import Fault, Refused
from ..engine.prices import Prices
from ..engine.workload import Query
from ..metrics import BATCH_WORKLOADS
from .answer_cache import Rendered, cached, rendered
from .body import json_object
from .data_files import CONTRACT, EXAMPLES
from .flat import FlatQuery
from .formats import ONLY_JSON, RECOMMENDATIONS
from .formats.format import launchable
from .guard.gate import charge
from .loading import load
from .negotiate import PARAMETER, answer, chosen
from .operation import question
from .problems import UNPROCESSABLE, here, problem, refusal, unexpected
from .replay import PARAMETER as SNAPSHOT
from .replay import asked_at
from .request_middleware import refused, rejected
from .request_record import phase
from .schemas.questions import MOST_RECOMMENDATIONS, BatchRequestSchema, RecommendationRequestSchema
from .service import service
from .wording import preferred, worded

blueprint = Blueprint("recommendations", __name__)
REQUEST = RecommendationRequestSchema()
BATCH_REQUEST = BatchRequestSchema()
QUERY = FlatQuery(REQUEST, roots=("workload", "constraints"))
_FORMATS = tuple(RECOMMENDATIONS)
_OK, UNAVAILABLE = 200, 503
MOST_RECOMMENDED = 10_000  # in a batch, the sum of its limits: about 25 MB of JSON
# Key of the application's configuration: seconds after which a batch begins no further workload.
BATCH_SECONDS = "PLIMSOLL_BATCH_SECONDS"


@blueprint.post("/v1/recommendations")
@question(Answer, EXAMPLES["recommendation"], body=REQUEST, formats=_FORMATS, validated=True)
@cached
def recommend() -> Rendered:
    """Ranked, sized and priced recommendations for a workload."""
    with phase("parse"):
        form = chosen(request, RECOMMENDATIONS)
        book, faults = asked_at(request)
        document = json_object(request)
        query = launchable(_query(document, book.prices, faults), form, service().catalog)
    return rendered(form, book, document, lambda: _recommended(query, book.prices))


@blueprint.get("/v1/recommendations")
@question(Answer, EXAMPLES["question"], query=QUERY, formats=_FORMATS, validated=True)
@cached
def recommend_by_query() -> Rendered:
    """Recommendations for shells: each field is a query parameter, nested names are joined with an underscore."""
    with QUERY.naming():
        with phase("parse"):
            form = chosen(request, RECOMMENDATIONS)
            book, faults = asked_at(request, alone=False)
            document, further = QUERY.document(request.args, beside=(PARAMETER, SNAPSHOT))
            query = launchable(_query(document, book.prices, faults + further), form, service().catalog)
        return rendered(form, book, document, lambda: _recommended(query, book.prices))


@blueprint.post("/v1/recommendations/batch")
@question(CONTRACT["batch"], EXAMPLES["batch"], body=BATCH_REQUEST)
def recommend_batch() -> Response:
    """Up to 1,000 workloads and 10,000 recommendations in one call; a refused item does not affect the others."""
    with phase("parse"):
        form = chosen(request, ONLY_JSON)
        book, faults = asked_at(request)
        requests = load(BATCH_REQUEST, json_object(request), faults)["requests"]
        _bounded(requests)
    charge(len(requests) - 1)  # the gate has counted the request itself
    BATCH_WORKLOADS.observe(len(requests))
    ends = time.monotonic() + current_app.config[BATCH_SECONDS]
    results = [_result(item, book.prices) if time.monotonic() < ends else _left() for item in requests]
    with phase("render"):
        return answer(form, {"results": results}, service().catalog)


def _bounded(requests: Sequence[Any]) -> None:
    """Raise ``RequestEntityTooLarge`` for a batch whose answer would take too much memory."""
    asked = sum(map(_limit_of, requests))
    if asked > MOST_RECOMMENDED:
        most = f"{MOST_RECOMMENDED:,} recommendations in all, and this one asks for {asked:,}"
        raise RequestEntityTooLarge(f"a batch may ask for {most}: lower the limits or send fewer workloads")


def _limit_of(item: Any) -> int:
    """The number of recommendations that an item asks for; a faulty limit is refused later, in its item."""
    limit = item.get("limit") if isinstance(item, dict) else None
    return int(limit) if isinstance(limit, int | float) and 0 < limit <= MOST_RECOMMENDATIONS else Query.limit


def _query(document: Any, prices: Prices, beside: tuple[Fault, ...] = ()) -> Query:
    """The query of a document; raises ``Refused`` with all its faults and those found ``beside``."""
    query: Query = load(REQUEST, document, beside, partial(service().sizer.faults, prices=prices))
    return query


def _recommended(query: Query, prices: Prices) -> Answer:
    found = service().sizer.recommend(query, prices)
    rejected(found.rejected)
    return found


def _left() -> dict[str, Any]:
    """The problem of an item that a batch had no time for, since callers and proxies do not wait longer."""
    detail = f"the batch took more than {current_app.config[BATCH_SECONDS]} s; send this again in a smaller batch"
    return problem(UNAVAILABLE, detail, here())


def _result(document: Any, prices: Prices) -> dict[str, Any]:
    """One entry of a batch's results: an answer or a problem, with its status."""
    try:
        with phase("parse", each=True):
            query = _query(document, prices)
        with service().turn, phase("size", each=True):
            language = preferred(request.headers.get("Accept-Language", ""))
            return {"status": _OK, **vars(worded(_recommended(query, prices), language))}
    except Refused as faults:
        refused(UNPROCESSABLE)
        return refusal(faults, here())
    except Exception:
        return unexpected()
