"""All prices of one moment by name, as columns: made, cut, stacked and sorted section by section."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...engine.hardware import Coded, Flags, Floats, Ints


@dataclass(frozen=True, eq=False)
class _Columns:
    cloud: Coded

    def __len__(self) -> int:
        return len(self.cloud)


@dataclass(frozen=True, eq=False)
class OfferColumns(_Columns):
    """Offers as in ``engine.hardware.Offers``, by name; sorted by cloud, instance type, region, purchase option."""

    instance_type: Coded
    region: Coded
    purchase: Coded
    usd_per_hour: Floats
    accepted_usd_per_hour: Floats  # in the bundled or the last accepted list; NaN if it is the price itself
    current: Flags
    named: Flags  # by the last list of its place; others keep an older price
    interruptions_per_hour: Floats  # of one spot machine; NaN if unknown
    as_of: Coded
    source: Coded
    confidence: Coded


def accepted_prices(offers: OfferColumns) -> Floats:
    """The price of each offer from which drift is measured."""
    own = offers.accepted_usd_per_hour
    return np.where(np.isnan(own), offers.usd_per_hour, own)


@dataclass(frozen=True, eq=False)
class VolumeColumns(_Columns):
    """Prices of volume products by region; NaN for a part that is not sold separately."""

    product: Coded
    region: Coded
    usd_per_gib_month: Floats
    usd_per_iops_month: Floats
    usd_per_mib_s_month: Floats
    as_of: Coded
    source: Coded
    confidence: Coded


@dataclass(frozen=True, eq=False)
class CoverageColumns(_Columns):
    """Coverage of the feeds: offers of a cloud, region and purchase option are fresh until a moment (UTC)."""

    region: Coded
    purchase: Coded
    source: Coded
    fetched_at: Coded
    fresh_until: Coded


@dataclass(frozen=True, eq=False)
class PriceTable:
    """All sections of a price snapshot."""

    offers: OfferColumns
    volumes: VolumeColumns
    coverage: CoverageColumns


Section = TypeVar("Section", OfferColumns, VolumeColumns, CoverageColumns)
# The columns that a section is sorted by. No two rows have the same values in them.
KEYS: dict[type, tuple[str, ...]] = {
    OfferColumns: ("cloud", "instance_type", "region", "purchase"),
    VolumeColumns: ("cloud", "product", "region"),
    CoverageColumns: ("cloud", "region", "purchase"),
}


def coded(values: Iterable[str | None]) -> Coded:
    """A column of these words; ``None`` is unknown."""
    codes: dict[str, int] = {}
    column = [-1 if value is None else codes.setdefault(value, len(codes)) for value in values]
    return canonical(Coded(np.array(column, dtype=np.int32), tuple(codes)))


def canonical(column: Coded) -> Coded:
    """The same column with sorted words, without repeated and unused ones: equal content gives equal bytes."""
    used = {column.words[code] for code in np.flatnonzero(np.bincount(column.codes + 1)[1:]).tolist()}
    words = tuple(sorted(used))
    return Coded(places(column, {word: place for place, word in enumerate(words)}), words)


def joined(columns: Sequence[Coded]) -> Coded:
    """One column of several, one below the other."""
    words = sorted({word for column in columns for word in column.words})
    place_by_word = {word: place for place, word in enumerate(words)}
    codes = np.concatenate([places(column, place_by_word) for column in columns])
    return canonical(Coded(codes, tuple(words)))


def places(column: Coded, place_by_word: Mapping[str, int]) -> Ints:
    """For each row the place of its word; -1 if the word has none or is unknown."""
    place = np.array([*(place_by_word.get(word, -1) for word in column.words), -1], dtype=np.int32)
    return place[column.codes]


def rows_named(cloud: Coded, name: Sequence[str], in_cloud: Coded, named: Coded) -> Ints:
    """For each pair of ``in_cloud`` and ``named`` the row of ``cloud`` and ``name`` that has both; -1 for none."""
    table = np.full((len(in_cloud.words), len(named.words)), -1, dtype=np.int32)
    own_cloud = places(cloud, {word: code for code, word in enumerate(in_cloud.words)})
    code_by_name = {word: code for code, word in enumerate(named.words)}
    own_name = np.array([code_by_name.get(word, -1) for word in name], dtype=np.int32)
    known = np.flatnonzero((own_cloud >= 0) & (own_name >= 0)).astype(np.int32)
    table[own_cloud[known], own_name[known]] = known
    return table[in_cloud.codes, named.codes]


def ranked(*keys: Sequence[Coded]) -> list[NDArray[np.int64]]:
    """One number a row for the key columns of each table: equal numbers for equal words, in any of the tables."""
    ranks = [np.zeros(len(columns[0]), dtype=np.int64) for columns in keys]
    for column in zip(*keys, strict=True):
        words = sorted({word for part in column for word in part.words})
        place_by_word = {word: place for place, word in enumerate(words)}
        ranks = [
            rank * max(1, len(words)) + places(part, place_by_word) for rank, part in zip(ranks, column, strict=True)
        ]
    return ranks


_MADE: dict[str, Callable[[Sequence[Any]], Any]] = {
    "Coded": coded,
    "Floats": lambda values: np.array([np.nan if value is None else value for value in values], dtype=np.float64),
    "Flags": lambda values: np.array(values, dtype=np.bool_),
}


def section_of(section: type[Section], rows: Sequence[Any], **stated: Any) -> Section:
    """A section with these rows, in order; a column is an attribute of the rows, a function of them or a constant."""

    def column(name: str) -> Any:
        value = stated.get(name, attrgetter(name))
        return map(value, rows) if callable(value) else [value] * len(rows)

    return in_order(
        section(**{field.name: _MADE[str(field.type)](list(column(field.name))) for field in fields(section)})
    )


def rows_of(section: Section, rows: Ints | Flags) -> Section:
    """Some rows of a section."""

    def some(name: str) -> Any:
        column = getattr(section, name)
        return canonical(Coded(column.codes[rows], column.words)) if isinstance(column, Coded) else column[rows]

    return _each(type(section), some)


def stacked(sections: Sequence[Section]) -> Section:
    """The rows of several sections in order; no key may be in two of them."""

    def together(name: str) -> Any:
        columns = [getattr(section, name) for section in sections]
        return joined(columns) if isinstance(columns[0], Coded) else np.concatenate(columns)

    return in_order(_each(type(sections[0]), together))


def in_order(section: Section) -> Section:
    """The same rows, sorted by the section's key."""
    return rows_of(section, np.argsort(ranks(section), kind="stable").astype(np.int32))


def ranks(section: Section) -> NDArray[np.int64]:
    """One number a row, ordered as the section's key; equal only for equal keys."""
    return ranked(key_of(section))[0]


def key_of(section: Section) -> tuple[Coded, ...]:
    """The columns of a section's key."""
    return tuple(getattr(section, name) for name in KEYS[type(section)])


def keys_of(section: Section) -> list[tuple[str, ...]]:
    """The keys of a section's rows."""
    columns = ([column.words[code] for code in column.codes.tolist()] for column in key_of(section))
    return list(zip(*columns, strict=True))


def _each(section: type[Section], column: Callable[[str], Any]) -> Section:
    return section(**{field.name: column(field.name) for field in fields(section)})
