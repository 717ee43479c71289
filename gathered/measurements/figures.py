"""Files of collected figures: in the words of their sources, and the project's own tables in its own words."""

from __future__ import annotations

import csv
import gzip
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from gathered.measurements.names import slug
from plimsoll_service.evidence.measurement import COLUMNS, EvidenceError, Measurement, value_of

RawRow = dict[str, str]
NEEDED = ("source", "task", "framework", "model", "workload_detail", "precision", "device", "metric", "value", "note")


def read_file(path: Path) -> list[RawRow]:
    """Return the rows of one file; raises ``EvidenceError``."""
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise EvidenceError(f"{path.name}: {error}") from error
    missing = set(NEEDED) - set(reader.fieldnames or ())
    if missing:
        raise EvidenceError(f"{path.name} lacks the columns {', '.join(sorted(missing))}")
    return rows


SOURCES = "sources.csv"
_ONES = ("device_count", "node_count")  # 1 in an empty cell
_FLAGS = {"true": "yes", "false": "no"}


def own_measurements(folder: Traversable | None = None) -> list[Measurement]:
    """Return the rows of all files, numbered in each source; raises ``EvidenceError``."""
    place = folder or resources.files("plimsoll_service.evidence") / "figures"
    files = sorted((file for file in place.iterdir() if file.name.endswith(".csv")), key=lambda file: file.name)
    return [row for file in files if file.name != SOURCES for row in _rows(file)]


def _rows(file: Traversable) -> list[Measurement]:
    source = file.name.removesuffix(".csv")
    with file.open(encoding="utf-8") as text:
        reader = csv.DictReader(text)
        unknown = set(reader.fieldnames or ()) - set(COLUMNS)
        if unknown:
            raise EvidenceError(f"{file.name}: unknown columns {', '.join(sorted(unknown))}")
        return [_row(row, source, number) for number, row in enumerate(reader, start=1)]


def _row(row: dict[str, str], source: str, number: int) -> Measurement:
    identity = f"{source}-{number:04d}"
    cells = {name: _FLAGS.get(text or "", text or "") for name, text in row.items()}
    cells |= {name: cells.get(name) or "1" for name in _ONES}
    cells |= {"id": identity, "source": source, "model": cells["model"] or slug(cells["printed_model"])}
    try:
        columns: dict[str, Any] = {name: value_of(name, cells.get(name, "")) for name in COLUMNS}
    except ValueError as error:
        raise EvidenceError(f"{identity}: {error}") from error
    return Measurement(**columns)
