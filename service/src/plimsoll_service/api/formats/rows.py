"""Answers and collections as flat rows, for table and CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from ...engine.answer import Recommendation
from ...engine.quantities import Range

Row = dict[str, Any]

_MOST_EXACT = 2.0**53  # beyond, whole floating-point numbers are not all there is
_RANGES = ("throughput", "time_hours", "cost_usd", "usd_per_million", "latency_ms")


def recommendation_row(recommendation: Recommendation) -> Row:
    """One recommendation; every range as its value, low and high."""
    estimate, accelerator = recommendation.estimate, recommendation.accelerator
    row: Row = {
        "rank": recommendation.rank,
        "cloud": recommendation.cloud,
        "region": recommendation.region,
        "instance_type": recommendation.instance_type,
        "node_count": recommendation.node_count,
        "purchase": recommendation.purchase,
        "accelerator": accelerator.name if accelerator else None,
        "accelerator_count": accelerator.count if accelerator else None,
        "usd_per_hour": recommendation.price.usd_per_hour,
    }
    for name in _RANGES:
        row |= _range_cells(name, getattr(estimate, name))
    return row | {
        "throughput_unit": estimate.throughput.unit,
        "basis": estimate.basis,
        "bottleneck": estimate.bottleneck,
        "disk_product": recommendation.sizing.disk.product,
        "disk_size_gib": recommendation.sizing.disk.size_gib,
        "price_as_of": recommendation.price.as_of,
        "price_confidence": recommendation.price.confidence,
        "warnings": len(recommendation.warnings),
    }


def item_row(item: Any) -> Row:
    """One item of a collection; members of an object join its name with ``_``."""
    row: Row = {}
    for field in fields(item):
        value = getattr(item, field.name)
        if is_dataclass(value):
            row |= {f"{field.name}_{name}": cell for name, cell in item_row(value).items()}
        elif isinstance(value, dict):
            row[field.name] = " ".join(f"{name}={cell}" for name, cell in value.items())
        elif isinstance(value, tuple):
            row[field.name] = " ".join(str(entry) for entry in value)
        else:
            row[field.name] = value
    return row


def columns(rows: Sequence[Row]) -> tuple[str, ...]:
    """The columns that some row has, in order of appearance."""
    return tuple(dict.fromkeys(name for row in rows for name in row))


def cell(value: Any) -> str:
    """A value as a cell's text; what is not known is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, float):
        return str(value)
    # A script reads 1000000 where it would stumble over 1e+06.
    return str(int(value)) if value.is_integer() and abs(value) < _MOST_EXACT else format(value, ".6g")


def _range_cells(name: str, found: Range | None) -> Row:
    if found is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
