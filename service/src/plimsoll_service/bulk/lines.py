"""Lines of an input as requests, and answers as flat rows of an output."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from werkzeug.datastructures import MultiDict

from ..api.body import MOST_DEPTH, deeper_than
from ..api.formats.tabular import cell, recommendation_row
from ..api.recommendations import QUERY
from ..engine.answer import Recommendation
from ..engine.faults import Fault, Refused

ID = "id"  # a column, or a member of a JSON line, that is copied to the output
Cells = tuple[str | None, ...]


@dataclass(frozen=True)
class Unreadable:
    """A line that cannot be read."""

    why: str


Line = bytes | Cells | Unreadable


@dataclass(frozen=True)
class Chunk:
    """Lines that are answered together; ``first`` is the number of the first (from 1), ``names`` are CSV's columns."""

    first: int
    names: tuple[str, ...] | None
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Asked:
    """A line as a request: its document, the faults of its names, and the caller's id."""

    document: dict[str, Any]
    faults: tuple[Fault, ...] = ()
    id: Any = None
    flat: bool = False


def asked_of(line: Line, names: Sequence[str] | None) -> Asked:
    """Return the request of a line; raises ``Refused`` where it has none."""
    if isinstance(line, Unreadable):
        raise Refused((Fault("", line.why),))
    if isinstance(line, bytes):
        return _from_json(line)
    return _from_cells(line, names or ())


def unknown_columns(names: Sequence[str]) -> tuple[Fault, ...]:
    """Faults in the columns of a flat file: unknown and repeated names."""
    _, faults = QUERY.document(MultiDict([(name, "") for name in names]), beside=(ID,))
    return faults


def _from_json(line: bytes) -> Asked:
    try:
        document = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise Refused((Fault("", f"the line is not JSON: {error}"),)) from error
    if not isinstance(document, dict):
        raise Refused((Fault("", 'the line must be a JSON object, such as {"workload": {"task": "training"}}'),))
    if deeper_than(document, MOST_DEPTH):
        raise Refused((Fault("", f"the line is nested more than {MOST_DEPTH} levels deep"),))
    own = document.pop(ID, None)
    return Asked(document, id=own)


def _from_cells(cells: Cells, names: Sequence[str]) -> Asked:
    if len(cells) != len(names):
        raise Refused((Fault("", f"the line has {len(cells)} cells, the head line {len(names)}"),))
    said = [(name, cell) for name, cell in zip(names, cells, strict=True) if cell]
    own = next((cell for name, cell in said if name == ID), None)
    document, faults = QUERY.document(MultiDict(said), beside=(ID,))
    return Asked(document, faults, own, flat=True)


def cell_of(value: Any) -> str | None:
    """Return a value of a typed column as text; a missing value (NaN in pandas) is ``None``."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(str(entry) for entry in value)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


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
    *_typed(float, "accelerator_count usd_per_hour usd_per_hour_each throughput throughput_low throughput_high"),
    *_typed(float, "time_hours time_hours_low time_hours_high cost_usd cost_usd_low cost_usd_high"),
    *_typed(float, "usd_per_million usd_per_million_low usd_per_million_high"),
    *_typed(float, "latency_ms latency_ms_low latency_ms_high"),
    *_typed(float, "expected_cost_usd expected_usd_per_hour ttft_p95_ms tpot_ms"),
    *_typed(int, "tensor_parallel replicas"),
    *_typed(str, "throughput_unit basis bottleneck disk_product"),
    *_typed(float, "disk_size_gib price_low price_high"),
    *_typed(str, "price_as_of price_confidence runs"),
    *_typed(int, "warnings"),
    *_typed(str, "objective"),
)
NAMES = tuple(column.name for column in COLUMNS)


def row_of(number: int, own_id: Any, best: Recommendation | None, objective: str) -> dict[str, Any]:
    """Return the row of an answered line."""
    row = {"line": number, "id": text_of(own_id), "status": 200, "error": None if best else NOTHING_LEFT}
    return row | recommendation_row(best, objective) if best else row


def refused_row(number: int, own_id: Any, problem: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a line that was refused or failed."""
    faults = problem.get("errors", ())
    told = "; ".join(f"{fault.pointer}: {fault.detail}" if fault.pointer else fault.detail for fault in faults)
    return {"line": number, "id": text_of(own_id), "status": problem["status"], "error": told or problem["detail"]}


def cells(row: Mapping[str, Any]) -> list[str]:
    """Return a row's cells in CSV."""
    return [cell(row.get(name)) for name in NAMES]


def typed(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with all columns, each value of its column's type, for Parquet."""
    return {column.name: None if row.get(column.name) is None else column.type(row[column.name]) for column in COLUMNS}


def text_of(own_id: Any) -> str | None:
    """Return the caller's id as text; other values are written as JSON."""
    return own_id if own_id is None or isinstance(own_id, str) else orjson.dumps(own_id).decode()
