"""``/v1/estimates`` and ``/v1/comparisons``: a workload on hardware that the request names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, request

from ..engine.answer import Comparison, HardwareEstimate
from ..engine.prices import Prices
from ..sizing import Sizer
from .answer_cache import Rendered, cached, rendered
from .body import json_object
from .data_files import EXAMPLES
from .formats import ONLY_JSON
from .loading import load
from .negotiate import chosen
from .operation import question
from .replay import asked_at
from .request_record import phase
from .schemas.questions import ComparisonRequestSchema, EstimateRequestSchema, HardwareQuestion
from .schemas.strict import StrictSchema
from .service import service

blueprint = Blueprint("named_hardware", __name__)
ESTIMATE_REQUEST = EstimateRequestSchema()
COMPARISON_REQUEST = ComparisonRequestSchema()

Answer = Callable[[Sizer, HardwareQuestion, Prices], Any]


@blueprint.post("/v1/estimates")
@question(HardwareEstimate, EXAMPLES["estimate"], body=ESTIMATE_REQUEST, validated=True)
@cached
def estimate() -> Rendered:
    """Throughput, time, memory and cost of a workload on a named machine."""
    return _answered(ESTIMATE_REQUEST, lambda sizer, asked, prices: sizer.estimate(asked.query, asked.on[0], prices))


@blueprint.post("/v1/comparisons")
@question(Comparison, EXAMPLES["comparison"], body=COMPARISON_REQUEST, validated=True)
@cached
def compare() -> Rendered:
    """Relative performance, relative cost and performance per cost of named machines."""
    return _answered(COMPARISON_REQUEST, lambda sizer, asked, prices: sizer.compare(asked.query, asked.on, prices))


def _answered(schema: StrictSchema, answer: Answer) -> Rendered:
    """The answer to the request's question; raises ``Refused`` with every fault."""
    with phase("parse"):
        form = chosen(request, ONLY_JSON)
        book, beside = asked_at(request)
        document = json_object(request)
        sizer, prices = service().sizer, book.prices
        question = load(schema, document, beside, lambda asked: sizer.faults(asked.query, asked.on, prices))
    return rendered(form, book, document, lambda: answer(sizer, question, prices))
