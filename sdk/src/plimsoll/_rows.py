"""Results as flat rows, with the column names of the service's own CSV."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from plimsoll._decode import RAW
from plimsoll.figures import Estimate, Price, Range, Rate
from plimsoll.models import Answer, ComparedMachine, Comparison, HardwareEstimate, Recommendation

Row = dict[str, Any]

# Of an answer without a recommendation too, so that a reader always finds its columns.
RECOMMENDATION_COLUMNS = (
    "rank", "cloud", "region", "instance_type", "node_count", "purchase", "accelerator", "accelerator_count",
    "usd_per_hour", "throughput", "throughput_low", "throughput_high", "time_hours", "time_hours_low",
    "time_hours_high", "cost_usd", "cost_usd_low", "cost_usd_high", "usd_per_million", "usd_per_million_low",
    "usd_per_million_high", "latency_ms", "latency_ms_low", "latency_ms_high", "throughput_unit", "basis",
    "bottleneck", "disk_product", "disk_size_gib", "price_as_of", "price_confidence", "warnings",
)  # fmt: skip
_RANGES = ("throughput", "time_hours", "cost_usd", "usd_per_million", "latency_ms")


def rows_of(results: Any) -> list[Row]:
    """One row a recommendation, a compared machine, an estimate or an item; raises ``TypeError`` for other values."""
    if isinstance(results, Answer):
        return [recommendation_row(each) for each in results.recommendations]
    if isinstance(results, Comparison):
        return [machine_row(each) for each in results.machines]
    if is_dataclass(results):
        return [_row(results)]
    if isinstance(results, Iterable) and not isinstance(results, str | bytes | Mapping):
        return [_row(each) for each in results]
    raise TypeError(f"no rows can be made of {type(results).__name__}")


def recommendation_row(recommendation: Recommendation) -> Row:
    """One recommendation; every range as its value, low and high."""
    disk = recommendation.sizing.disk if recommendation.sizing else None
    accelerator = recommendation.accelerator
    return {
        "rank": recommendation.rank,
        "cloud": recommendation.cloud,
        "region": recommendation.region,
        "instance_type": recommendation.instance_type,
        "node_count": recommendation.node_count,
        "purchase": recommendation.purchase,
        "accelerator": accelerator.name if accelerator else None,
        "accelerator_count": accelerator.count if accelerator else None,
        "usd_per_hour": recommendation.price.usd_per_hour if recommendation.price else None,
        **_estimate_cells(recommendation.estimate),
        "disk_product": disk.product if disk else None,
        "disk_size_gib": disk.size_gib if disk else None,
        **_price_cells(recommendation.price),
        "warnings": len(recommendation.warnings),
    }


def machine_row(machine: ComparedMachine) -> Row:
    """One machine of a comparison."""
    return {
        "label": machine.label,
        "relative_performance": machine.relative_performance,
        "relative_cost": machine.relative_cost,
        "performance_per_cost": machine.performance_per_cost,
        **_hardware_cells(machine),
    }


def _row(item: Any) -> Row:
    if isinstance(item, Recommendation):
        return recommendation_row(item)
    if isinstance(item, ComparedMachine):
        return machine_row(item)
    if isinstance(item, HardwareEstimate):
        return _hardware_cells(item)
    if isinstance(item, type) or not is_dataclass(item):
        raise TypeError(f"no row can be made of {type(item).__name__}")
    return _item_row(item)


def _item_row(item: Any) -> Row:
    row: Row = {}
    for field in fields(item):
        value = getattr(item, field.name)
        if field.name == RAW:
            continue
        if is_dataclass(value):
            row |= {f"{field.name}_{name}": cell for name, cell in _item_row(value).items()}
        else:
            row[field.name] = value
    return row


def _hardware_cells(hardware: ComparedMachine | HardwareEstimate) -> Row:
    return {
        "fits": hardware.fits,
        "short": " ".join(short.resource for short in hardware.short),
        "rank": hardware.rank,
        "usd_per_hour": hardware.price.usd_per_hour if hardware.price else None,
        **_estimate_cells(hardware.estimate),
        **_price_cells(hardware.price),
        "warnings": len(hardware.warnings),
    }


def _estimate_cells(estimate: Estimate | None) -> Row:
    row: Row = {}
    for name in _RANGES:
        row |= _range_cells(name, getattr(estimate, name) if estimate else None)
    return row | {
        "throughput_unit": estimate.throughput.unit if estimate else None,
        "basis": estimate.basis if estimate else None,
        "bottleneck": estimate.bottleneck if estimate else None,
    }


def _price_cells(price: Price | None) -> Row:
    return {
        "price_as_of": price.as_of if price else None,
        "price_confidence": price.confidence if price else None,
    }


def _range_cells(name: str, found: Range | Rate | None) -> Row:
    ends = (found.value, found.low, found.high) if found else (None, None, None)
    return dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))
