"""The project's own gathered tables: one CSV file a source in ``figures``, in the project's words already."""

from __future__ import annotations

import csv
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from plimsoll_service.evidence.columns import COLUMNS, EvidenceError, value_of
from plimsoll_service.evidence.imports.names import slug
from plimsoll_service.evidence.measurement import Measurement

SOURCES = "sources.csv"
_ONES = ("device_count", "node_count")  # one, where a file leaves the cell empty
_FLAGS = {"true": "yes", "false": "no"}


def measurements(folder: Traversable | None = None) -> list[Measurement]:
    """The rows of all files, each source numbered; raises ``EvidenceError`` for a cell or column that is none."""
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
