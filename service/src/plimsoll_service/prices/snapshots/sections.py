"""The sections of a price table as wholes: cut, stacked, put in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.hardware import Coded, Flags, Ints
from plimsoll_service.prices.snapshots.coding import canonical, coded, joined, ranked
from plimsoll_service.prices.snapshots.table import CoverageColumns, OfferColumns, VolumeColumns

Section = TypeVar("Section", OfferColumns, VolumeColumns, CoverageColumns)
# The columns by which a section is sorted, and that no two rows have in common.
KEYS: dict[type, tuple[str, ...]] = {
    OfferColumns: ("cloud", "instance_type", "region", "purchase"),
    VolumeColumns: ("cloud", "product", "region"),
    CoverageColumns: ("cloud", "region", "purchase"),
}
_EMPTY: dict[str, Callable[[], Any]] = {
    "Coded": lambda: coded(()),
    "Floats": lambda: np.zeros(0),
    "Flags": lambda: np.zeros(0, dtype=np.bool_),
}


def empty(section: type[Section]) -> Section:
    """A section without rows."""
    return section(**{field.name: _EMPTY[str(field.type)]() for field in fields(section)})


def rows_of(section: Section, rows: Ints | Flags) -> Section:
    """Some rows of a section."""
    return _each(type(section), lambda name: _rows(getattr(section, name), rows))


def stacked(sections: Sequence[Section]) -> Section:
    """The rows of several sections in order; no two of them may have a key in common."""
    together = _each(type(sections[0]), lambda name: _stacked([getattr(section, name) for section in sections]))
    return in_order(together)


def in_order(section: Section) -> Section:
    """The same rows, sorted by the section's key."""
    return rows_of(section, np.argsort(ranks(section), kind="stable").astype(np.int32))


def ranks(section: Section) -> NDArray[np.int64]:
    """One number a row, in the order of the section's key and equal for equal keys alone."""
    found: NDArray[np.int64] = ranked(key_of(section))[0]
    return found


def key_of(section: Section) -> tuple[Coded, ...]:
    """The columns that tell a section's rows apart."""
    return tuple(getattr(section, name) for name in KEYS[type(section)])


def _each(section: type[Section], column: Callable[[str], Any]) -> Section:
    return section(**{field.name: column(field.name) for field in fields(section)})


def _rows(column: Any, rows: Ints | Flags) -> Any:
    return canonical(Coded(column.codes[rows], column.words)) if isinstance(column, Coded) else column[rows]


def _stacked(columns: Sequence[Any]) -> Any:
    return joined(columns) if isinstance(columns[0], Coded) else np.concatenate(columns)
