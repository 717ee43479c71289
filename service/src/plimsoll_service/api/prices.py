"""``/v1/prices``, the changes between two price snapshots, and the list of snapshots."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from flask import Blueprint, Response, request

from ..engine.hardware import PURCHASE_NAMES, Catalog, Flags, Ints
from ..prices.changes import Changes, changes
from ..prices.source import KeptSnapshot, PriceFilter, PricePage, PriceRecord
from .data_files import EXAMPLES
from .flat import FlatQuery
from .operation import collection
from .pages import Window, known, listed, listing_of, paged, windowed
from .replay import PARAMETER, STATUSES, book_of
from .request_record import phase
from .schemas import collections
from .service import service

blueprint = Blueprint("prices", __name__)
QUERY = FlatQuery(collections.PRICES)
CHANGES = FlatQuery(collections.PRICE_CHANGES)
SNAPSHOTS = FlatQuery(collections.ANY)
_NAMES = ("cloud", "region", "instance_type")


@dataclass(frozen=True, slots=True)
class PriceChange:
    """An offer with different prices in the two snapshots (USD per machine and hour), or sold in only one of them.

    The price of the snapshot that does not sell it is null, and so is the percentage.
    """

    cloud: str
    region: str
    instance_type: str
    purchase: str
    change: Literal["added", "removed", "changed"]
    from_usd_per_hour: float | None
    to_usd_per_hour: float | None
    percent: float | None


@blueprint.get("/v1/prices")
@collection("prices", PriceRecord, QUERY, EXAMPLES["prices"], STATUSES)
def list_prices() -> Response:
    """Prices by cloud, region, instance type and purchase option; each may be left out."""
    found = service()
    listing = listing_of(request, QUERY, lambda listing: found.names.faults(listing.filters))
    book = book_of(listing.snapshot)
    version = book.prices.version
    # Lookups may have current prices, which are not the snapshot's.
    lookup = partial(found.lookups.lookup, book) if listing.snapshot is None else book.lookup
    return paged(request, listing, version, partial(_records, lookup), {PARAMETER: version})


@blueprint.get("/v1/prices/changes")
@collection("prices", PriceChange, CHANGES, None, STATUSES)
def list_price_changes() -> Response:
    """Differences between two price snapshots: the largest changes first, then additions and removals."""
    found = service()
    listing = listing_of(request, CHANGES, lambda listing: found.names.faults(listing.filters))
    before = book_of(listing.filters["from"]).prices
    after = book_of(listing.filters.get("to")).prices
    lister = partial(_changes, changes(found.catalog, before.offers, after.offers))
    pins = {"from": before.version, "to": after.version}
    return paged(request, listing, f"{before.version}..{after.version}", lister, pins)


@blueprint.get("/v1/prices/snapshots")
@collection("prices", KeptSnapshot, SNAPSHOTS, EXAMPLES["few"])
def list_price_snapshots() -> Response:
    """Price snapshots for the parameter `snapshot`, newest first."""
    kept = service().prices.kept()
    # Each new snapshot changes the list, whose first entry is its version.
    return listed(request, SNAPSHOTS, kept[0].version if kept else "", windowed(kept))


def _records(
    lookup: Callable[..., PricePage], filters: dict[str, Any], window: Window
) -> tuple[Sequence[PriceRecord], int]:
    names = service().names
    own = {kind: names.find(kind, name) if kind in _NAMES else name for kind, name in filters.items()}
    with phase("lookup"):
        page = lookup(PriceFilter(**own), offset=window.offset, limit=window.limit)
    return page.items, page.total


def _changes(found: Changes, filters: dict[str, Any], window: Window) -> tuple[Sequence[PriceChange], int]:
    catalog = service().catalog
    rows = np.flatnonzero(_matching(catalog, found, filters))
    return [_change(catalog, found, row) for row in rows[window.offset : window.end].tolist()], len(rows)


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
            wanted = {word if name == "purchase" else service().names.find(name, word) for word in filters[name]}
            passes &= np.fromiter((word in wanted for word in words), np.bool_, len(words))[codes]
    if "change" in filters:
        kinds = np.select([np.isnan(found.before), np.isnan(found.after)], ["added", "removed"], "changed")
        passes &= np.isin(kinds, filters["change"])
    if "min_percent" in filters:
        passes &= np.abs(found.percent) >= filters["min_percent"]
    return passes


def _change(catalog: Catalog, found: Changes, row: int) -> PriceChange:
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
