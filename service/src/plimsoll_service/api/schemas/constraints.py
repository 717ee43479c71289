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

    cloud = Text("The cloud that grants it.", required=True)
    families = Several(Text(), "Of these instance families only.")
    percent = Number(WHOLE_PERCENT - 0.01, "Discount in percent.", least=0, required=True)


class QuotaSchema(_AgreementSchema):
    """A limit on the number of machines of a cloud, or of some of its families."""

    target = Quota

    cloud = Text("The cloud with this limit.", required=True)
    families = Several(Text(), "Of these instance families only.")
    max_nodes = Whole(bounds.MOST_NODES, "Machines at the same time.", least=0, required=True)


class CommitmentSchema(_AgreementSchema):
    """An agreed on-demand price for a cloud, or for some of its instance types or families."""

    target = Commitment

    cloud = Text("The cloud of the agreement.", required=True)
    kind = Choice(COMMITMENTS, "The provider's name for it.", required=True)
    usd_per_hour = Number(bounds.MOST_USD, "Price of one machine per hour; otherwise, give `percent`.")
    percent = Number(WHOLE_PERCENT - 0.01, "Discount on the list price, in percent; otherwise, give `usd_per_hour`.")
    instance_types = Several(Text(), "For these instance types only.")
    families = Several(Text(), "For these instance families only.")
    regions = Several(Text(), "In these regions only.")
    max_nodes = Whole(bounds.MOST_NODES, "Number of machines that it covers; left out, any number.")

    def contradictions(self, data: Mapping[str, Any]) -> dict[str, list[str]]:
        """A commitment with two prices."""
        twice = "usd_per_hour" in data and "percent" in data
        return {"percent": ["give usd_per_hour or percent, not both"]} if twice else {}

    @validates_schema
    def state_price(self, data: Any, **_: Any) -> None:
        """Refuse a commitment without a price."""
        if "usd_per_hour" not in data and "percent" not in data:
            raise ValidationError({"usd_per_hour": ["is required, or percent"]})

    def sound(self, document: Any) -> Any:
        """As ``load``, which alone tells a missing price from a faulty one."""
        return self.load(document)


class ConstraintsSchema(StrictSchema):
    """Constraints that must hold; one that is left out allows everything."""

    target = Constraints

    clouds = Several(Text(), "Any of these clouds; `own` for your own machines.")
    regions = Several(Text(), "Any of these regions; left out, all except governments and mainland China.")
    purchase = Several(Choice(PURCHASES), "Any of these purchase options; left out, `on_demand`.")
    architectures = Several(Text(), "Any of these processor architectures: `x86_64`, `arm64`.")
    cpu_vendors = Several(Text(), "Any of these processor vendors.")
    instance_types = Several(Text(), "Any of these instance types.")
    instance_families = Several(Text(), "Any of these families, by the provider's own names.")
    exclude = Several(Text(), "Instance types and families to leave out.")  # type: ignore[assignment]  # marshmallow's is an instance's
    exclude_clouds = Several(Text(), "Clouds to leave out; `own` for the operator's own machines.")
    retired = Flag("Whether retired instance types may be recommended.")
    allow_porting = Flag("Whether hardware may be recommended on which the software must be ported.")
    accelerators = Several(Text(), "Any of these accelerators.")
    min_accelerators = Number(bounds.MOST_DEVICES, "Accelerators of one machine.", least=0)
    max_accelerators = Number(bounds.MOST_DEVICES, "Accelerators of one machine; 0 for none.", least=0)
    max_total_accelerators = Number(
        bounds.MOST_DEVICES * bounds.MOST_NODES, "Accelerators of all machines together; 0 for none.", least=0
    )
    min_vcpus = Number(bounds.MOST_VCPUS, "vCPUs of one machine.", least=0)
    min_memory_gib = Size("gib", bounds.MOST_GIB, "Host memory of one machine in GiB.", least=0)
    min_accelerator_memory_gib = Size("gib", bounds.MOST_GIB, "Memory of one device in GiB.", least=0)
    interconnect = Choice(WIRINGS, "Required connection between the devices of a machine.")
    max_nodes = Whole(
        bounds.MOST_NODES,
        "Largest number of machines; left out, 16 if the work can be split, otherwise (and for HPC) 1.",
    )
    basis = Several(Choice(tuple(dict.fromkeys(BASES))), "Any of these bases of the estimate.")
    max_usd_per_hour = Number(bounds.MOST_USD, "Highest price of all machines together, per hour.")
    price_confidence = Several(
        Choice(CONFIDENCES),
        "Prices of any of these confidences; left out, all. Your own machines count as `list`.",
    )
    own_machines = Several(
        fields.Nested(OwnMachineSchema),
        "Your own machines, as additional candidates.",
        most=bounds.MOST_MACHINES,
    )
    discounts = Several(fields.Nested(DiscountSchema), "Discounts on list prices.", most=bounds.MOST_MACHINES)
    quotas = Several(fields.Nested(QuotaSchema), "Limits on the number of machines.", most=bounds.MOST_MACHINES)
    commitments = Several(
        fields.Nested(CommitmentSchema),
        "Reserved and savings-plan prices, for use on demand.",
        most=bounds.MOST_MACHINES,
    )
