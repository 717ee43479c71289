"""The query parameters of the collections: filters, and the window of items."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from marshmallow import fields

from ...engine.hardware import DISK_CLASSES, PURCHASE_NAMES
from ...engine.models.families import MODEL_FAMILIES
from ...engine.workload import PRECISIONS, TUNINGS
from ...evidence.measurement import LOADS, METRICS
from ...prices.source import DEFAULT_LIMIT
from . import bounds
from .fields import Choice, Flag, Number, Several, Text, Version, Whole
from .quantities import Size
from .strict import StrictSchema

MOST_ITEMS = 1_000
PHASES = ("constraint", "sizing", "estimate", "choice", "advice")
# Upper bounds of the floors and ceilings: far above any existing machine.
_BOUNDS = {
    "vcpus": bounds.MOST_VCPUS,
    "sustained_cpu": bounds.WHOLE,
    "memory_gib": bounds.MOST_GIB,
    "accelerator_count": bounds.MOST_DEVICES,
    "accelerator_memory_gib": bounds.MOST_GIB,
    "network_gbps": bounds.MOST_GBPS,
    "local_disk_gb": bounds.MOST_GIB,
}
MEASURES = tuple(_BOUNDS)
SIZES = {"memory_gib": "gib", "accelerator_memory_gib": "gib", "local_disk_gb": "gb"}  # measures that take a unit
NAMED = ("cloud", "family", "architecture", "cpu", "cpu_vendor", "accelerator", "interconnect", "local_disk_type")
CHANGES = ("added", "removed", "changed")
MOST_PERCENT = 1e6  # a price ten thousand times the other is an error
MOST_DEVICES_TOGETHER = 100_000  # far above any measured
NONE = "none"  # in place of an accelerator, interconnect or local disk: machines that have none


@dataclass(frozen=True)
class Listing:
    """A request for items of a collection: filters by name, the window of items, and the version of the prices."""

    filters: dict[str, Any] = field(default_factory=dict)
    limit: int = DEFAULT_LIMIT
    cursor: str | None = None
    snapshot: str | None = None


class ListingSchema(StrictSchema):
    """A window into a collection."""

    target = Listing

    limit = Whole(MOST_ITEMS)
    cursor = Text()

    def build(self, data: dict[str, Any]) -> Listing:
        """The request, with the filters apart from the window."""
        window = {name: data.pop(name) for name in ("limit", "cursor", "snapshot") if name in data}
        return Listing(filters=data, **window)


def _listing(name: str, **filters: fields.Field[Any]) -> ListingSchema:
    """The query parameters of a collection: these filters, and the window."""
    return cast(type[ListingSchema], ListingSchema.from_dict(filters, name=f"{name}ListingSchema"))()


def _limit(name: str) -> Number:
    most = _BOUNDS[name]
    return Size(SIZES[name], most, least=0) if name in SIZES else Number(most, least=0)


ANY = ListingSchema()
ACCELERATORS = _listing("Accelerator", snapshot=Version(), vendor=Several(Text()), generation=Several(Text()))
MODELS = _listing("Model", family=Several(Choice(MODEL_FAMILIES)))
REGIONS = _listing("Region", cloud=Several(Text()), restricted=Flag())
DISKS = _listing("Disk", snapshot=Version(), cloud=Several(Text()), type=Several(Choice(DISK_CLASSES)))
RULES = _listing("Rule", phase=Several(Choice(PHASES)))
PRICES = _listing(
    "Price",
    snapshot=Version(),
    cloud=Text(),
    region=Text(),
    instance_type=Text(),
    purchase=Choice(PURCHASE_NAMES),
)
PRICE_CHANGES = _listing(
    "PriceChange",
    to=Version(),
    cloud=Several(Text()),
    region=Several(Text()),
    instance_type=Several(Text()),
    purchase=Several(Choice(PURCHASE_NAMES)),
    change=Several(Choice(CHANGES)),
    min_percent=Number(MOST_PERCENT, least=0),
    **{"from": Version(required=True)},  # a keyword of Python
)
EVIDENCE = _listing(
    "Evidence",
    model=Several(Text()),
    framework=Several(Text()),
    accelerator=Several(Text()),
    cpu=Several(Text()),
    cloud=Several(Text()),
    instance_type=Several(Text()),
    source=Several(Text()),
    task=Several(Choice(("training", "inference"))),
    precision=Several(Choice(PRECISIONS)),
    tuning=Several(Choice(TUNINGS)),
    metric=Several(Choice(METRICS)),
    device_count=Several(Whole(MOST_DEVICES_TOGETHER)),
    doubtful=Flag(),
    load=Several(Choice(LOADS)),
)
INSTANCE_TYPES = _listing(
    "InstanceType",
    snapshot=Version(),
    cloud=Several(Text()),
    family=Several(Text()),
    architecture=Several(Text()),
    cpu=Several(Text()),
    cpu_vendor=Several(Text()),
    accelerator=Several(Text()),
    interconnect=Several(Text()),
    local_disk_type=Several(Text()),
    retired=Flag(),
    q=Text(),
    **{f"{end}_{name}": _limit(name) for name in _BOUNDS for end in ("min", "max")},
)
