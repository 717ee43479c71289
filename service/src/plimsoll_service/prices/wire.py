"""Pages of prices as JSON bytes; what comes back from a store is believed only after a check of its shape."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter

import orjson

from plimsoll_service.engine.hardware import CONFIDENCES, PURCHASE_NAMES
from plimsoll_service.prices.source import PricePage, PriceRecord

_COLUMNS = [field.name for field in fields(PriceRecord)]
_values = attrgetter(*_COLUMNS)


def dump(key: str, page: PricePage) -> bytes:
    """The page, with the key that it is kept under."""
    return orjson.dumps({"key": key, "columns": _COLUMNS, "total": page.total, "rows": list(map(_values, page.items))})


def load(key: str, value: bytes) -> PricePage | None:
    """The page kept under ``key``, or ``None`` where the bytes are anything else."""
    try:
        document = orjson.loads(value)
    except orjson.JSONDecodeError:
        return None
    match document:
        case {"key": str(kept), "columns": list(columns), "total": int(total), "rows": list(rows)} if (
            kept == key and columns == _COLUMNS and total is not True and total >= len(rows) and all(map(_is_row, rows))
        ):
            return PricePage(tuple(PriceRecord(*row) for row in rows), total)
        case _:
            return None


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
        ]:
            return purchase in PURCHASE_NAMES and confidence in CONFIDENCES and usd_per_hour > 0
        case _:
            return False
