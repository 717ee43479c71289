"""The query parameters of the collections: filters, and the window of items."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

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
_AT = "Version of the prices; left out, the prices in force."
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

    limit = Whole(MOST_ITEMS, f"Items in one answer; left out, {DEFAULT_LIMIT}.")
    cursor = Text("Start of the page, copied from `next`.")

    def build(self, data: dict[str, Any]) -> Listing:
        """The request, with the filters apart from the window."""
        window = {name: data.pop(name) for name in ("limit", "cursor", "snapshot") if name in data}
        return Listing(filters=data, **window)


class AcceleratorListingSchema(ListingSchema):
    """Filters of `/v1/accelerators`."""

    snapshot = Version(_AT)
    vendor = Several(Text(), "Any of these vendors.")
    generation = Several(Text(), "Any of these generations.")


class ModelListingSchema(ListingSchema):
    """Filters of `/v1/models`."""

    family = Several(Choice(MODEL_FAMILIES), "Any of these families.")


class RegionListingSchema(ListingSchema):
    """Filters of `/v1/regions`."""

    cloud = Several(Text(), "Any of these clouds.")
    restricted = Flag("true: only regions of governments and mainland China; false: all others.")


class DiskListingSchema(ListingSchema):
    """Filters of `/v1/disks`."""

    snapshot = Version(_AT)
    cloud = Several(Text(), "Any of these clouds.")
    type = Several(Choice(DISK_CLASSES), "Any of these generic classes.")


class RuleListingSchema(ListingSchema):
    """Filters of `/v1/rules`."""

    phase = Several(Choice(PHASES), "Any of these phases.")


class PriceListingSchema(ListingSchema):
    """Filters of `/v1/prices`."""

    snapshot = Version(_AT)
    cloud = Text("The cloud.")
    region = Text("The region.")
    instance_type = Text("The instance type.")
    purchase = Choice(PURCHASE_NAMES, "The purchase option.")


class PriceChangeListingSchema(ListingSchema):
    """The snapshots that `/v1/prices/changes` compares, and its filters."""

    class Meta(ListingSchema.Meta):
        """A name that is a keyword of Python."""

        include: ClassVar = {"from": Version("Version of the earlier prices.", required=True)}

    to = Version("Version of the later prices; left out, the prices in force.")
    cloud = Several(Text(), "In any of these clouds.")
    region = Several(Text(), "In any of these regions.")
    instance_type = Several(Text(), "Of any of these instance types.")
    purchase = Several(Choice(PURCHASE_NAMES), "Under any of these purchase options.")
    change = Several(Choice(CHANGES), "Any of these kinds of change.")
    min_percent = Number(MOST_PERCENT, "Smallest change in percent, up or down.", least=0)


class EvidenceListingSchema(ListingSchema):
    """Filters of `/v1/evidence`."""

    class Meta(ListingSchema.Meta):
        """A name that is a method of every schema."""

        include: ClassVar = {"load": Several(Choice(LOADS), "Under any of these kinds of load.")}

    model = Several(Text(), "Any of these models.")
    framework = Several(Text(), "Any of these frameworks.")
    accelerator = Several(Text(), "On any of these accelerators; `none` for processors.")
    cpu = Several(Text(), "On a machine with any of these processors.")
    cloud = Several(Text(), "In any of these clouds.")
    instance_type = Several(Text(), "On any of these instance types.")
    source = Several(Text(), "From any of these sources.")
    task = Several(Choice(("training", "inference")), "Any of these tasks.")
    precision = Several(Choice(PRECISIONS), "In any of these precisions.")
    tuning = Several(Choice(TUNINGS), "A user's own scripts, or vendor-optimised ones.")
    metric = Several(Choice(METRICS), "Any of these metrics.")
    device_count = Several(Whole(MOST_DEVICES_TOGETHER), "Number of devices together.")
    doubtful = Flag("true: only measurements that fits leave out; false: all others.")


def _floors_and_ceilings() -> dict[str, Number]:
    ends = (("min", "At least"), ("max", "At most"))
    return {f"{end}_{name}": _limit(name, f"{word} this `{name}`.") for name in _BOUNDS for end, word in ends}


def _limit(name: str, description: str) -> Number:
    most = _BOUNDS[name]
    return Size(SIZES[name], most, description, least=0) if name in SIZES else Number(most, description, least=0)


class InstanceTypeListingSchema(ListingSchema):
    """Filters of `/v1/instance-types`."""

    class Meta(ListingSchema.Meta):
        """Two parameters for each measure."""

        include = _floors_and_ceilings()

    snapshot = Version(_AT)
    cloud = Several(Text(), "Any of these clouds.")
    family = Several(Text(), "Any of these families, by the provider's own names.")
    architecture = Several(Text(), "Any of these processor architectures.")
    cpu = Several(Text(), "Any of these processors, by their names or microarchitectures.")
    cpu_vendor = Several(Text(), "Any of these processor vendors.")
    accelerator = Several(Text(), "Any of these accelerators; `none` for machines without.")
    interconnect = Several(Text(), "Connection between the devices of a machine; `none` for at most one device.")
    local_disk_type = Several(Text(), "Any of these kinds of local disk; `none` for machines without.")
    retired = Flag("true: only retired instance types; false: only current ones.")
    q = Text("Part of the instance type's name.")
