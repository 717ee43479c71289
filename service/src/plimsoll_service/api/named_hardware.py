"""``/v1/estimates`` and ``/v1/comparisons``: a workload on hardware that the request names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Blueprint, request

from ..engine.answer import Comparison, HardwareEstimate
from ..engine.faults import Fault, Refused
from ..engine.prices import Prices
from .answer_cache import Rendered, cached, rendered
from .body import json_object
from .examples import COMPARISON, ESTIMATE
from .formats import ONLY_JSON
from .loading import load_judged
from .negotiate import chosen
from .operation import operation
from .replay import REPLAY, STATUSES, asked_at
from .request_record import phase
from .schemas.questions import ComparisonRequestSchema, EstimateRequestSchema, HardwareQuestion
from .schemas.strict import StrictSchema
from .service import service

blueprint = Blueprint("named_hardware", __name__)
ESTIMATE_REQUEST = EstimateRequestSchema()
COMPARISON_REQUEST = ComparisonRequestSchema()
_PROBLEMS = (400, 406, 413, 415, 422, *STATUSES)
_FIRST = "/on/0"  # the sizer numbers the machines; an estimate has only one

Faults = Callable[[Prices, HardwareQuestion], tuple[Fault, ...]]
Answer = Callable[[HardwareQuestion, Prices], Any]


@blueprint.post("/v1/estimates")
@operation(
    "sizing",
    validated=True,
    answers=HardwareEstimate,
    body=ESTIMATE_REQUEST,
    beside=REPLAY,
    worded=True,
    problems=_PROBLEMS,
    example=ESTIMATE,
)
@cached
def estimate() -> Rendered:
    """Throughput, time, memory and cost of a workload on a named machine."""
    return _answered(ESTIMATE_REQUEST, lambda prices, question: _of_one(_faults(prices, question)), _estimated)


@blueprint.post("/v1/comparisons")
@operation(
    "sizing",
    validated=True,
    answers=Comparison,
    body=COMPARISON_REQUEST,
    beside=REPLAY,
    worded=True,
    problems=_PROBLEMS,
    example=COMPARISON,
)
@cached
def compare() -> Rendered:
    """Relative performance, relative cost and performance per cost of named machines."""
    return _answered(COMPARISON_REQUEST, _faults, _compared)


def _answered(schema: StrictSchema, faults: Faults, answer: Answer) -> Rendered:
    """The answer to the request's question; raises ``Refused`` with every fault."""
    with phase("parse"):
        form = chosen(request, ONLY_JSON)
        book, beside = asked_at(request)
        document = json_object(request)
        question = load_judged(schema, document, partial(faults, book.prices), beside)
    return rendered(form, book, document, lambda: answer(question, book.prices))


def _estimated(question: HardwareQuestion, prices: Prices) -> HardwareEstimate:
    try:
        return service().sizer.estimate(question.query, question.on[0], prices)
    except Refused as refused:
        raise Refused(_of_one(refused.faults)) from refused


def _compared(question: HardwareQuestion, prices: Prices) -> Comparison:
    return service().sizer.compare(question.query, question.on, prices)


def _faults(prices: Prices, question: HardwareQuestion) -> tuple[Fault, ...]:
    return service().sizer.faults(question.query, question.on, prices)


def _of_one(faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    return tuple(
        Fault("/on" + fault.pointer.removeprefix(_FIRST), fault.detail) if _within(fault.pointer) else fault
        for fault in faults
    )


def _within(pointer: str) -> bool:
    return pointer == _FIRST or pointer.startswith(f"{_FIRST}/")
