"""Lines of an input as they travel to the processes that answer them, and the requests that they stand for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from werkzeug.datastructures import MultiDict

from ..api.body import MOST_DEPTH, deeper_than
from ..api.recommendations import QUERY
from ..engine.faults import Fault, Refused

ID = "id"  # a column, or a member of a JSON line, that goes to the output as it is
Cells = tuple[str | None, ...]


@dataclass(frozen=True)
class Unreadable:
    """A line that could not be read at all."""

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
    """A line as a request: its document, the faults of its names, and the caller's own word for it."""

    document: dict[str, Any]
    faults: tuple[Fault, ...] = ()
    id: Any = None
    flat: bool = False


def asked_of(line: Line, names: Sequence[str] | None) -> Asked:
    """The request of a line; raises ``Refused`` where there is none."""
    if isinstance(line, Unreadable):
        raise Refused((Fault("", line.why),))
    if isinstance(line, bytes):
        return _from_json(line)
    return _from_cells(line, names or ())


def unknown_columns(names: Sequence[str]) -> tuple[Fault, ...]:
    """What is wrong with the columns of a flat file: names that no field has, or twice the same."""
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
    """A value of a typed column as the text of a cell; what is missing (pandas writes it as NaN) is no text."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(str(entry) for entry in value)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
