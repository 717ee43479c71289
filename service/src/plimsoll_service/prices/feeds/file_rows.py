"""The rows of a price file, CSV or JSON, each with its place for later complaints."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plimsoll_service.engine import names
from plimsoll_service.prices.feeds.feed import FeedError

OFFERS, VOLUMES = SECTIONS = ("offers", "volumes")
VOLUME_COLUMN = "product"  # a row that fills it is a volume's
NAMED_FAULTS = 20


@dataclass(frozen=True, slots=True)
class Row:
    """Either an offer or a volume, as it is written; in CSV every value is text, and empty cells are left out."""

    place: str
    volume: bool
    values: Mapping[str, Any]


def refused(faults: list[str]) -> FeedError:
    """The error of a file with these faults: the first ones by name, and how many more there are."""
    more = [f"and {len(faults) - NAMED_FAULTS} more"] if len(faults) > NAMED_FAULTS else []
    return FeedError("\n".join(faults[:NAMED_FAULTS] + more))


def rows_of(name: str, text: str, columns: frozenset[str]) -> tuple[list[Row], list[str]]:
    """The file's rows and what is wrong with others; raises ``FeedError`` where the file is of neither format."""
    is_json = text.lstrip()[:1] in ("{", "[")
    rows, faults = _json_rows(name, text) if is_json else _csv_rows(name, text, columns)
    if not rows and not faults:
        raise FeedError(f"{name}: holds no prices")
    return rows, faults


def _json_rows(name: str, text: str) -> tuple[list[Row], list[str]]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FeedError(f"{name}: is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise FeedError(f"{name}: must be an object with {' and '.join(SECTIONS)}")
    faults = [f"{name}: {names.unknown('field', key, SECTIONS)}" for key in document if key not in SECTIONS]
    faults += [f"{name}: {key} is not a list" for key in SECTIONS if not isinstance(document.get(key, []), list)]
    if faults:
        raise refused(faults)
    items = [(section, number, item) for section in SECTIONS for number, item in enumerate(document.get(section, []))]
    rows = [
        Row(f"{name}: {section}[{number}]", section == VOLUMES, _filled(item))
        for section, number, item in items
        if isinstance(item, dict)
    ]
    return rows, [f"{name}: {s}[{number}]: is not an object" for s, number, item in items if not isinstance(item, dict)]


def _filled(item: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in item.items() if value is not None}


def _csv_rows(name: str, text: str, columns: frozenset[str]) -> tuple[list[Row], list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[Row] = []
    faults: list[str] = []
    try:
        header = [cell.strip() for cell in next(reader, [])]
        _check_header(name, header, columns)
        for cells in filter(None, reader):
            place = f"{name}:{reader.line_num}"
            if len(cells) == len(header):
                filled = {column: cell.strip() for column, cell in zip(header, cells, strict=True) if cell.strip()}
                rows.append(Row(place, VOLUME_COLUMN in filled, filled))
            else:
                faults.append(f"{place}: has {len(cells)} cells where the header has {len(header)}")
    except csv.Error as error:
        raise FeedError(f"{name}:{reader.line_num}: is not CSV: {error}") from error
    return rows, faults


def _check_header(name: str, header: list[str], columns: frozenset[str]) -> None:
    twice = sorted({column for column in header if header.count(column) > 1})
    faults = [f"{name}:1: the column {column!r} stands twice" for column in twice]
    faults += [f"{name}:1: {names.unknown('column', c, sorted(columns))}" for c in header if c not in columns]
    if faults:
        raise refused(faults)
