"""Answers and collections as rows: CSV, and aligned text for people at a terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from ...engine.answer import Answer, Recommendation, Relax
from ...engine.hardware import Catalog
from .. import data_files
from .format import Format

Row = dict[str, Any]

_MOST_EXACT = 2.0**53  # larger floating-point numbers do not hold every whole number
_GAP = "  "


PLACES: dict[str, dict[str, str]] = data_files.table("formats/places.yaml")
_COLUMNS = PLACES["columns"]
_WARNINGS = "warnings"
_OBJECTIVE = "objective"  # that ranked them
# A line of a terminal is short: CSV and JSON have the rest.
_SHOWN = (
    "rank", "cloud", "region", "instance_type", "node_count", "purchase", "accelerator_count", "accelerator",
    "throughput", "throughput_unit", "ttft_p95_ms", "tpot_ms", "tensor_parallel", "replicas", "time_hours", "cost_usd",
    "usd_per_million", "usd_per_hour", "bottleneck", "basis", _OBJECTIVE,
)  # fmt: skip


def values_at(recommendation: Recommendation, places: dict[str, str]) -> Row:
    """The values at these places, such as ``price.usd_per_hour``; ``None`` where a part of one is missing."""
    row: Row = {}
    for name, place in places.items():
        value: Any = recommendation
        for part in place.split("."):
            value = None if value is None else getattr(value, part)
        row[name] = value
    return row


def recommendation_row(recommendation: Recommendation, objective: str) -> Row:
    """One recommendation and the objective that ranked it; every range as its value, low and high."""
    row = values_at(recommendation, _COLUMNS) | {_WARNINGS: len(recommendation.warnings)}
    mean = recommendation.estimate.usd_per_hour  # over the day, where the load has hours
    whole = row["usd_per_hour"] * recommendation.node_count if mean is None else mean.value
    return row | {"usd_per_hour": whole, _OBJECTIVE: objective}


def cell(value: Any) -> str:
    """A value as a cell's text; an unknown one is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, float):
        return str(value)
    # Many scripts cannot read 1e+06.
    return str(int(value)) if value.is_integer() and abs(value) < _MOST_EXACT else format(value, ".6g")


def _item_row(item: Any) -> Row:
    """One item of a collection; members of an object join its name with ``_``."""
    row: Row = {}
    for field in fields(item):
        value = getattr(item, field.name)
        if is_dataclass(value):
            row |= {f"{field.name}_{name}": part for name, part in _item_row(value).items()}
        elif isinstance(value, dict):
            row[field.name] = " ".join(f"{name}={part}" for name, part in value.items())
        elif isinstance(value, tuple):
            row[field.name] = " ".join(str(entry) for entry in value)
        else:
            row[field.name] = value
    return row


def _columns(rows: Sequence[Row]) -> tuple[str, ...]:
    """All columns of the rows, in order of appearance."""
    return tuple(dict.fromkeys(name for row in rows for name in row))


def _csv(rows: Sequence[Row], names: Sequence[str]) -> str:
    """A head line and one line a row (RFC 4180)."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(names)
    writer.writerows([cell(row.get(name)) for name in names] for row in rows)
    return out.getvalue()


def _csv_recommendations(answer: Answer, _: Catalog) -> str:
    # An answer without a recommendation has the head line too.
    rows = [recommendation_row(one, answer.objective) for one in answer.recommendations]
    return _csv(rows, (*_COLUMNS, _WARNINGS, _OBJECTIVE))


def _csv_items(page: Any, _: Catalog) -> str:
    rows = [_item_row(item) for item in page.items]
    return _csv(rows, _columns(rows))


def _aligned(rows: Sequence[Row], names: Sequence[str]) -> str:
    """A head line and one line a row; numbers are flush right."""
    lines = [list(names), *([cell(row.get(name)) for name in names] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(names))]
    right = [any(isinstance(row.get(name), (int, float)) for row in rows) for name in names]
    padded = (
        _GAP.join(
            text.rjust(width) if flush else text.ljust(width)
            for text, width, flush in zip(line, widths, right, strict=True)
        )
        for line in lines
    )
    return "".join(f"{line.rstrip()}\n" for line in padded)


def _table_recommendations(answer: Answer, _: Catalog) -> str:
    rows = [recommendation_row(one, answer.objective) for one in answer.recommendations]
    if not rows:
        return _nothing(answer)
    return _aligned(rows, [name for name in _SHOWN if any(row[name] is not None for row in rows)])


def _nothing(answer: Answer) -> str:
    lines = ["no machine meets the constraints"]
    lines += [f"rejected by {name}: {count}" for name, count in answer.rejected.items()]
    lines += [f"to relax: {_relaxed(relax)}" for relax in answer.relax]
    return "".join(f"{line}\n" for line in lines)


def _relaxed(relax: Relax) -> str:
    changes = {relax.constraint: relax.to} | relax.together
    dropped = " and ".join(name for name, to in changes.items() if to is None)
    changed = " and ".join(f"{name} to {cell(to)}" for name, to in changes.items() if to is not None)
    what = ", and ".join([f"leave out {dropped}"] * bool(dropped) + [changed] * bool(changed))
    hours, nearly = relax.estimated_hours, ""
    if hours is not None:
        nearly = f"; its estimate of {cell(hours)} h meets the limit, the whole range does not"
    cost = "" if relax.cost_usd is None else f" ({cell(relax.cost_usd)} USD)"
    return f"{what}{cost}: {relax.choice}{nearly}"


def _table_items(page: Any, _: Catalog) -> str:
    rows = [_item_row(item) for item in page.items]
    return _aligned(rows, _columns(rows)) if rows else "nothing found\n"


CSV = Format("csv", "text/csv", _csv_recommendations)
CSV_COLLECTION = Format("csv", "text/csv", _csv_items)
TABLE = Format("table", "text/plain", _table_recommendations)
TABLE_COLLECTION = Format("table", "text/plain", _table_items)
