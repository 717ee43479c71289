"""``/v1/prices/snapshots``: the prices that answers can be replayed from."""

from __future__ import annotations

from flask import Blueprint, Response, request

from ..prices.source import KeptSnapshot
from .examples import FEW
from .flat import FlatQuery
from .formats.registry import COLLECTION
from .operation import operation
from .pages import listed, windowed
from .schemas.collections import ListingSchema
from .service import service

blueprint = Blueprint("price_snapshots", __name__)
QUERY = FlatQuery(ListingSchema())


@blueprint.get("/v1/prices/snapshots")
@operation(
    "prices",
    validated=True,
    answers=KeptSnapshot,
    query=QUERY,
    formats=tuple(COLLECTION),
    problems=(406, 422),
    example=FEW,
)
def list_price_snapshots() -> Response:
    """Price snapshots that answers can be had from again, newest first."""
    kept = service().prices.kept()
    # With each snapshot that comes the list moves on; what it begins with tells one list from the next.
    return listed(request, QUERY, kept[0].version if kept else "", windowed(kept))
