"""``/v1/estimates``: how a workload does on a given machine, and why that is not the recommendation."""

from __future__ import annotations

from flask import Blueprint, Response, request

from ..engine.answer import HardwareEstimate
from ..engine.faults import Fault, Refused
from .body import json_object
from .examples import ESTIMATE
from .formats.registry import ONLY_JSON
from .loading import load_judged
from .negotiate import answer, chosen, only_format
from .operation import operation
from .schemas.questions import EstimateRequestSchema, HardwareQuestion
from .service import service

blueprint = Blueprint("estimates", __name__)
REQUEST = EstimateRequestSchema()
_FIRST = "/on/0"  # the sizer counts the machines, of which an estimate has only one


@blueprint.post("/v1/estimates")
@operation("sizing", answers=HardwareEstimate, body=REQUEST, problems=(400, 406, 413, 415, 422), example=ESTIMATE)
def estimate() -> Response:
    """Throughput, time, memory and cost of a workload on a given machine."""
    only_format(request)
    form = chosen(request, ONLY_JSON)
    question: HardwareQuestion = load_judged(REQUEST, json_object(request), _faults)
    try:
        found = service().sizer.estimate(question.query, question.on[0])
    except Refused as refused:
        raise Refused(_of_one(refused.faults)) from refused
    return answer(form, found, service().catalog)


def _faults(question: HardwareQuestion) -> tuple[Fault, ...]:
    return _of_one(service().sizer.faults(question.query, question.on))


def _of_one(faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    return tuple(
        Fault("/on" + fault.pointer.removeprefix(_FIRST), fault.detail) if _within(fault.pointer) else fault
        for fault in faults
    )


def _within(pointer: str) -> bool:
    return pointer == _FIRST or pointer.startswith(f"{_FIRST}/")
