"""``/v1/instance-types``: the catalog's machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from ..engine.faults import Refused
from ..prices.source import PriceRecord
from .examples import INSTANCE_TYPE, INSTANCE_TYPES
from .flat import FlatQuery
from .formats.registry import COLLECTION, ONLY_JSON
from .instance_type_items import InstanceTypeItem, item, matching
from .negotiate import answer, chosen
from .operation import operation
from .pages import Window, listed
from .replay import REPLAY, STATUSES, asked_at
from .schemas.collections import MOST_ITEMS, NONE, InstanceTypeListingSchema
from .service import service

blueprint = Blueprint("instance_types", __name__)
QUERY = FlatQuery(InstanceTypeListingSchema())


@dataclass(frozen=True)
class InstanceTypeDetail(InstanceTypeItem):
    """An instance type with what it costs, by region and purchase option."""

    offers: tuple[PriceRecord, ...]


@blueprint.get("/v1/instance-types")
@operation(
    "catalog",
    validated=True,
    answers=InstanceTypeItem,
    query=QUERY,
    formats=tuple(COLLECTION),
    problems=(406, 422),
    example=INSTANCE_TYPES,
)
def list_instance_types() -> Response:
    """Instance types, filterable by every attribute of their hardware."""
    found = service()
    return listed(
        request,
        QUERY,
        found.catalog.version,
        _rows,
        lambda listing: found.names.faults(listing.filters, besides=(NONE,)),
    )


@blueprint.get("/v1/instance-types/<cloud>/<name>")
@operation(
    "catalog",
    validated=True,
    answers=InstanceTypeDetail,
    beside=REPLAY,
    problems=(406, 422, *STATUSES),
    paths={"cloud": "The catalog's cloud, such as `aws`.", "name": "The provider's own name, such as `p3.2xlarge`."},
    example=INSTANCE_TYPE,
)
def show_instance_type(cloud: str, name: str) -> Response:
    """One instance type with its offers by region and purchase option."""
    form = chosen(request, ONLY_JSON)
    book, faults = asked_at(request)
    if faults:
        raise Refused(faults)
    found = service()
    facts = item(found.catalog, _row(cloud, name))
    offers = book.lookup(cloud=facts.cloud, instance_type=facts.instance_type, limit=MOST_ITEMS).items
    return answer(form, InstanceTypeDetail(**vars(facts), offers=offers), found.catalog)


def _rows(filters: dict[str, Any], window: Window) -> tuple[Sequence[InstanceTypeItem], int]:
    found = service()
    rows = matching(found.catalog, found.names, filters)
    return [item(found.catalog, int(row)) for row in rows[window.offset : window.end]], len(rows)


def _row(cloud: str, name: str) -> int:
    """The row of that name; raises ``NotFound`` with what was perhaps meant."""
    names, types = service().names, service().catalog.instance_types
    own_cloud = names.find("cloud", cloud)
    if own_cloud is None:
        raise NotFound(names.unknown("cloud", cloud))
    own_name = names.find("instance_type", name)
    for row, other in enumerate(types.name):
        if other == own_name and types.cloud[row] == own_cloud:
            return row
    raise NotFound(f"{own_cloud} has no such instance type: {names.unknown('instance_type', name)}")
