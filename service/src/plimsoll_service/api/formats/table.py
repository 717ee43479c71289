"""Aligned text, for people at a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine.answer import Answer
from ...engine.hardware import Catalog
from .format import Format
from .rows import Row, cell, columns, item_row, recommendation_row

_GAP = "  "
# A line of a terminal is short: the ranges' ends and the disk are in CSV and JSON.
_SHOWN = (
    "rank", "cloud", "region", "instance_type", "node_count", "purchase", "accelerator_count", "accelerator",
    "throughput", "throughput_unit", "time_hours", "cost_usd", "usd_per_million", "usd_per_hour", "bottleneck", "basis",
)  # fmt: skip


def aligned(rows: Sequence[Row], names: Sequence[str]) -> str:
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


def _recommendations(answer: Answer, _: Catalog) -> str:
    rows = [recommendation_row(recommendation) for recommendation in answer.recommendations]
    if not rows:
        return _nothing(answer)
    # A column that no row fills (the time of serving) only takes room.
    return aligned(rows, [name for name in _SHOWN if any(row[name] is not None for row in rows)])


def _nothing(answer: Answer) -> str:
    lines = ["no machine meets the constraints"]
    lines += [f"rejected by {name}: {count}" for name, count in answer.rejected.items()]
    lines += [
        f"to relax: {relax.constraint} to {cell(relax.to)} ({cell(relax.cost_usd) or 'unknown'} USD)"
        for relax in answer.relax
    ]
    return "".join(f"{line}\n" for line in lines)


def _items(page: Any, _: Catalog) -> str:
    rows = [item_row(item) for item in page.items]
    return aligned(rows, columns(rows)) if rows else "nothing found\n"


RECOMMENDATIONS = Format("table", "text/plain", _recommendations)
COLLECTION = Format("table", "text/plain", _items)
