"""All prices of one moment by name, as columns that are cut, stacked and sorted as wholes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.hardware import Coded, Flags, Floats, Ints


@dataclass(frozen=True, eq=False)
class OfferColumns:
    """Offers as in ``engine.hardware.Offers``, by name; sorted by cloud, instance type, region, purchase option."""

    cloud: Coded
    instance_type: Coded
    region: Coded
    purchase: Coded
    usd_per_hour: Floats
    current: Flags
    interruptions_per_hour: Floats  # of one machine on spot; NaN where nobody states it
    as_of: Coded
    source: Coded
    confidence: Coded

    def __len__(self) -> int:
        return len(self.cloud)


@dataclass(frozen=True, eq=False)
class VolumeColumns:
    """Prices of volume products by region; NaN where that part is not sold apart."""

    cloud: Coded
    product: Coded
    region: Coded
    usd_per_gib_month: Floats
    usd_per_iops_month: Floats
    usd_per_mib_s_month: Floats
    as_of: Coded
    source: Coded
    confidence: Coded

    def __len__(self) -> int:
        return len(self.cloud)


@dataclass(frozen=True, eq=False)
class CoverageColumns:
    """What feeds have answered for: the offers of a cloud, region and purchase option are fresh until then (UTC)."""

    cloud: Coded
    region: Coded
    purchase: Coded
    source: Coded
    fetched_at: Coded
    fresh_until: Coded

    def __len__(self) -> int:
        return len(self.cloud)


@dataclass(frozen=True, eq=False)
class PriceTable:
    """The whole of a price snapshot."""

    offers: OfferColumns
    volumes: VolumeColumns
    coverage: CoverageColumns


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


def coded(values: Iterable[str | None]) -> Coded:
    """A column of these words, ``None`` being unknown."""
    codes: dict[str, int] = {}
    column = [-1 if value is None else codes.setdefault(value, len(codes)) for value in values]
    return canonical(Coded(np.array(column, dtype=np.int32), tuple(codes)))


def canonical(column: Coded) -> Coded:
    """The same column with its words sorted, each there once and used."""
    used = {column.words[code] for code in np.flatnonzero(np.bincount(column.codes + 1)[1:]).tolist()}
    words = tuple(sorted(used))
    return Coded(places(column, {word: place for place, word in enumerate(words)}), words)


def joined(columns: Sequence[Coded]) -> Coded:
    """Columns one below the other."""
    words = sorted({word for column in columns for word in column.words})
    place_by_word = {word: place for place, word in enumerate(words)}
    codes = np.concatenate([places(column, place_by_word) for column in columns])
    return canonical(Coded(codes, tuple(words)))


def places(column: Coded, place_by_word: Mapping[str, int]) -> Ints:
    """For each row the place of its word; -1 where the word has none or is unknown."""
    place = np.array([*(place_by_word.get(word, -1) for word in column.words), -1], dtype=np.int32)
    found: Ints = place[column.codes]
    return found


def rows_named(cloud: Coded, name: Sequence[str], in_cloud: Coded, named: Coded) -> Ints:
    """For each pair of a cloud and a name the row of the table (its clouds, its names) that has both; -1 for none."""
    table = np.full((len(in_cloud.words), len(named.words)), -1, dtype=np.int32)
    own_cloud = places(cloud, {word: code for code, word in enumerate(in_cloud.words)})
    code_by_name = {word: code for code, word in enumerate(named.words)}
    own_name = np.array([code_by_name.get(word, -1) for word in name], dtype=np.int32)
    known = np.flatnonzero((own_cloud >= 0) & (own_name >= 0)).astype(np.int32)
    table[own_cloud[known], own_name[known]] = known
    found: Ints = table[in_cloud.codes, named.codes]
    return found


def ranked(*keys: Sequence[Coded]) -> list[NDArray[np.int64]]:
    """For each of several tables' key columns one number a row: equal where the words are, in any of the tables."""
    ranks = [np.zeros(len(columns[0]), dtype=np.int64) for columns in keys]
    for column in zip(*keys, strict=True):
        words = sorted({word for part in column for word in part.words})
        place_by_word = {word: place for place, word in enumerate(words)}
        ranks = [
            rank * max(1, len(words)) + places(part, place_by_word) for rank, part in zip(ranks, column, strict=True)
        ]
    return ranks


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
