"""``/v1/recommendations``: which machine to rent for a workload; one at a time or many in a batch."""

from __future__ import annotations

from functools import partial
from typing import Any

import structlog
from flask import Blueprint, Response, request

from ..engine.answer import Answer
from ..engine.faults import Fault, Refused
from ..engine.prices import Prices
from ..engine.workload import Query
from ..metrics import REJECTED_CANDIDATES
from .body import json_object
from .examples import BATCH, RECOMMENDATION
from .flat import FlatQuery
from .formats.consumer import narrowed
from .formats.format import Format
from .formats.registry import ONLY_JSON, RECOMMENDATIONS
from .loading import load, load_judged
from .negotiate import PARAMETER, answer, chosen
from .operation import operation
from .pages import named_by
from .problems import INTERNAL, here, problem, refusal
from .replay import PARAMETER as SNAPSHOT
from .replay import REPLAY, STATUSES, asked_at
from .schemas.questions import BatchRequestSchema, RecommendationRequestSchema
from .service import service

blueprint = Blueprint("recommendations", __name__)
REQUEST = RecommendationRequestSchema()
BATCH_REQUEST = BatchRequestSchema()
QUERY = FlatQuery(REQUEST, roots=("workload", "constraints"))
_FORMATS = tuple(RECOMMENDATIONS)
_OK = 200
BATCH_ANSWER = {
    "type": "object",
    "required": ["results"],
    "properties": {
        "results": {
            "type": "array",
            "description": "In the order of the requests: an answer, or the problem that refused it.",
            "items": {
                "anyOf": [
                    {
                        "allOf": [
                            {"$ref": "#/components/schemas/Answer"},
                            {"type": "object", "properties": {"status": {"const": _OK}}, "required": ["status"]},
                        ]
                    },
                    {"$ref": "#/components/schemas/Problem"},
                ]
            },
        }
    },
}


@blueprint.post("/v1/recommendations")
@operation(
    "sizing",
    answers=Answer,
    body=REQUEST,
    beside=REPLAY,
    formats=_FORMATS,
    problems=(400, 406, 413, 415, 422, *STATUSES),
    example=RECOMMENDATION,
)
def recommend() -> Response:
    """Ranked, sized and priced recommendations for a workload."""
    form = chosen(request, RECOMMENDATIONS)
    book, faults = asked_at(request)
    query = _query(json_object(request), book.prices, faults)
    return answer(form, _recommended(_spoken_of(form, query), book.prices), service().catalog)


@blueprint.get("/v1/recommendations")
@operation("sizing", answers=Answer, query=QUERY, beside=REPLAY, formats=_FORMATS, problems=(406, 422, *STATUSES))
def recommend_by_query() -> Response:
    """The same for shells: every field as a query parameter, nested names joined with an underscore."""
    form = chosen(request, RECOMMENDATIONS)
    book, faults = asked_at(request, alone=False)
    with named_by(QUERY):
        document, further = QUERY.document(request.args, beside=(PARAMETER, SNAPSHOT))
        query = _query(document, book.prices, faults + further)
        return answer(form, _recommended(_spoken_of(form, query), book.prices), service().catalog)


@blueprint.post("/v1/recommendations/batch")
@operation(
    "sizing",
    answers=BATCH_ANSWER,
    body=BATCH_REQUEST,
    beside=REPLAY,
    problems=(400, 406, 413, 415, 422, *STATUSES),
    example=BATCH,
)
def recommend_batch() -> Response:
    """Up to 1,000 workloads in one call; an item that is refused leaves the others alone."""
    form = chosen(request, ONLY_JSON)
    book, faults = asked_at(request)
    requests = load(BATCH_REQUEST, json_object(request), faults)["requests"]
    return answer(form, {"results": [_result(item, book.prices) for item in requests]}, service().catalog)


def _query(document: Any, prices: Prices, beside: tuple[Fault, ...] = ()) -> Query:
    query: Query = load_judged(REQUEST, document, partial(service().sizer.faults, prices=prices), beside)
    return query


def _spoken_of(form: Format[Any], query: Query) -> Query:
    """The query, kept to what the format's consumer can launch; ``Refused`` where nothing of it was asked for."""
    return narrowed(query, form.consumer, form.name, service().catalog) if form.consumer else query


def _recommended(query: Query, prices: Prices) -> Answer:
    found = service().sizer.recommend(query, prices)
    for constraint, count in found.rejected.items():
        REJECTED_CANDIDATES.labels(constraint).inc(count)
    return found


def _result(document: Any, prices: Prices) -> dict[str, Any]:
    """One entry of a batch's results: an answer or a problem, with its status."""
    try:
        return {"status": _OK, **vars(_recommended(_query(document, prices), prices))}
    except Refused as refused:
        return refusal(refused, here())
    except Exception:
        structlog.get_logger(__name__).exception("unexpected_error", path=request.path)
        return problem(INTERNAL, "an unexpected fault of the service; it has been logged", here())
