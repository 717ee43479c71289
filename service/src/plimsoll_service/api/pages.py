"""Pages of collections: filters, windows, and the link to the next page."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, TypeVar
from urllib.parse import urlencode

import numpy as np
from flask import Request, Response

from ..engine.faults import Fault, Refused
from .flat import FlatQuery
from .formats import COLLECTION
from .loading import Judge
from .negotiate import PARAMETER, answer, chosen
from .schemas.collections import Listing
from .service import service

CURSOR = "cursor"
_MOST_OFFSET_DIGITS = 9
Item = TypeVar("Item")


@dataclass(frozen=True)
class Page:
    """Some of ``total`` items; ``next`` is the address of the next page."""

    items: tuple[Any, ...]
    total: int
    next: str | None


@dataclass(frozen=True)
class Window:
    """The items of a page, in a version of the collection."""

    offset: int
    limit: int
    version: str

    @property
    def end(self) -> int:
        """The offset after the window."""
        return self.offset + self.limit


Lister = Callable[[dict[str, Any], Window], tuple[Sequence[Any], int]]


def listed(request: Request, query: FlatQuery, version: str, lister: Lister, judge: Judge = lambda _: ()) -> Response:
    """The requested page in the requested format; raises ``Refused`` with all faults."""
    return paged(request, listing_of(request, query, judge), version, lister)


def paged(
    request: Request, listing: Listing, version: str, lister: Lister, pins: Mapping[str, str] = MappingProxyType({})
) -> Response:
    """The page of a collection in a version; ``pins`` are parameters that keep the next pages at this version."""
    form = chosen(request, COLLECTION)
    window = Window(_offset(listing.cursor, version), listing.limit, version)
    items, total = lister(listing.filters, window)
    page = Page(tuple(items), total, _next(request, window, pins) if window.end < total else None)
    return answer(form, page, service().catalog)


def windowed(items: Sequence[Any]) -> Lister:
    """A lister over all items of a small collection; filters are of the attributes of their names, in any case."""

    def lister(filters: dict[str, Any], window: Window) -> tuple[Sequence[Any], int]:
        found = [one for one in items if all(_allowed(getattr(one, name), like) for name, like in filters.items())]
        return found[window.offset : window.end], len(found)

    return lister


def item_of(kind: type[Item], table: Any, row: int, **own: Any) -> Item:
    """A row of a table as an item: each field from the column of its name, or as given."""
    return kind(**{name: _plain(getattr(table, name)[row]) for name in _others(kind, own)}, **own)


def as_item(kind: type[Item], value: Any, **own: Any) -> Item:
    """A value as an item: each field from the attribute of its name, or as given."""
    return kind(**{name: getattr(value, name) for name in _others(kind, own)}, **own)


def _others(kind: type[Any], own: Mapping[str, Any]) -> list[str]:
    """Names of the fields of an item that are not given."""
    return [field.name for field in fields(kind) if field.name not in own]


def known(value: float) -> float | None:
    """The number, or ``None`` where it is unknown."""
    return None if math.isnan(value) else float(value)


def _plain(value: Any) -> Any:
    if isinstance(value, np.floating):
        return known(float(value))
    return value.item() if isinstance(value, np.generic) else value


def listing_of(request: Request, query: FlatQuery, judge: Judge = lambda _: ()) -> Listing:
    """The request in the query parameters; raises ``Refused`` with all faults."""
    listing: Listing = query.load(request.args, judge, beside=(PARAMETER,))
    return listing


def _allowed(value: Any, wanted: Any) -> bool:
    if not isinstance(wanted, list):
        return bool(value == wanted)
    return str(value).lower() in {str(word).lower() for word in wanted}


def _next(request: Request, window: Window, pins: Mapping[str, str]) -> str:
    cursor = base64.urlsafe_b64encode(f"{window.version}:{window.end}".encode()).decode().rstrip("=")
    further = {**pins, CURSOR: cursor}
    kept = [(name, text) for name, text in request.args.items(multi=True) if name not in further]
    return f"{request.path}?{urlencode([*kept, *further.items()])}"


def _offset(cursor: str | None, version: str) -> int:
    """The offset in a cursor; raises ``Refused`` for an invalid cursor, or one of an older version."""
    if cursor is None:
        return 0
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        text = ""
    made_for, _, offset = text.rpartition(":")
    if not (offset.isascii() and offset.isdigit() and len(offset) <= _MOST_OFFSET_DIGITS):
        raise Refused((Fault(CURSOR, "is no cursor: copy it from the next of the page before"),))
    if made_for != version:
        raise Refused((Fault(CURSOR, "is of an older version of the collection: start again without it"),))
    return int(offset)
