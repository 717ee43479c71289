"""Which products of an AWS offer file are EBS volumes, and what their parts cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from plimsoll_service.prices.feeds.aws_machines import WHERE_STATED
from plimsoll_service.prices.feeds.aws_offer_file import Product, Rate

VOLUMES = frozenset({"gp2", "gp3", "io1", "io2", "st1", "sc1", "standard"})
NAME, GROUP, REGION, PLACE = "volumeApiName", "group", "regionCode", "locationType"
MIB_PER_GIB = 1024


class Part(Enum):
    """What of a volume is priced; the values are the product families that hold it."""

    SIZE = "Storage"
    IOPS = "System Operation"
    THROUGHPUT = "Provisioned Throughput"


# The list's GB of EBS are GiB (the API takes sizes in GiB and bills them one to one); io2 alone says "GB-month".
UNITS = {
    Part.SIZE: {"gb-mo": 1.0, "gb-month": 1.0},
    Part.IOPS: {"iops-mo": 1.0},
    Part.THROUGHPUT: {"mibps-mo": 1.0, "gibps-mo": 1.0 / MIB_PER_GIB},
}
# "EBS IOPS Tier 2" and 3 are cheaper rates of io2 above 32,000 and 64,000 IOPS: the first tier prices what is usual.
# "EBS I/O Requests" of standard volumes are no provisioned IOPS.
IOPS_GROUP = "EBS IOPS"


@dataclass(frozen=True, slots=True)
class VolumePart:
    """A priced part of a volume product."""

    product: str
    part: Part


def volume_part(product: Product, region: str) -> VolumePart | None:
    """The part of an EBS volume that a product prices in a region, if any."""
    attributes = product.attributes
    name = attributes.get(NAME, "")
    families = {part.value: part for part in Part}
    part = families.get(product.family)
    if part is None or name not in VOLUMES:
        return None
    if attributes.get(REGION, region) != region or attributes.get(PLACE, WHERE_STATED[PLACE]) != WHERE_STATED[PLACE]:
        return None
    return None if part is Part.IOPS and attributes.get(GROUP) != IOPS_GROUP else VolumePart(name, part)


def unit_share(part: Part, rate: Rate) -> float | None:
    """How many of a rate's units the price of a GiB, an IOPS or a MiB/s a month is; ``None`` for other units."""
    return UNITS[part].get(rate.unit.lower())


def sort_parts(prices: Iterable[tuple[VolumePart, float]]) -> tuple[Mapping[VolumePart, float], frozenset[VolumePart]]:
    """One price above 0 a part, and the parts that stand at several; a tier at 0 is what size already includes."""
    found: defaultdict[VolumePart, set[float]] = defaultdict(set)
    for part, usd in prices:
        found[part].add(usd)
    several = frozenset(part for part, all_usd in found.items() if len(all_usd) > 1)
    return {part: usd for part, all_usd in found.items() if len(all_usd) == 1 for usd in all_usd}, several
