"""``/v1/comparisons``: how given machines compare for a workload."""

from __future__ import annotations

from flask import Blueprint

from ..engine.answer import Comparison
from ..engine.faults import Fault
from ..engine.prices import Prices
from .answer_cache import Rendered, cached
from .examples import COMPARISON
from .given_hardware import answer_for
from .operation import operation
from .replay import REPLAY, STATUSES
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
@cached
def compare() -> Rendered:
    """Relative performance, relative cost and performance per cost of given machines."""
    return answer_for(REQUEST, _faults, _compared)


def _compared(question: HardwareQuestion, prices: Prices) -> Comparison:
    return service().sizer.compare(question.query, question.on, prices)


def _faults(prices: Prices, question: HardwareQuestion) -> tuple[Fault, ...]:
    return service().sizer.faults(question.query, question.on, prices)
