"""Result of reading a file: measurements, and the values that the file lacks."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plimsoll.errors import UnreadableFile
from plimsoll.measurements import Measurement

Record = Mapping[str, Any]
MS = 1000.0

HARDWARE = "the hardware: give on"


@dataclass(frozen=True)
class Reading:
    """Measurements of a file of ``tool``; ``unseen``: values that it lacks, ``circumstances``: its other facts."""

    tool: str
    measurements: list[Measurement]
    unseen: list[str] = field(default_factory=list)
    circumstances: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Content:
    """A file as records: the objects of JSON or JSON lines, or the rows of CSV (``table``)."""

    records: list[Record]
    table: bool = False

    @property
    def first(self) -> Record:
        """The first record."""
        return self.records[0]


def content_of(path: Path) -> Content:
    """Return a file's records; raises ``UnreadableFile``."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UnreadableFile(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{path}: is no text of UTF-8") from error
    found = _json(text) or _lines(text) or _rows(text)
    if found is None:
        raise UnreadableFile(f"{path}: is neither JSON, JSON lines nor CSV")
    return found


def _json(text: str) -> Content | None:
    try:
        return _records(json.loads(text))
    except (ValueError, RecursionError):
        return None


def _lines(text: str) -> Content | None:
    try:
        return _records([json.loads(line) for line in text.splitlines() if line.strip()])
    except (ValueError, RecursionError):
        return None


def _records(value: Any) -> Content | None:
    records = value if isinstance(value, list) else [value]
    return Content(records) if records and all(isinstance(one, dict) for one in records) else None


def _rows(text: str) -> Content | None:
    try:
        rows = list(csv.DictReader(io.StringIO(text), skipinitialspace=True, strict=True))
    except csv.Error:
        return None
    whole = [{name.strip(): value for name, value in row.items()} for row in rows if None not in row]
    return Content(list(whole), table=True) if whole and len(whole[0]) > 1 else None


def number(record: Record, *names: str) -> float | None:
    """Return the positive number under the first of the names that has one; a name may be a path with dots."""
    for name in names:
        found = _number(record[name] if name in record else _within(record, name))
        if found is not None and found > 0:
            return found
    return None


def _within(record: Record, path: str) -> Any:
    value: Any = record
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    try:
        found = float(str(value).split()[0])
    except (ValueError, IndexError):
        return None
    return found if math.isfinite(found) else None


def whole(value: float | None) -> int | None:
    """Return a count as the API takes it: whole, at least 1."""
    return None if value is None else max(1, round(value))


def stated(**values: Any) -> dict[str, Any]:
    """Return the values that are known."""
    return {name: value for name, value in values.items() if value is not None}
