"""``/v1/estimates``: how a workload does on a given machine, and why that is not the recommendation."""

from __future__ import annotations

from flask import Blueprint

from ..engine.answer import HardwareEstimate
from ..engine.faults import Fault, Refused
from ..engine.prices import Prices
from .answer_cache import Rendered, cached
from .examples import ESTIMATE
from .given_hardware import answer_for
from .operation import operation
from .replay import REPLAY, STATUSES
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
@cached
def estimate() -> Rendered:
    """Throughput, time, memory and cost of a workload on a given machine."""
    return answer_for(REQUEST, _faults, _estimated)


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
