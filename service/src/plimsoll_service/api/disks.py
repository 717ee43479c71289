"""``/v1/disks``: the volume products behind the generic disk classes."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, request

from ..engine.hardware import Disks
from .examples import FEW
from .flat import FlatQuery
from .formats.registry import COLLECTION
from .instance_type_items import known
from .operation import operation
from .pages import listing_of, paged, windowed
from .replay import PARAMETER, STATUSES, book_of
from .schemas.collections import DiskListingSchema

blueprint = Blueprint("disks", __name__)
QUERY = FlatQuery(DiskListingSchema())


@dataclass(frozen=True)
class DiskItem:
    """A volume product; its limits grow from ``base`` with size, up to ``max``. What is not known is null."""

    cloud: str
    product: str
    type: str | None
    default: bool
    provisioned: bool
    usd_per_gib_month: float | None
    usd_per_iops_month: float | None
    usd_per_mib_s_month: float | None
    iops_base: float | None
    iops_per_gib: float | None
    iops_max: float | None
    throughput_base_mib_s: float | None
    throughput_per_gib_mib_s: float | None
    throughput_max_mib_s: float | None
    min_gib: float | None
    max_gib: float | None
    as_of: str | None
    confidence: str
    source: str


_FIGURES = (
    "usd_per_gib_month", "usd_per_iops_month", "usd_per_mib_s_month", "iops_base", "iops_per_gib", "iops_max",
    "throughput_base_mib_s", "throughput_per_gib_mib_s", "throughput_max_mib_s", "min_gib", "max_gib",
)  # fmt: skip


@blueprint.get("/v1/disks")
@operation(
    "catalog",
    answers=DiskItem,
    query=QUERY,
    formats=tuple(COLLECTION),
    problems=(406, 422, *STATUSES),
    example=FEW,
    validated=True,
)
def list_disks() -> Response:
    """Volume products of all clouds, with their limits and prices."""
    listing = listing_of(request, QUERY)
    prices = book_of(listing.snapshot).prices
    items = [_item(prices.disks, row) for row in range(len(prices.disks))]
    return paged(request, listing, prices.version, windowed(items), {PARAMETER: prices.version})


def _item(table: Disks, row: int) -> DiskItem:
    return DiskItem(
        cloud=table.cloud[row] or "",
        product=table.product[row],
        type=table.type[row],
        default=bool(table.default[row]),
        provisioned=bool(table.provisioned[row]),
        as_of=table.as_of[row] or None,
        confidence=table.confidence[row],
        source=table.source[row],
        **{name: known(getattr(table, name)[row]) for name in _FIGURES},
    )
