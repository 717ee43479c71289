"""``/v1/instance-types``: the catalog's machines, filtered by any attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from ..engine.faults import Refused
from ..engine.hardware import Catalog, Coded, Flags, Floats, InstanceTypes, Ints
from ..prices.source import PriceFilter, PriceRecord
from .catalog_names import CatalogNames
from .data_files import EXAMPLES
from .flat import FlatQuery
from .formats import ONLY_JSON
from .lowest_prices import Prices, of_instance_types
from .negotiate import answer, chosen
from .operation import collection, operation
from .pages import Window, item_of, known, listing_of, paged
from .replay import PARAMETER, REPLAY, STATUSES, asked_at, book_of
from .schemas import collections
from .schemas.collections import MEASURES, MOST_ITEMS, NAMED, NONE
from .service import service

blueprint = Blueprint("instance_types", __name__)
QUERY = FlatQuery(collections.INSTANCE_TYPES)


@dataclass(frozen=True)
class AcceleratorsOfType:
    """The accelerators of one machine; `count` of a share is a fraction."""

    name: str
    count: float
    memory_gib: float | None


@dataclass(frozen=True)
class Withdrawal:
    """Why new customers can no longer order an instance type, with the source."""

    status: str
    since: str | None
    source: str
    as_of: str


@dataclass(frozen=True)
class InstanceTypeItem:
    """An instance type; unknown values are null. `lowest_usd_per_hour` is its lowest price by purchase option."""

    cloud: str
    instance_type: str
    family: str | None
    retired: bool
    withdrawn: Withdrawal | None
    vcpus: float | None
    sustained_cpu: float | None
    memory_gib: float | None
    architecture: str | None
    cpu: str | None
    cpu_vendor: str | None
    accelerator: AcceleratorsOfType | None
    interconnect: str | None
    network_gbps: float | None
    local_disk_gb: float | None
    local_disk_type: str | None
    lowest_usd_per_hour: Prices


@dataclass(frozen=True)
class InstanceTypeDetail(InstanceTypeItem):
    """An instance type with its prices, by region and purchase option."""

    offers: tuple[PriceRecord, ...]


@blueprint.get("/v1/instance-types")
@collection("catalog", InstanceTypeItem, QUERY, EXAMPLES["instance_types"], STATUSES)
def list_instance_types() -> Response:
    """Instance types, with a filter for every attribute of their hardware."""
    found = service()
    listing = listing_of(request, QUERY, lambda listing: found.names.faults(listing.filters, besides=(NONE,)))
    prices = book_of(listing.snapshot).prices
    lister = partial(_items, of_instance_types(found.catalog, prices.offers))
    return paged(request, listing, prices.version, lister, {PARAMETER: prices.version})


@blueprint.get("/v1/instance-types/<cloud>/<name>")
@operation(
    "catalog",
    validated=True,
    answers=InstanceTypeDetail,
    beside=REPLAY,
    problems=(406, 422, *STATUSES),
    paths={"cloud": "The catalog's cloud, such as `aws`.", "name": "The provider's own name, such as `p3.2xlarge`."},
    example=EXAMPLES["instance_type"],
)
def show_instance_type(cloud: str, name: str) -> Response:
    """One instance type with its offers by region and purchase option."""
    form = chosen(request, ONLY_JSON)
    book, faults = asked_at(request)
    if faults:
        raise Refused(faults)
    found = service()
    facts = _item(found.catalog, row_of(cloud, name), of_instance_types(found.catalog, book.prices.offers))
    offers = book.lookup(PriceFilter(facts.cloud, instance_type=facts.instance_type), limit=MOST_ITEMS).items
    return answer(form, InstanceTypeDetail(**vars(facts), offers=offers), found.catalog)


def _items(prices: Sequence[Prices], filters: dict[str, Any], window: Window) -> tuple[Sequence[InstanceTypeItem], int]:
    found = service()
    rows = _matching(found.catalog, found.names, filters)
    return [_item(found.catalog, int(row), prices) for row in rows[window.offset : window.end]], len(rows)


def row_of(cloud: str, name: str) -> int:
    """The row of that name; raises ``NotFound`` with similar names."""
    names, types = service().names, service().catalog.instance_types
    own_cloud = names.find("cloud", cloud)
    if own_cloud is None:
        raise NotFound(names.unknown("cloud", cloud))
    own_name = names.find("instance_type", name)
    for row, other in enumerate(types.name):
        if other == own_name and types.cloud[row] == own_cloud:
            return row
    raise NotFound(f"{own_cloud} has no such instance type: {names.unknown('instance_type', name)}")


def _item(catalog: Catalog, row: int, prices: Sequence[Prices]) -> InstanceTypeItem:
    types, processor = catalog.instance_types, int(catalog.instance_types.processor[row])
    return item_of(
        InstanceTypeItem,
        types,
        row,
        instance_type=types.name[row],
        cpu=None if processor < 0 else catalog.processors.name[processor],
        accelerator=_accelerators(catalog, row),
        withdrawn=_withdrawal(catalog, row),
        lowest_usd_per_hour=prices[row],
    )


def _withdrawal(catalog: Catalog, row: int) -> Withdrawal | None:
    place, table = int(catalog.instance_types.withdrawn[row]), catalog.withdrawn
    if place < 0:
        return None
    return Withdrawal(table.status[place] or "", table.since[place] or None, table.source[place], table.as_of[place])


def _accelerators(catalog: Catalog, row: int) -> AcceleratorsOfType | None:
    types = catalog.instance_types
    accelerator = int(types.accelerator[row])
    if accelerator < 0:
        return None
    count, memory = float(types.accelerator_count[row]), known(types.accelerator_memory_gib[row])
    return AcceleratorsOfType(catalog.accelerators.name[accelerator], count, memory)


def _matching(catalog: Catalog, names: CatalogNames, filters: dict[str, Any]) -> Ints:
    """The rows that pass all filters; an unknown figure passes none. The names in them are known."""
    types = catalog.instance_types
    passes = np.ones(len(types), dtype=np.bool_)
    for name in NAMED:
        if name in filters:
            passes &= _any_of(catalog, name, [names.find(name, word) for word in filters[name]])
    for name in MEASURES:
        column = _measure(types, name)
        passes &= column >= filters[f"min_{name}"] if f"min_{name}" in filters else True
        passes &= column <= filters[f"max_{name}"] if f"max_{name}" in filters else True
    if "retired" in filters:
        passes &= types.retired == filters["retired"]
    if "q" in filters:
        part = filters["q"].lower()
        passes &= np.fromiter((part in name.lower() for name in types.name), np.bool_, len(types))
    return np.flatnonzero(passes).astype(np.int32)


def _any_of(catalog: Catalog, kind: str, words: list[str | None]) -> Flags:
    """The rows with one of the words; ``None`` stands for ``none``: machines without."""
    types = catalog.instance_types
    if kind == "accelerator":
        column = types.accelerator
        codes = [-1 if word is None else catalog.accelerators.name.index(word) for word in words]
    elif kind == "cpu":
        column, table = types.processor, catalog.processors
        codes = [row for row, name in enumerate(table.name) if name in words or table.microarchitecture[row] in words]
    else:
        coded: Coded = getattr(types, kind)
        column = coded.codes
        codes = [-1 if word is None else coded.code_of(word) for word in words]
    return np.isin(column, codes)


def _measure(types: InstanceTypes, name: str) -> Floats:
    """The column for ``min_`` and ``max_``; a machine without accelerators has 0 GiB of their memory."""
    column: Floats = getattr(types, name)
    return np.where(types.accelerator < 0, 0.0, column) if name == "accelerator_memory_gib" else column
