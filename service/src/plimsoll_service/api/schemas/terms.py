"""The operator's own terms, as the file that `PLIMSOLL_TERMS` names writes them."""

from __future__ import annotations

from marshmallow import fields

from ...engine.workload import Terms
from . import bounds
from .constraints import CommitmentSchema, DiscountSchema, QuotaSchema
from .fields import Several
from .hardware import OwnMachineSchema
from .strict import StrictSchema


class TermsSchema(StrictSchema):
    """What has been agreed with providers, and what is owned: the constraints of those names, for every query."""

    target = Terms

    discounts = Several(fields.Nested(DiscountSchema), "Discounts on list prices.", most=bounds.MOST_MACHINES)
    commitments = Several(
        fields.Nested(CommitmentSchema), "Reserved and savings-plan prices.", most=bounds.MOST_MACHINES
    )
    quotas = Several(fields.Nested(QuotaSchema), "Limits on the number of machines.", most=bounds.MOST_MACHINES)
    own_machines = Several(fields.Nested(OwnMachineSchema), "Machines of one's own.", most=bounds.MOST_MACHINES)
