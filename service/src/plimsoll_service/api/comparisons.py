"""``/v1/comparisons``: how given machines compare for a workload."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, request

from ..engine.answer import Comparison
from ..engine.faults import Fault
from ..engine.prices import Prices
from .body import json_object
from .examples import COMPARISON
from .formats.registry import ONLY_JSON
from .loading import load_judged
from .negotiate import chosen
from .operation import operation
from .phases import phase
from .remembered import remembered, remembering
from .replay import REPLAY, STATUSES, asked_at
from .schemas.questions import ComparisonRequestSchema, HardwareQuestion
from .service import service

blueprint = Blueprint("comparisons", __name__)
REQUEST = ComparisonRequestSchema()


@blueprint.post("/v1/comparisons")
@operation(
    "sizing",
    validated=True,
    answers=Comparison,
    body=REQUEST,
    beside=REPLAY,
    problems=(400, 406, 413, 415, 422, *STATUSES),
    example=COMPARISON,
)
@remembering
def compare() -> Response:
    """Relative performance, relative cost and performance per cost of given machines."""
    with phase("parse"):
        form = chosen(request, ONLY_JSON)
        book, faults = asked_at(request)
        judge = partial(_faults, book.prices)
        document = json_object(request)
        question: HardwareQuestion = load_judged(REQUEST, document, judge, faults)
    return remembered(form, book, (question,), document, lambda: _compared(question, book.prices))


def _compared(question: HardwareQuestion, prices: Prices) -> Comparison:
    return service().sizer.compare(question.query, question.on, prices)


def _faults(prices: Prices, question: HardwareQuestion) -> tuple[Fault, ...]:
    return service().sizer.faults(question.query, question.on, prices)
