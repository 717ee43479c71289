"""The flat output: one row a line, with the best recommendation or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from ..api.formats.tabular import cell, recommendation_row
from ..engine.answer import Recommendation

NOTHING_LEFT = "no machine is left within the constraints; asked alone, the answer says what to relax"


@dataclass(frozen=True)
class Column:
    """A column, and the type of its cells where they are not empty."""

    name: str
    type: type


def _typed(kind: type, names: str) -> tuple[Column, ...]:
    return tuple(Column(name, kind) for name in names.split())


# After the first four the columns are those of ?format=csv, without the rank, which is always 1.
COLUMNS = (
    *_typed(int, "line"),
    *_typed(str, "id"),
    *_typed(int, "status"),
    *_typed(str, "error cloud region instance_type"),
    *_typed(int, "node_count"),
    *_typed(str, "purchase accelerator"),
    *_typed(float, "accelerator_count usd_per_hour throughput throughput_low throughput_high"),
    *_typed(float, "time_hours time_hours_low time_hours_high cost_usd cost_usd_low cost_usd_high"),
    *_typed(float, "usd_per_million usd_per_million_low usd_per_million_high"),
    *_typed(float, "latency_ms latency_ms_low latency_ms_high"),
    *_typed(str, "throughput_unit basis bottleneck disk_product"),
    *_typed(float, "disk_size_gib"),
    *_typed(str, "price_as_of price_confidence"),
    *_typed(int, "warnings"),
)
NAMES = tuple(column.name for column in COLUMNS)


def row_of(number: int, own_id: Any, best: Recommendation | None) -> dict[str, Any]:
    """The row of an answered line."""
    row = {"line": number, "id": text_of(own_id), "status": 200, "error": None if best else NOTHING_LEFT}
    return row | recommendation_row(best) if best else row


def refused_row(number: int, own_id: Any, problem: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a line that was refused, or at which the service failed."""
    faults = problem.get("errors", ())
    told = "; ".join(f"{fault.pointer}: {fault.detail}" if fault.pointer else fault.detail for fault in faults)
    return {"line": number, "id": text_of(own_id), "status": problem["status"], "error": told or problem["detail"]}


def cells(row: Mapping[str, Any]) -> list[str]:
    """A row as CSV writes it."""
    return [cell(row.get(name)) for name in NAMES]


def typed(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with all columns and each value of its column's type, as Parquet holds it."""
    return {column.name: None if row.get(column.name) is None else column.type(row[column.name]) for column in COLUMNS}


def text_of(own_id: Any) -> str | None:
    """The caller's word for a line: text as it is, anything else as JSON writes it."""
    return own_id if own_id is None or isinstance(own_id, str) else orjson.dumps(own_id).decode()
