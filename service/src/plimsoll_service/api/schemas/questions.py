"""The bodies of the three questions: which machine, how does this one do, how do these compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from marshmallow import fields

from ...engine.workload import OBJECTIVES, Hardware, Query
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
    """A query about given machines."""

    query: Query
    on: tuple[Hardware, ...]


class _QuestionSchema(StrictSchema):
    """What all questions have in common."""

    homes = dict.fromkeys(ConstraintsSchema().fields, "constraints") | dict.fromkeys(
        WorkloadSchema().fields, "workload"
    )

    workload = fields.Nested(WorkloadSchema, required=True, error_messages={"required": "is required"})
    constraints = fields.Nested(ConstraintsSchema)
    objective = Choice(
        OBJECTIVES, "What is best; left out: `cost` where a deadline, rate or budget is given, else `balanced`."
    )


class RecommendationRequestSchema(_QuestionSchema):
    """Which machine to rent for a workload."""

    target = Query

    limit = Whole(MOST_RECOMMENDATIONS, "How many recommendations to list; left out: 5.")


class EstimateRequestSchema(_QuestionSchema):
    """How a workload does on one given machine."""

    target = HardwareQuestion

    on = fields.Nested(HardwareSchema, required=True, error_messages={"required": "is required"})

    def build(self, data: dict[str, Any]) -> HardwareQuestion:
        """The query, with the machine as the only one."""
        return HardwareQuestion(_query(data), (data["on"],))


class ComparisonRequestSchema(_QuestionSchema):
    """How a workload does on several given machines, relative to the first that fits."""

    target = HardwareQuestion

    on = Several(
        fields.Nested(HardwareSchema), "The machines.", least=FEWEST_COMPARED, most=MOST_COMPARED, required=True
    )

    def build(self, data: dict[str, Any]) -> HardwareQuestion:
        """The query with its machines."""
        return HardwareQuestion(_query(data), tuple(data["on"]))


class BatchedRequest(StrictField):
    """A request of a batch, as it stands: it is loaded on its own, so that its faults are its own."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any) -> Any:
        return value

    def json_schema(self) -> dict[str, Any]:
        return {"$ref": "#/components/schemas/RecommendationRequest"}


class BatchRequestSchema(StrictSchema):
    """Many workloads at once."""

    target = dict

    requests = Several(BatchedRequest(allow_none=True), "Answered in this order.", most=MOST_BATCHED, required=True)


def _query(data: dict[str, Any]) -> Query:
    return Query(**{name: value for name, value in data.items() if name != "on"})
