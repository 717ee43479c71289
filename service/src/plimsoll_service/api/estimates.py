"""``/v1/estimates``: how a workload does on a given machine, and why that is not the recommendation."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, request

from ..engine.answer import HardwareEstimate
from ..engine.faults import Fault, Refused
from ..engine.prices import Prices
from .body import json_object
from .examples import ESTIMATE
from .formats.registry import ONLY_JSON
from .loading import load_judged
from .negotiate import chosen
from .operation import operation
from .phases import phase
from .remembered import remembered, remembering
from .replay import REPLAY, STATUSES, asked_at
from .schemas.questions import EstimateRequestSchema, HardwareQuestion
from .service import service

blueprint = Blueprint("estimates", __name__)
REQUEST = EstimateRequestSchema()
_FIRST = "/on/0"  # the sizer counts the machines, of which an estimate has only one


@blueprint.post("/v1/estimates")
@operation(
    "sizing",
    validated=True,
    answers=HardwareEstimate,
    body=REQUEST,
    beside=REPLAY,
    problems=(400, 406, 413, 415, 422, *STATUSES),
    example=ESTIMATE,
)
@remembering
def estimate() -> Response:
    """Throughput, time, memory and cost of a workload on a given machine."""
    with phase("parse"):
        form = chosen(request, ONLY_JSON)
        book, faults = asked_at(request)
        judge = partial(_faults, book.prices)
        document = json_object(request)
        question: HardwareQuestion = load_judged(REQUEST, document, judge, faults)
    return remembered(form, book, (question,), document, lambda: _estimated(question, book.prices))


def _estimated(question: HardwareQuestion, prices: Prices) -> HardwareEstimate:
    try:
        return service().sizer.estimate(question.query, question.on[0], prices)
    except Refused as refused:
        raise Refused(_of_one(refused.faults)) from refused


def _faults(prices: Prices, question: HardwareQuestion) -> tuple[Fault, ...]:
    return _of_one(service().sizer.faults(question.query, question.on, prices))


def _of_one(faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    return tuple(
        Fault("/on" + fault.pointer.removeprefix(_FIRST), fault.detail) if _within(fault.pointer) else fault
        for fault in faults
    )


def _within(pointer: str) -> bool:
    return pointer == _FIRST or pointer.startswith(f"{_FIRST}/")
