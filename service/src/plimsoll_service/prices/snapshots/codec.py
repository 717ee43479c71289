"""A table of prices as bytes: small, a function of the content, and believed only when every promise holds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from plimsoll_service import columns_file
from plimsoll_service.columns_file import NotColumns
from plimsoll_service.prices.snapshots.soundness import faults_of
from plimsoll_service.prices.snapshots.table import CoverageColumns, OfferColumns, PriceTable, VolumeColumns

SECTIONS: dict[str, type] = {"offers": OfferColumns, "volumes": VolumeColumns, "coverage": CoverageColumns}
COMPRESSION_LEVEL = 6


class SnapshotError(ValueError):
    """Bytes or a table that are no price snapshot; ``faults`` says all that is wrong."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


def dumps(table: PriceTable) -> bytes:
    """The table's bytes; raises ``SnapshotError`` rather than write what could not be read."""
    _check(table)
    arrays = (pair for name in SECTIONS for pair in columns_file.arrays_of(name, getattr(table, name)))
    return columns_file.pack(arrays, COMPRESSION_LEVEL)


def loads(content: bytes) -> PriceTable:
    """The table that was written; raises ``SnapshotError`` for anything else."""
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
