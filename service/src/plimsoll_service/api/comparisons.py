"""``/v1/comparisons``: how given machines compare for a workload."""

from __future__ import annotations

from flask import Blueprint, Response, request

from ..engine.answer import Comparison
from ..engine.faults import Fault
from .body import json_object
from .examples import COMPARISON
from .formats.registry import ONLY_JSON
from .loading import load_judged
from .negotiate import answer, chosen, only_format
from .operation import operation
from .schemas.questions import ComparisonRequestSchema, HardwareQuestion
from .service import service

blueprint = Blueprint("comparisons", __name__)
REQUEST = ComparisonRequestSchema()


@blueprint.post("/v1/comparisons")
@operation("sizing", answers=Comparison, body=REQUEST, problems=(400, 406, 413, 415, 422), example=COMPARISON)
def compare() -> Response:
    """Relative performance, relative cost and performance per cost of given machines."""
    only_format(request)
    form = chosen(request, ONLY_JSON)
    question: HardwareQuestion = load_judged(REQUEST, json_object(request), _faults)
    return answer(form, service().sizer.compare(question.query, question.on), service().catalog)


def _faults(question: HardwareQuestion) -> tuple[Fault, ...]:
    return service().sizer.faults(question.query, question.on)
