"""The constraints on machines, and the pricing agreements among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from ...engine.hardware import CONFIDENCES
from ...engine.spreads import BASES
from ...engine.workload import COMMITMENTS, PURCHASES, Commitment, Constraints, Discount, Quota
from . import bounds
from .fields import Choice, Flag, Number, Several, Text, Whole
from .hardware import OwnMachineSchema
from .quantities import Size
from .strict import StrictSchema

WIRINGS = ("nvlink", "any")
WHOLE_PERCENT = 100


class _AgreementSchema(StrictSchema):
    """A pricing agreement; an empty list in it allows everything, as among the constraints."""

    def build(self, data: dict[str, Any]) -> Any:
        """The target without empty lists, which otherwise would match no machine at all."""
        return super().build({name: value for name, value in data.items() if value != []})


class DiscountSchema(_AgreementSchema):
    """A discount on the prices of a cloud, or of some of its families."""

    target = Discount

    cloud = Text(required=True)
    families = Several(Text())
    percent = Number(WHOLE_PERCENT - 0.01, least=0, required=True)


class QuotaSchema(_AgreementSchema):
    """A limit on the number of machines of a cloud, or of some of its families."""

    target = Quota

    cloud = Text(required=True)
    families = Several(Text())
    max_nodes = Whole(bounds.MOST_NODES, least=0, required=True)


class CommitmentSchema(_AgreementSchema):
    """An agreed on-demand price for a cloud, or for some of its instance types or families."""

    target = Commitment

    cloud = Text(required=True)
    kind = Choice(COMMITMENTS, required=True)
    usd_per_hour = Number(bounds.MOST_USD)
    percent = Number(WHOLE_PERCENT - 0.01)
    instance_types = Several(Text())
    families = Several(Text())
    regions = Several(Text())
    max_nodes = Whole(bounds.MOST_NODES)

    def contradictions(self, data: Mapping[str, Any]) -> dict[str, list[str]]:
        """A commitment with two prices."""
        twice = "usd_per_hour" in data and "percent" in data
        return {"percent": ["give usd_per_hour or percent, not both"]} if twice else {}

    @validates_schema
    def state_price(self, data: Any, **_: Any) -> None:
        """Refuse a commitment without a price."""
        if "usd_per_hour" not in data and "percent" not in data:
            raise ValidationError({"usd_per_hour": ["is required, or percent"]})


class ConstraintsSchema(StrictSchema):
    """Constraints on the machines; a missing constraint allows everything."""

    target = Constraints

    clouds = Several(Text())
    regions = Several(Text())
    purchase = Several(Choice(PURCHASES))
    architectures = Several(Text())
    cpu_vendors = Several(Text())
    instance_types = Several(Text())
    instance_families = Several(Text())
    exclude = Several(Text())  # type: ignore[assignment]  # marshmallow's is an instance's
    exclude_clouds = Several(Text())
    retired = Flag()
    allow_porting = Flag()
    accelerators = Several(Text())
    min_accelerators = Number(bounds.MOST_DEVICES, least=0)
    max_accelerators = Number(bounds.MOST_DEVICES, least=0)
    max_total_accelerators = Number(bounds.MOST_DEVICES * bounds.MOST_NODES, least=0)
    min_vcpus = Number(bounds.MOST_VCPUS, least=0)
    min_memory_gib = Size("gib", bounds.MOST_GIB, least=0)
    min_accelerator_memory_gib = Size("gib", bounds.MOST_GIB, least=0)
    interconnect = Choice(WIRINGS)
    max_nodes = Whole(bounds.MOST_NODES)
    basis = Several(Choice(tuple(dict.fromkeys(BASES))))
    max_usd_per_hour = Number(bounds.MOST_USD)
    price_confidence = Several(Choice(CONFIDENCES))
    own_machines = Several(fields.Nested(OwnMachineSchema), most=bounds.MOST_MACHINES)
    discounts = Several(fields.Nested(DiscountSchema), most=bounds.MOST_MACHINES)
    quotas = Several(fields.Nested(QuotaSchema), most=bounds.MOST_MACHINES)
    commitments = Several(fields.Nested(CommitmentSchema), most=bounds.MOST_MACHINES)
