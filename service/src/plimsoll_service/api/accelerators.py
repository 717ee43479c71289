"""``/v1/accelerators``: what the catalog's machines compute on."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, request

from ..engine.hardware import PEAKS, Catalog
from .examples import FEW
from .flat import FlatQuery
from .formats.registry import COLLECTION
from .instance_type_items import known
from .operation import operation
from .pages import listed, windowed
from .schemas.collections import AcceleratorListingSchema
from .service import service

blueprint = Blueprint("accelerators", __name__)
QUERY = FlatQuery(AcceleratorListingSchema())


@dataclass(frozen=True)
class AcceleratorItem:
    """One device; ``precisions`` are its dense peaks in TFLOP/s (TOP/s for integers), without those that it lacks."""

    name: str
    aliases: tuple[str, ...]
    vendor: str
    generation: str
    year: int
    memory_gib: float | None
    memory_type: str
    memory_bandwidth_gb_s: float | None
    precisions: dict[str, float]
    interconnect: str
    interconnect_gb_s: float | None
    power_w: float | None
    source: str


@blueprint.get("/v1/accelerators")
@operation(
    "catalog",
    validated=True,
    answers=AcceleratorItem,
    query=QUERY,
    formats=tuple(COLLECTION),
    problems=(406, 422),
    example=FEW,
)
def list_accelerators() -> Response:
    """Accelerators by device: a die of a K80, one GPU of a card, a Neuron chip."""
    catalog = service().catalog
    items = [_item(catalog, row) for row in range(len(catalog.accelerators))]
    return listed(request, QUERY, catalog.version, windowed(items))


def _item(catalog: Catalog, row: int) -> AcceleratorItem:
    table = catalog.accelerators
    peaks = ((name, known(peak)) for name, peak in zip(PEAKS, table.peak_tflops[row], strict=True))
    return AcceleratorItem(
        name=table.name[row],
        aliases=table.aliases[row],
        vendor=table.vendor[row],
        generation=table.generation[row],
        year=int(table.year[row]),
        memory_gib=known(table.memory_gib[row]),
        memory_type=table.memory_type[row],
        memory_bandwidth_gb_s=known(table.memory_bandwidth_gb_s[row]),
        precisions={name: peak for name, peak in peaks if peak is not None},
        interconnect=table.interconnect[row],
        interconnect_gb_s=known(table.interconnect_gb_s[row]),
        power_w=known(table.power_w[row]),
        source=table.source[row],
    )
