"""``/v1/prices/changes``: what became dearer, cheaper, new or unavailable from one price snapshot to another."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from flask import Blueprint, Response, request

from ..engine.hardware import PURCHASE_NAMES, Catalog, Flags, Ints
from ..prices.changes import Changes, changes
from .flat import FlatQuery
from .formats.registry import COLLECTION
from .instance_type_items import known
from .operation import operation
from .pages import Window, listing_of, paged
from .replay import STATUSES, book_of
from .schemas.collections import PriceChangeListingSchema
from .service import service

blueprint = Blueprint("price_changes", __name__)
QUERY = FlatQuery(PriceChangeListingSchema())


@dataclass(frozen=True, slots=True)
class PriceChange:
    """An offer whose price in USD for one machine and hour is another, or that is sold in one of the snapshots alone.

    What it is not sold at is null, and so is the percentage then.
    """

    cloud: str
    region: str
    instance_type: str
    purchase: str
    change: Literal["added", "removed", "changed"]
    from_usd_per_hour: float | None
    to_usd_per_hour: float | None
    percent: float | None


@blueprint.get("/v1/prices/changes")
@operation(
    "prices",
    validated=True,
    answers=PriceChange,
    query=QUERY,
    formats=tuple(COLLECTION),
    problems=(406, 422, *STATUSES),
)
def list_price_changes() -> Response:
    """What differs between two price snapshots: the largest changes first, then what was added or removed."""
    found = service()
    listing = listing_of(request, QUERY, lambda listing: found.names.faults(listing.filters))
    before = book_of(listing.filters["from"]).prices
    after = book_of(listing.filters.get("to")).prices
    lister = partial(_items, changes(found.catalog, before.offers, after.offers))
    pins = {"from": before.version, "to": after.version}
    return paged(request, listing, f"{before.version}..{after.version}", lister, pins)


def _items(all_changes: Changes, filters: dict[str, Any], window: Window) -> tuple[Sequence[PriceChange], int]:
    catalog = service().catalog
    rows = np.flatnonzero(_matching(catalog, all_changes, filters))
    return [_item(catalog, all_changes, row) for row in rows[window.offset : window.end].tolist()], len(rows)


def _matching(catalog: Catalog, found: Changes, filters: dict[str, Any]) -> Flags:
    types = catalog.instance_types
    columns: dict[str, tuple[Ints, Collection[str | None]]] = {
        "cloud": (found.instance_type, [types.cloud[row] for row in range(len(types))]),
        "region": (found.region, catalog.regions.name),
        "instance_type": (found.instance_type, types.name),
        "purchase": (found.purchase, PURCHASE_NAMES),
    }
    passes = np.ones(len(found), dtype=np.bool_)
    for name, (codes, words) in columns.items():
        if name in filters:
            wanted = _own_words(name, filters[name])
            passes &= np.fromiter((word in wanted for word in words), np.bool_, len(words))[codes]
    if "change" in filters:
        passes &= np.isin(_kinds(found), filters["change"])
    if "min_percent" in filters:
        passes &= np.abs(found.percent) >= filters["min_percent"]
    return passes


def _own_words(name: str, words: Collection[str]) -> set[str | None]:
    return set(words) if name == "purchase" else {service().names.find(name, word) for word in words}


def _kinds(found: Changes) -> Any:
    return np.select([np.isnan(found.before), np.isnan(found.after)], ["added", "removed"], "changed")


def _item(catalog: Catalog, found: Changes, row: int) -> PriceChange:
    kind, before, after = int(found.instance_type[row]), known(found.before[row]), known(found.after[row])
    return PriceChange(
        cloud=catalog.instance_types.cloud[kind] or "",
        region=catalog.regions.name[found.region[row]],
        instance_type=catalog.instance_types.name[kind],
        purchase=PURCHASE_NAMES[found.purchase[row]],
        change="added" if before is None else "removed" if after is None else "changed",
        from_usd_per_hour=before,
        to_usd_per_hour=after,
        percent=known(found.percent[row]),
    )
