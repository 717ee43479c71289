"""Reading and writing of the CSV tables; faulty rows are rejected with the reason."""

from __future__ import annotations

import csv
import difflib
import gzip
import io
import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from ..columns_file import CONTROL_CHARACTERS, LIST_SEPARATOR
from .faults import CatalogError, RejectedRow
from .layout import Column

FLAGS = {"true": True, "false": False}


@dataclass(frozen=True)
class Row:
    """A row with valid cells, and its place for later messages."""

    file: str
    line: int
    values: Mapping[str, Any]

    def __getitem__(self, column: str) -> Any:
        return self.values[column]

    def rejected(self, reason: str) -> RejectedRow:
        return RejectedRow(self.file, self.line, reason, self.values)


@dataclass(frozen=True)
class Table:
    """Rows of one file, and the rejected ones."""

    rows: tuple[Row, ...]
    rejected: tuple[RejectedRow, ...] = ()


def find(directory: Path, name: str) -> Path | None:
    """Path of ``name`` or ``name.gz`` in ``directory``, or ``None``."""
    return next((path for path in (directory / name, directory / f"{name}.gz") if path.is_file()), None)


def read(path: Path, columns: Sequence[Column]) -> Table:
    """Read a table; raises ``CatalogError`` where the whole file is unusable."""
    reader = csv.reader(io.StringIO(_text(path), newline=""), strict=True)
    rows: list[Row] = []
    rejected: list[RejectedRow] = []
    try:
        header = [cell.strip() for cell in next(reader, [])]
        _check_header(path, header, columns)
        for cells in filter(None, reader):
            given = {name: cell.strip() for name, cell in zip(header, cells, strict=False)}
            faults = _count_faults(header, cells) or list(_cell_faults(given, columns))
            if faults:
                rejected.append(RejectedRow(path.name, reader.line_num, "; ".join(faults), given))
            else:
                values = {column.name: _value(column, given.get(column.name, "")) for column in columns}
                rows.append(Row(path.name, reader.line_num, values))
    except csv.Error as error:
        raise CatalogError([f"{path.name}:{reader.line_num}: is not CSV: {error}"]) from error
    return Table(tuple(rows), tuple(rejected))


def write(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write ``rows`` as CSV; unknown values become empty cells and numbers keep every digit."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([_cell(row.get(column)) for column in columns] for row in rows)


def _text(path: Path) -> str:
    try:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        return content.decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise CatalogError([f"{path.name}: cannot be read: {error}"]) from error


def _check_header(path: Path, header: list[str], columns: Sequence[Column]) -> None:
    known = {column.name: column for column in columns}
    twice = sorted({name for name in header if header.count(name) > 1})
    faults = [f"{path.name}: the column {name!r} stands twice" for name in twice]
    faults += [
        f"{path.name}: the column {name!r} is missing"
        for name, column in known.items()
        if column.required and name not in header
    ]
    for name in header:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            faults.append(f"{path.name}: the column {name!r} is unknown" + (f"; is it {close[0]!r}?" if close else ""))
    if faults:
        raise CatalogError(faults)


def _count_faults(header: list[str], cells: list[str]) -> list[str]:
    same = len(cells) == len(header)
    return [] if same else [f"has {len(cells)} cells where the header has {len(header)}"]


def _cell_faults(given: Mapping[str, str], columns: Sequence[Column]) -> Iterator[str]:
    for column in columns:
        try:
            _value(column, given.get(column.name, ""))
        except ValueError as error:
            yield f"{column.name} {error}"


def _value(column: Column, cell: str) -> Any:
    if not cell:
        if column.required:
            raise ValueError("is empty")
        return () if column.kind == "list" else column.empty
    value = PARSERS[column.kind](cell)
    if column.choices and value not in column.choices:
        raise ValueError(f"is {cell!r}, not one of {', '.join(column.choices)}")
    if column.above is not None and not value > column.above:
        raise ValueError(f"is {cell}, not above {column.above:g}")
    if column.least is not None and not value >= column.least:
        raise ValueError(f"is {cell}, below {column.least:g}")
    if column.most is not None and not value <= column.most:
        raise ValueError(f"is {cell}, above {column.most:g}")
    return value


def _number(cell: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        raise ValueError(f"is {cell!r}, not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"is {cell!r}, not a number")
    return value


def _whole(cell: str) -> int:
    value = _number(cell)
    if value != int(value):
        raise ValueError(f"is {cell}, not a whole number")
    return int(value)


def _flag(cell: str) -> bool:
    if cell.lower() not in FLAGS:
        raise ValueError(f"is {cell!r}, not true or false")
    return FLAGS[cell.lower()]


def _date(cell: str) -> str:
    try:
        return date.fromisoformat(cell).isoformat()
    except ValueError:
        raise ValueError(f"is {cell!r}, not a date (YYYY-MM-DD)") from None


def _plain(cell: str) -> str:
    if CONTROL_CHARACTERS.search(cell):
        raise ValueError("holds a control character")
    return cell


def _list(cell: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in _plain(cell).split(LIST_SEPARATOR) if item.strip())


PARSERS: dict[str, Callable[[str], Any]] = {
    "text": _plain, "number": _number, "whole": _whole, "flag": _flag, "list": _list, "date": _date,
}  # fmt: skip


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(int(value)) if value == int(value) else repr(value)
    return LIST_SEPARATOR.join(value) if isinstance(value, tuple) else str(value)
