"""``/v1/regions``: where the clouds rent machines out."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, request

from .examples import FEW
from .flat import FlatQuery
from .formats.registry import COLLECTION
from .operation import operation
from .pages import listed, windowed
from .schemas.collections import RegionListingSchema
from .service import service

blueprint = Blueprint("regions", __name__)
QUERY = FlatQuery(RegionListingSchema())


@dataclass(frozen=True)
class RegionItem:
    """A region; a restricted one (government, mainland China) is used only where it is named."""

    cloud: str
    name: str
    location: str
    restricted: bool


@blueprint.get("/v1/regions")
@operation(
    "catalog",
    validated=True,
    answers=RegionItem,
    query=QUERY,
    formats=tuple(COLLECTION),
    problems=(406, 422),
    example=FEW,
)
def list_regions() -> Response:
    """Regions of all clouds."""
    catalog = service().catalog
    table = catalog.regions
    items = [
        RegionItem(table.cloud[row] or "", table.name[row], table.location[row], bool(table.restricted[row]))
        for row in range(len(table))
    ]
    return listed(request, QUERY, catalog.version, windowed(items))
