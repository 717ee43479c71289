"""``/v1/prices``: what a machine costs, where, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from flask import Blueprint, Response, request

from ..prices.source import PriceBook, PriceRecord
from .flat import FlatQuery
from .formats.registry import COLLECTION
from .operation import operation
from .pages import Window, listed
from .schemas.collections import PriceListingSchema
from .service import service

blueprint = Blueprint("prices", __name__)
QUERY = FlatQuery(PriceListingSchema())
_NAMES = ("cloud", "region", "instance_type")


@blueprint.get("/v1/prices")
@operation("prices", answers=PriceRecord, query=QUERY, formats=tuple(COLLECTION), problems=(406, 422))
def list_prices() -> Response:
    """Prices by cloud, region, instance type and purchase option; each may be left out."""
    found = service()
    book = found.prices.current()
    return listed(
        request,
        QUERY,
        book.prices.version,
        partial(_records, book),
        lambda listing: found.names.faults(listing.filters),
    )


def _records(book: PriceBook, filters: dict[str, Any], window: Window) -> tuple[Sequence[PriceRecord], int]:
    found = service()
    own = {kind: found.names.find(kind, name) if kind in _NAMES else name for kind, name in filters.items()}
    page = found.lookups.lookup(book, **own, offset=window.offset, limit=window.limit)
    return page.items, page.total
