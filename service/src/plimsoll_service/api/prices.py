"""``/v1/prices``: what a machine costs, where, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from flask import Blueprint, Response, request

from ..prices.source import PricePage, PriceRecord
from .examples import PRICES
from .flat import FlatQuery
from .formats.registry import COLLECTION
from .observation import phase
from .operation import operation
from .pages import Window, listing_of, paged
from .replay import PARAMETER, STATUSES, book_of
from .schemas.collections import PriceListingSchema
from .service import service

blueprint = Blueprint("prices", __name__)
QUERY = FlatQuery(PriceListingSchema())
_NAMES = ("cloud", "region", "instance_type")


@blueprint.get("/v1/prices")
@operation(
    "prices",
    validated=True,
    answers=PriceRecord,
    query=QUERY,
    formats=tuple(COLLECTION),
    problems=(406, 422, *STATUSES),
    example=PRICES,
)
def list_prices() -> Response:
    """Prices by cloud, region, instance type and purchase option; each may be left out."""
    found = service()
    listing = listing_of(request, QUERY, lambda listing: found.names.faults(listing.filters))
    book = book_of(listing.snapshot)
    version = book.prices.version
    # Lookups may know a price of just now, which is not the snapshot's.
    lookup = partial(found.lookups.lookup, book) if listing.snapshot is None else book.lookup
    return paged(request, listing, version, partial(_records, lookup), {PARAMETER: version})


def _records(
    lookup: Callable[..., PricePage], filters: dict[str, Any], window: Window
) -> tuple[Sequence[PriceRecord], int]:
    names = service().names
    own = {kind: names.find(kind, name) if kind in _NAMES else name for kind, name in filters.items()}
    with phase("lookup"):
        page = lookup(**own, offset=window.offset, limit=window.limit)
    return page.items, page.total
