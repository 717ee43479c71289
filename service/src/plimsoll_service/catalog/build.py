"""Build of a catalog from a directory of CSV files; faulty rows are rejected with file, line and reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..columns_file import coded, column_of, floats
from ..engine.hardware import (
    PURCHASE_NAMES,
    RESERVED,
    Accelerators,
    Catalog,
    Disks,
    InstanceTypes,
    Offers,
    Processors,
    Regions,
    Withdrawn,
)
from . import tables
from .faults import CatalogError, RejectedRow
from .integrity import faults_of
from .layout import INSTANCE_TYPES, INSTANCE_TYPES_FILE, OFFERS, OFFERS_PATTERN, PEAK_COLUMNS, SMALL_TABLES
from .snapshot import stamped
from .tables import Row, Table

TypeKey = tuple[str, str]


@dataclass(frozen=True)
class References:
    """Names that other tables may use: accelerators by every spelling, processors, and regions by cloud."""

    accelerators: Mapping[str, int]
    card_memory_gib: tuple[float, ...]
    processors: Mapping[str, int]
    regions: Mapping[tuple[str, str], int]

    @classmethod
    def of(cls, small: Mapping[str, Sequence[Row]]) -> References:
        """Return the names in the small tables, with the places of their rows."""
        accelerators = small["accelerators.csv"]
        return cls(
            {
                spelling.lower(): index
                for index, row in enumerate(accelerators)
                for spelling in (*row["aliases"], row["name"])
            },
            tuple(row["memory_gib"] for row in accelerators),
            {row["name"]: index for index, row in enumerate(small["processors.csv"])},
            {(row["cloud"], row["name"]): index for index, row in enumerate(small["regions.csv"])},
        )

    def accelerator(self, row: Row) -> int:
        """Row of the named accelerator, or -1."""
        return self.accelerators.get((row["accelerator"] or "").lower(), -1)

    def processor(self, row: Row) -> int:
        """Row of the named processor, otherwise of the generic one of its maker and architecture."""
        architecture = row["architecture"]
        names = (row["processor"], f"{row['cpu_vendor']} {architecture}, generic", f"{architecture}, generic")
        return next((self.processors[name] for name in names if name in self.processors), -1)


def kept_once(
    rows: Iterable[Row], key: Sequence[str], fault: Callable[[Row], str | None] = lambda _: None
) -> tuple[dict[tuple[str, ...], Row], list[RejectedRow]]:
    """Return the rows without a fault, the first of each ``key`` by it; and the others."""
    kept: dict[tuple[str, ...], Row] = {}
    rejected: list[RejectedRow] = []
    for row in rows:
        name = tuple(row[column] for column in key)
        reason = fault(row)
        if reason is None and name in kept:
            reason = f"{'/'.join(name)} stands in {kept[name].file}:{kept[name].line} already"
        if reason is None:
            kept[name] = row
        else:
            rejected.append(row.rejected(reason))
    return kept, rejected


def unique(table: Table, key: tuple[str, ...]) -> Table:
    """Return ``table`` without rows that repeat a ``key``."""
    kept, rejected = kept_once(table.rows, key)
    return Table(tuple(kept.values()), (*table.rejected, *rejected))


def check_instance_types(table: Table, references: References) -> Table:
    """Return the instance types whose accelerator and processor exist, and whose name is new."""
    kept, rejected = kept_once(
        table.rows, ("cloud", "instance_type"), lambda row: "; ".join(_type_faults(row, references)) or None
    )
    return Table(tuple(kept[key] for key in sorted(kept)), (*table.rejected, *rejected))


def _type_faults(row: Row, references: References) -> Iterable[str]:
    name = row["accelerator"]
    if name and references.accelerator(row) < 0:
        yield f"accelerator {name!r} has no row in accelerators.csv"
    if name and row["accelerator_count"] is None:
        yield "accelerator_count is empty, so that the number of accelerators is unknown"
    if row["accelerator_count"] and not name:
        yield "accelerator_count is given without an accelerator"
    if row["processor"] and row["processor"] not in references.processors:
        yield f"processor {row['processor']!r} has no row in processors.csv"


def check_offers(tables: Iterable[Table], types: Table, references: References) -> Table:
    """Return the offers whose instance type was accepted and whose region exists, each once."""
    lost = {(fault.cells.get("cloud", ""), fault.cells.get("instance_type", "")): fault for fault in types.rejected}
    known = {(row["cloud"], row["instance_type"]) for row in types.rows}
    kept, rejected = kept_once(
        (row for table in tables for row in table.rows),
        ("cloud", "instance_type", "region", "purchase"),
        lambda row: _offer_fault(row, known, lost, references),
    )
    return Table(tuple(kept[key] for key in sorted(kept)), tuple(rejected))


def _offer_fault(
    row: Row, known: set[TypeKey], lost: Mapping[TypeKey, RejectedRow], references: References
) -> str | None:
    key = (row["cloud"], row["instance_type"])
    if key in known and (row["cloud"], row["region"]) in references.regions:
        return None
    if key in known:
        return f"region {row['cloud']}/{row['region']} has no row in regions.csv"
    if key in lost:
        return f"its instance type was rejected ({lost[key]})"
    return f"instance type {'/'.join(key)} has no row in instance_types.csv"


Section = TypeVar("Section", Accelerators, Processors, Regions, Disks, Withdrawn, InstanceTypes, Offers)
Rows = Sequence[Row]


def assembled(small: Mapping[str, Rows], types: Rows, offers: Rows, references: References) -> Catalog:
    """Return the catalog of these rows: types by cloud and name, offers by type, region and purchase option."""
    regions = sorted(small["regions.csv"], key=lambda row: (row["cloud"], row["name"]))
    type_index = {(row["cloud"], row["instance_type"]): index for index, row in enumerate(types)}
    region_index = {(row["cloud"], row["name"]): index for index, row in enumerate(regions)}
    instance_types = _instance_types(types, small["withdrawn.csv"], references)
    sold = _offers(offers, type_index, region_index)
    # A price list may keep a type that its provider has withdrawn.
    ended = instance_types.retired[sold.instance_type] & ~np.array([row["restricted"] for row in regions])[sold.region]
    cards = small["accelerators.csv"]
    peaks = np.array([floats(row[column] for column in PEAK_COLUMNS) for row in cards]).reshape(-1, len(PEAK_COLUMNS))
    return Catalog(
        version="",
        prices_as_of="",
        clouds=tuple(sorted({row["cloud"] for row in types})),
        regions=_section(Regions, regions),
        accelerators=_section(Accelerators, cards, peak_tflops=peaks),
        processors=_section(Processors, small["processors.csv"]),
        disks=_section(Disks, sorted(small["disks.csv"], key=lambda row: (row["cloud"], row["product"]))),
        withdrawn=_section(Withdrawn, small["withdrawn.csv"]),
        instance_types=instance_types,
        offers=replace(sold, current=sold.current & ~ended),
        unpriced=np.array([row["unpriced_regions"] for row in types], dtype=np.int32),
    )


def _section(section: type[Section], rows: Rows, **own: Any) -> Section:
    """Return a table with the file's columns, each as its field's type, and with its ``own`` beside them."""
    columns = {
        field.name: column_of(str(field.type), [row[field.name] for row in rows])
        for field in fields(section)
        if field.name not in own
    }
    return section(**columns, **own)


def _instance_types(rows: Rows, withdrawn: Rows, references: References) -> InstanceTypes:
    ended = [_withdrawn_row(row, withdrawn) for row in rows]
    closed = [place >= 0 and withdrawn[place]["status"] != RESERVED for place in ended]
    return _section(
        InstanceTypes,
        rows,
        name=tuple(row["instance_type"] for row in rows),
        family=coded(row["family"] or row["instance_type"] for row in rows),
        retired=np.array([row["retired"] for row in rows], dtype=np.bool_) | np.array(closed, dtype=np.bool_),
        withdrawn=np.array(ended, dtype=np.int32),
        processor=np.array([references.processor(row) for row in rows], dtype=np.int32),
        accelerator=np.array([references.accelerator(row) for row in rows], dtype=np.int32),
        accelerator_count=floats(row["accelerator_count"] or 0.0 for row in rows),
        accelerator_memory_gib=floats(_device_memory(row, references) for row in rows),
    )


def _withdrawn_row(row: Row, withdrawn: Rows) -> int:
    """Place of the first row that names the type or its family; -1 if the type is sold to everybody."""
    name, family = row["instance_type"], row["family"] or row["instance_type"]
    found = (
        place
        for place, ended in enumerate(withdrawn)
        if ended["cloud"] == row["cloud"] and (ended["name"] == family or fnmatchcase(name, ended["name"]))
    )
    return next(found, -1)


def _device_memory(row: Row, references: References) -> float | None:
    """Memory of one device: as given, otherwise the card's times the share."""
    if not row["accelerator"]:
        return None
    share: float = min(1.0, row["accelerator_count"])
    given: float | None = row["accelerator_memory_gib"]
    return given if given is not None else references.card_memory_gib[references.accelerator(row)] * share


def _offers(rows: Rows, types: Mapping[Any, int], regions: Mapping[Any, int]) -> Offers:
    keys = np.array(
        [
            (
                types[row["cloud"], row["instance_type"]],
                regions[row["cloud"], row["region"]],
                PURCHASE_NAMES.index(row["purchase"]),
            )
            for row in rows
        ],
        dtype=np.int32,
    )
    order = np.lexsort((keys[:, 2], keys[:, 1], keys[:, 0]))
    placed = [rows[index] for index in order]
    return _section(
        Offers,
        placed,
        instance_type=keys[order, 0],
        region=keys[order, 1],
        purchase=keys[order, 2],
        confidence=coded(row["confidence"] or ("list" if row["as_of"] else "undated") for row in placed),
    )


FIGURES = Path(__file__).parent / "figures"
SMALL_KEYS = {
    "accelerators.csv": ("name",),
    "processors.csv": ("name",),
    "disks.csv": ("cloud", "product"),
    "regions.csv": ("cloud", "name"),
    "withdrawn.csv": ("cloud", "name"),
}


def build(input_dir: Path) -> tuple[Catalog, list[RejectedRow]]:
    """Return the catalog of ``input_dir`` and the rejected rows; raises ``CatalogError`` for an unusable file."""
    small, types_table, offer_tables = _read(input_dir)
    small = _of_used_clouds(small, types_table)
    rows: dict[str, tuple[Row, ...]] = {name: table.rows for name, table in small.items()}
    references = References.of(rows)
    types = check_instance_types(types_table, references)
    offers = check_offers(offer_tables, types, references)
    rejected = sorted(
        {
            *(fault for table in (*small.values(), *offer_tables) for fault in table.rejected),
            *types.rejected,
            *offers.rejected,
        }
    )
    if not types.rows or not offers.rows:
        what = "offer" if types.rows else "instance type"
        raise CatalogError([f"{input_dir}: no usable {what} is left", *map(str, rejected)])
    catalog = stamped(assembled(rows, types.rows, offers.rows, references))
    faults = faults_of(catalog)
    if faults:
        raise CatalogError(f"{input_dir}: {fault}" for fault in faults)
    return catalog, rejected


def _read(directory: Path) -> tuple[dict[str, Table], Table, list[Table]]:
    """Return every table of ``directory``; one error has the faults of all files."""
    faults: list[str] = []

    def attempt(reading: Callable[[], Table]) -> Table:
        try:
            return reading()
        except CatalogError as error:
            faults.extend(error.faults)
            return Table(())

    small = {name: attempt(partial(_unique_small, directory, name)) for name in SMALL_TABLES}
    types_path = tables.find(directory, INSTANCE_TYPES_FILE)
    types = attempt(lambda: tables.read(types_path, INSTANCE_TYPES)) if types_path else Table(())
    paths = sorted([*directory.glob(OFFERS_PATTERN), *directory.glob(f"{OFFERS_PATTERN}.gz")])
    offers = [attempt(partial(tables.read, path, OFFERS)) for path in paths]
    if types_path is None:
        faults.append(f"{directory}: {INSTANCE_TYPES_FILE} (or .gz) is missing")
    if not paths:
        faults.append(f"{directory}: {OFFERS_PATTERN} (or .gz) is missing")
    if faults:
        raise CatalogError(faults)
    return small, types, offers


def _unique_small(directory: Path, name: str) -> Table:
    return unique(tables.read(tables.find(directory, name) or FIGURES / name, SMALL_TABLES[name]), SMALL_KEYS[name])


def _of_used_clouds(small: dict[str, Table], types: Table) -> dict[str, Table]:
    """Return the small tables without the rows of clouds that have no instance type here."""
    clouds = {row["cloud"] for row in types.rows}
    return {
        name: Table(tuple(row for row in table.rows if row["cloud"] in clouds), table.rejected)
        if name in ("regions.csv", "disks.csv", "withdrawn.csv")
        else table
        for name, table in small.items()
    }
