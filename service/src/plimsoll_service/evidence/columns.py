"""Measurements as rows of CSV files, there and back; empty cells are ``None``, columns empty in a file are left out."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from plimsoll_service.evidence.measurement import LOADS, METRICS, Measurement

COLUMNS = tuple(field.name for field in fields(Measurement))
_TYPES = {field.name: str(field.type).removesuffix(" | None") for field in fields(Measurement)}
_OPTIONAL = {field.name for field in fields(Measurement) if str(field.type).endswith(" | None")}
_TRUE, _FALSE = "yes", "no"
_SIDES = "x"
_WORDS = {"metric": METRICS, "load": LOADS, "task": ("training", "inference"), "tuning": ("stock", "tuned")}


class EvidenceError(Exception):
    """Evidence that cannot be read: the file, the line and what is wrong with it."""


def write(path: Path, measurements: Sequence[Measurement]) -> None:
    """Write the rows with the columns that say anything in them."""
    used = [name for name in COLUMNS if any(_cell(getattr(row, name)) for row in measurements)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(used)
        writer.writerows([_cell(getattr(row, name)) for name in used] for row in measurements)


def read(file: Iterable[str], name: str) -> list[Measurement]:
    """The rows of an open file; raises ``EvidenceError`` for an unknown column or a cell that is none."""
    reader = csv.DictReader(file)
    unknown = set(reader.fieldnames or ()) - set(COLUMNS)
    if unknown:
        raise EvidenceError(f"{name}: unknown columns {', '.join(sorted(unknown))}")
    return [_measurement(row, f"{name}, line {line}") for line, row in enumerate(reader, start=2)]


def _measurement(row: dict[str, str], where: str) -> Measurement:
    try:
        return Measurement(**{name: value_of(name, row.get(name) or "") for name in COLUMNS})
    except ValueError as error:
        raise EvidenceError(f"{where}: {error}") from error


def _cell(value: Any) -> str:
    if value is None or value is False or value == "":
        return _FALSE if value is False else ""
    if value is True:
        return _TRUE
    if isinstance(value, tuple):
        return _SIDES.join(map(str, value))
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def value_of(name: str, text: str) -> Any:
    """The cell's value; raises ``ValueError`` where it is not of the column's type or words."""
    kind = _TYPES[name]
    if not text:
        return _empty(name, kind)
    if text not in _WORDS.get(name, (text,)):
        raise ValueError(f"{name} {text!r} is none of {', '.join(_WORDS[name])}")
    if kind == "bool":
        return _flag(name, text)
    if kind.startswith("tuple"):
        return tuple(int(side) for side in text.split(_SIDES))
    return {"int": int, "float": float}.get(kind, str)(text)


def _empty(name: str, kind: str) -> Any:
    if name in _OPTIONAL:
        return None
    if kind == "str":
        return ""
    if kind == "bool":
        return False
    raise ValueError(f"{name} is missing")


def _flag(name: str, text: str) -> bool:
    if text not in (_TRUE, _FALSE):
        raise ValueError(f"{name} {text!r} is neither {_TRUE} nor {_FALSE}")
    return text == _TRUE


def by_source(measurements: Iterable[Measurement]) -> dict[str, list[Measurement]]:
    """The rows of each source, in their order."""
    found: dict[str, list[Measurement]] = {}
    for row in measurements:
        found.setdefault(row.source, []).append(row)
    return found
