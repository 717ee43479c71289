"""CSV with a head line (RFC 4180)."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from ...engine.answer import Answer
from ...engine.hardware import Catalog
from .format import Format
from .rows import Row, cell, columns, item_row, recommendation_row

# Of an answer without a recommendation too, so that a reader always finds its columns.
_RECOMMENDATION_COLUMNS = (
    "rank", "cloud", "region", "instance_type", "node_count", "purchase", "accelerator", "accelerator_count",
    "usd_per_hour", "throughput", "throughput_low", "throughput_high", "time_hours", "time_hours_low",
    "time_hours_high", "cost_usd", "cost_usd_low", "cost_usd_high", "usd_per_million", "usd_per_million_low",
    "usd_per_million_high", "latency_ms", "latency_ms_low", "latency_ms_high", "throughput_unit", "basis",
    "bottleneck", "disk_product", "disk_size_gib", "price_as_of", "price_confidence", "warnings",
)  # fmt: skip


def _write(rows: Sequence[Row], names: Sequence[str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(names)
    writer.writerows([cell(row.get(name)) for name in names] for row in rows)
    return out.getvalue()


def _recommendations(answer: Answer, _: Catalog) -> str:
    return _write(
        [recommendation_row(recommendation) for recommendation in answer.recommendations], _RECOMMENDATION_COLUMNS
    )


def _items(page: Any, _: Catalog) -> str:
    rows = [item_row(item) for item in page.items]
    return _write(rows, columns(rows))


RECOMMENDATIONS = Format("csv", "text/csv", _recommendations)
COLLECTION = Format("csv", "text/csv", _items)
