"""The bodies of recommendations, estimates, comparisons and batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from marshmallow import fields

from ...engine.workload import GROUPS, OBJECTIVES, Hardware, Query
from .constraints import ConstraintsSchema
from .fields import Choice, Several, StrictField, Whole
from .hardware import HardwareSchema
from .strict import StrictSchema
from .workload import WorkloadSchema

MOST_RECOMMENDATIONS = 100
FEWEST_COMPARED, MOST_COMPARED = 2, 20
MOST_BATCHED = 1_000


@dataclass(frozen=True)
class HardwareQuestion:
    """A query about named machines."""

    query: Query
    on: tuple[Hardware, ...]


class _QuestionSchema(StrictSchema):
    """The fields that all questions share."""

    homes = dict.fromkeys(ConstraintsSchema().fields, "constraints") | dict.fromkeys(
        WorkloadSchema().fields, "workload"
    )

    workload = fields.Nested(WorkloadSchema, required=True, error_messages={"required": "is required"})
    constraints = fields.Nested(ConstraintsSchema)
    objective = Choice(OBJECTIVES)


class RecommendationRequestSchema(_QuestionSchema):
    """A workload to find machines for."""

    target = Query

    limit = Whole(MOST_RECOMMENDATIONS)
    group = Choice(GROUPS)


class _HardwareQuestionSchema(_QuestionSchema):
    """A question about named machines."""

    target = HardwareQuestion

    def build(self, data: dict[str, Any]) -> HardwareQuestion:
        """The query with its machines."""
        on = data.pop("on")
        return HardwareQuestion(Query(**data), tuple(on) if isinstance(on, list) else (on,))


class EstimateRequestSchema(_HardwareQuestionSchema):
    """A workload to estimate on one named machine."""

    on = fields.Nested(HardwareSchema, required=True, error_messages={"required": "is required"})


class ComparisonRequestSchema(_HardwareQuestionSchema):
    """A workload to compare on several named machines, relative to the first that fits."""

    on = Several(fields.Nested(HardwareSchema), least=FEWEST_COMPARED, most=MOST_COMPARED, required=True)


class BatchedRequest(StrictField):
    """A request of a batch, unread: each one is loaded separately, so that each has its own faults."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> Any:
        return value

    def json_schema(self) -> dict[str, Any]:
        return {"$ref": "#/components/schemas/RecommendationRequest"}


class BatchRequestSchema(StrictSchema):
    """Several requests for recommendations."""

    target = dict

    requests = Several(BatchedRequest(allow_none=True), most=MOST_BATCHED, required=True)
