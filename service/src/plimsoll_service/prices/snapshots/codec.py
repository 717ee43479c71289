"""A table of prices as bytes, which are small and depend on the content alone. Unsound tables are refused."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from plimsoll_service import columns_file
from plimsoll_service.columns_file import NotColumns
from plimsoll_service.engine.hardware import CONFIDENCES, PURCHASE_NAMES, Coded, Flags, Floats
from plimsoll_service.prices.snapshots import moments
from plimsoll_service.prices.snapshots.table import (
    KEYS,
    CoverageColumns,
    OfferColumns,
    PriceTable,
    VolumeColumns,
    ranks,
)

MAY_BE_UNKNOWN = frozenset({"as_of"})
ALLOWED_WORDS = {"purchase": PURCHASE_NAMES, "confidence": CONFIDENCES}
# A hundred times the most expensive machine (512 USD): a higher price has a wrong unit.
HIGHEST_USD_PER_HOUR = 50_000.0
# A fiftieth of the cheapest machine (0.00053 USD): a lower price would be shown as nearly 0.
LOWEST_USD_PER_HOUR = 1e-5
# A volume's GiB costs cents to dollars a month.
LOWEST_USD_PER_MONTH, HIGHEST_USD_PER_MONTH = 1e-5, 1_000.0
SECTIONS: dict[str, type] = {"offers": OfferColumns, "volumes": VolumeColumns, "coverage": CoverageColumns}
COMPRESSION_LEVEL = 6


def faults_of(table: PriceTable) -> list[str]:
    """All faults of a table."""
    shape = [fault for name in SECTIONS for fault in _lengths(name, getattr(table, name))]
    if not len(table.offers):
        shape.append("offers is empty")
    if shape:
        return shape  # the other checks need columns of equal length
    words = [fault for name in SECTIONS for fault in _words(name, getattr(table, name))]
    if words:
        return words
    return [
        *(fault for name in SECTIONS for fault in _order(name, getattr(table, name))),
        *_figures(table),
        *_moments(table),
    ]


def _lengths(name: str, section: Any) -> Iterator[str]:
    for field in fields(section):
        column = getattr(section, field.name)
        shape = (column.codes if isinstance(column, Coded) else column).shape
        if shape != (len(section),):
            yield f"{name}.{field.name} has shape {shape}, not {(len(section),)}"


def _words(name: str, section: Any) -> Iterator[str]:
    for field in fields(section):
        column = getattr(section, field.name)
        if not isinstance(column, Coded):
            continue
        lowest = -1 if field.name in MAY_BE_UNKNOWN else 0
        if not ((column.codes >= lowest) & (column.codes < len(column.words))).all():
            yield f"{name}.{field.name} has a code outside its words"
        if not all(column.words) or list(column.words) != sorted(set(column.words)):
            yield f"{name}.{field.name} has words that are empty, twice there or not sorted"
        for word in set(column.words) - set(ALLOWED_WORDS.get(field.name, column.words)):
            yield f"{name}.{field.name} has the unknown word {word!r}"


def _order(name: str, section: Any) -> Iterator[str]:
    if not (np.diff(ranks(section)) > 0).all():
        yield f"{name} are not sorted by {', '.join(KEYS[type(section)])}, or have one of them twice"


def _figures(table: PriceTable) -> Iterator[str]:
    offers, volumes = table.offers, table.volumes
    if not _within(offers.usd_per_hour, HIGHEST_USD_PER_HOUR, above=True).all():
        yield f"offers.usd_per_hour has a price that is not above 0 and at most {HIGHEST_USD_PER_HOUR:,.0f}"
    rates = offers.interruptions_per_hour
    if not (np.isnan(rates) | (np.isfinite(rates) & (rates >= 0))).all():
        yield "offers.interruptions_per_hour has a figure below 0"
    if not _within(volumes.usd_per_gib_month, HIGHEST_USD_PER_MONTH, above=True).all():
        yield f"volumes.usd_per_gib_month has a price that is not above 0 and at most {HIGHEST_USD_PER_MONTH:,.0f}"
    for name in ("usd_per_iops_month", "usd_per_mib_s_month"):
        column = getattr(volumes, name)
        if not (np.isnan(column) | _within(column, HIGHEST_USD_PER_MONTH, above=False)).all():
            yield f"volumes.{name} has a price that is not from 0 to {HIGHEST_USD_PER_MONTH:,.0f}"


def _within(column: Floats, highest: float, *, above: bool) -> Flags:
    return ((column > 0) if above else (column >= 0)) & (column <= highest)


def _moments(table: PriceTable) -> Iterator[str]:
    for name in ("fetched_at", "fresh_until"):
        for word in getattr(table.coverage, name).words:
            if not moments.is_moment(word):
                yield f"coverage.{name} has {word!r}, which is no moment"


class SnapshotError(ValueError):
    """Bytes or a table that are no price snapshot, with all ``faults``."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


def dumps(table: PriceTable) -> bytes:
    """The table's bytes; raises ``SnapshotError`` for an unsound table."""
    _check(table)
    arrays = (pair for name in SECTIONS for pair in columns_file.arrays_of(name, getattr(table, name)))
    return columns_file.pack(arrays, COMPRESSION_LEVEL)


def loads(content: bytes) -> PriceTable:
    """The table that was written; raises ``SnapshotError`` for other bytes."""
    try:
        arrays = columns_file.unpack(content)
        missing = [key for name, table in SECTIONS.items() for key in columns_file.keys_of(name, table)]
        missing = [key for key in missing if key not in arrays]
        if missing:
            raise SnapshotError([f"has no {', '.join(missing)}"])
        sections: dict[str, Any] = {
            name: columns_file.table_of(name, table, arrays) for name, table in SECTIONS.items()
        }
    except NotColumns as error:
        raise SnapshotError([f"is not a price snapshot: {error}"]) from error
    table = PriceTable(**sections)
    _check(table)
    return table


def digest(content: bytes) -> str:
    """The name of these bytes: their SHA-256."""
    return hashlib.sha256(content).hexdigest()


def _check(table: PriceTable) -> None:
    faults = faults_of(table)
    if faults:
        raise SnapshotError(faults)
