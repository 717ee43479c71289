"""Checks across tables: what an instance type or offer names must exist, and nothing may stand twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plimsoll_service.catalog.faults import RejectedRow
from plimsoll_service.catalog.tables import Row, Table

TypeKey = tuple[str, str]


@dataclass(frozen=True)
class References:
    """What other tables may name: accelerators by every spelling, processors, and regions by cloud."""

    accelerators: Mapping[str, int]
    card_memory_gib: tuple[float, ...]
    processors: Mapping[str, int]
    regions: Mapping[tuple[str, str], int]

    @classmethod
    def of(cls, small: Mapping[str, Sequence[Row]]) -> References:
        """The references that the small tables' rows provide, in the rows' order."""
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
        """The row of the accelerator that ``row`` names, or -1 where it has none."""
        return self.accelerators.get((row["accelerator"] or "").lower(), -1)

    def processor(self, row: Row) -> int:
        """The row of the processor that ``row`` names, else of the generic one of its maker and architecture."""
        architecture = row["architecture"]
        names = (row["processor"], f"{row['cpu_vendor']} {architecture}, generic", f"{architecture}, generic")
        return next((self.processors[name] for name in names if name in self.processors), -1)


@dataclass(frozen=True)
class Accepted:
    """The rows that hold, and those that do not; ``lost`` says under which key a rejected row stood."""

    rows: tuple[Row, ...]
    rejected: tuple[RejectedRow, ...]
    lost: Mapping[TypeKey, RejectedRow]


def unique(table: Table, key: tuple[str, ...]) -> Table:
    """``table`` without the rows whose ``key`` stood before."""
    seen: dict[tuple[Any, ...], int] = {}
    rows: list[Row] = []
    rejected = list(table.rejected)
    for row in table.rows:
        name = tuple(row[column] for column in key)
        if name in seen:
            rejected.append(row.rejected(f"{'/'.join(name)} stands in line {seen[name]} already"))
        else:
            seen[name] = row.line
            rows.append(row)
    return Table(tuple(rows), tuple(rejected), table.lost)


def check_instance_types(table: Table, references: References) -> Accepted:
    """The instance types whose accelerator and processor exist and whose name is new."""
    lost: dict[TypeKey, RejectedRow] = {
        (cells.get("cloud", ""), cells.get("instance_type", "")): fault
        for cells, fault in zip(table.lost, table.rejected, strict=True)
    }
    rows: dict[TypeKey, Row] = {}
    rejected = list(table.rejected)
    for row in table.rows:
        key = (row["cloud"], row["instance_type"])
        if key in rows:
            rejected.append(row.rejected(f"{'/'.join(key)} stands in line {rows[key].line} already"))
            continue
        faults = list(_type_faults(row, references))
        if faults:
            lost[key] = row.rejected("; ".join(faults))
            rejected.append(lost[key])
        else:
            rows[key] = row
    return Accepted(tuple(rows[key] for key in sorted(rows)), tuple(rejected), lost)


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


def check_offers(tables: Iterable[Table], types: Accepted, references: References) -> Accepted:
    """The offers whose instance type was kept, whose region exists and which stand once."""
    known = {(row["cloud"], row["instance_type"]) for row in types.rows}
    rows: dict[tuple[str, ...], Row] = {}
    rejected: list[RejectedRow] = []
    for row in (row for table in tables for row in table.rows):
        key = (row["cloud"], row["instance_type"], row["region"], row["purchase"])
        reason = _offer_fault(row, known, types.lost, references)
        if reason is None and key in rows:
            reason = f"{'/'.join(key)} stands in {rows[key].file}:{rows[key].line} already"
        if reason is None:
            rows[key] = row
        else:
            rejected.append(row.rejected(reason))
    return Accepted(tuple(rows[key] for key in sorted(rows)), tuple(rejected), {})


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
