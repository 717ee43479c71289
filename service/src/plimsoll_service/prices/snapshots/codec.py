"""A table of prices as bytes, which are small and depend on the content alone. Unsound tables are refused."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from ... import columns_file
from ...columns_file import NotColumns
from ...engine.hardware import CONFIDENCES, PURCHASE_NAMES, Coded
from . import moments
from .table import KEYS, CoverageColumns, OfferColumns, PriceTable, VolumeColumns, ranks

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
# What a worker reads from Redis, where anything could be. Half a million offers take 16 and 40 MiB.
MOST_BYTES = 24 << 20  # as they are stored
MOST_UNPACKED_BYTES = 48 << 20
MOST_WORD_BYTES = 4 << 20  # of all words: each becomes an object of some fifty bytes


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
    hour, rates, gib = table.offers.usd_per_hour, table.offers.interruptions_per_hour, table.volumes.usd_per_gib_month
    accepted = table.offers.accepted_usd_per_hour
    above_0, month = "a price that is not above 0 and at most", HIGHEST_USD_PER_MONTH
    checks = [
        ("offers.usd_per_hour", (hour > 0) & (hour <= HIGHEST_USD_PER_HOUR), f"{above_0} {HIGHEST_USD_PER_HOUR:,.0f}"),
        (
            "offers.accepted_usd_per_hour",
            np.isnan(accepted) | ((accepted > 0) & (accepted < np.inf)),
            "a price that is not above 0",
        ),
        ("offers.interruptions_per_hour", np.isnan(rates) | ((rates >= 0) & (rates < np.inf)), "a figure below 0"),
        ("volumes.usd_per_gib_month", (gib > 0) & (gib <= month), f"{above_0} {month:,.0f}"),
    ]
    for name in ("usd_per_iops_month", "usd_per_mib_s_month"):
        part = getattr(table.volumes, name)
        sound = np.isnan(part) | ((part >= 0) & (part <= month))
        checks.append((f"volumes.{name}", sound, f"a price that is not from 0 to {month:,.0f}"))
    for name, sound, fault in checks:
        if not sound.all():
            yield f"{name} has {fault}"


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
        if len(content) > MOST_BYTES:
            raise NotColumns(f"has more than {MOST_BYTES} bytes")
        arrays = columns_file.unpack(content, MOST_UNPACKED_BYTES)
        if sum(array.nbytes for key, array in arrays.items() if key.endswith(".words")) > MOST_WORD_BYTES:
            raise NotColumns(f"has more than {MOST_WORD_BYTES} bytes of words")
        _complete(arrays)
        table = PriceTable(**columns_file.tables_of(SECTIONS, arrays))
    except NotColumns as error:
        raise SnapshotError([f"is not a price snapshot: {error}"]) from error
    _check(table)
    return table


def _complete(arrays: dict[str, Any]) -> None:
    """Add the columns that snapshots of earlier versions lack."""
    if {"offers.usd_per_hour", "offers.current"} <= arrays.keys():
        arrays.setdefault("offers.accepted_usd_per_hour", np.full(arrays["offers.usd_per_hour"].shape, np.nan))
        arrays.setdefault("offers.named", arrays["offers.current"])


def digest(content: bytes) -> str:
    """The name of these bytes: their SHA-256."""
    return hashlib.sha256(content).hexdigest()


def _check(table: PriceTable) -> None:
    if faults := faults_of(table):
        raise SnapshotError(faults)
