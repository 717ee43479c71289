"""Kept pages of prices as JSON bytes; what comes back from a store is believed only after a check of its shape."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter

import orjson

from plimsoll_service.engine.hardware import CONFIDENCES, PURCHASE_NAMES
from plimsoll_service.prices.lookups.cache import Kept
from plimsoll_service.prices.source import PricePage, PriceRecord

_COLUMNS = [field.name for field in fields(PriceRecord)]
_values = attrgetter(*_COLUMNS)


def dump(key: str, kept: Kept) -> bytes:
    """The page and when it was made, with the key that it is kept under."""
    rows = list(map(_values, kept.page.items))
    frame = {"key": key, "made_at": kept.made_at, "columns": _COLUMNS, "total": kept.page.total, "rows": rows}
    return orjson.dumps(frame)


def load(key: str, value: bytes) -> Kept | None:
    """The page kept under ``key``, or ``None`` where the bytes are anything else."""
    try:
        document = orjson.loads(value)
    except orjson.JSONDecodeError:
        return None
    match document:
        case {
            "key": str(named),
            "made_at": float(made_at),
            "columns": list(columns),
            "total": int(total),
            "rows": list(rows),
        } if named == key and columns == _COLUMNS and _is_total(total, rows) and all(map(_is_row, rows)):
            return Kept(PricePage(tuple(PriceRecord(*row) for row in rows), total), made_at)
        case _:
            return None


def _is_total(total: int, rows: list[object]) -> bool:
    return total is not True and total >= len(rows)


def _is_row(row: object) -> bool:
    """Whether these are a record's values, in the order of its fields."""
    match row:
        case [
            str(),
            str(),
            str(),
            str(purchase),
            float(usd_per_hour),
            str() | None,
            str(),
            bool(),
            str(confidence),
            bool(),
            float() | None,
        ]:
            return purchase in PURCHASE_NAMES and confidence in CONFIDENCES and usd_per_hour > 0
        case _:
            return False
