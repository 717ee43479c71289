"""Results as flat rows with the column names of the service's CSV, and as pandas data frames."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar

from plimsoll._json import RAW
from plimsoll.errors import NotInstalled
from plimsoll.figures import Estimate, Price, Range, Rate

Row = dict[str, Any]

_RANGES = ("throughput", "time_hours", "cost_usd", "usd_per_million", "latency_ms")


class Tabular(ABC):
    """A result that becomes a data frame; ``_columns`` are those of a result without rows."""

    _columns: ClassVar[Sequence[str] | None] = None

    @abstractmethod
    def _rows(self) -> list[Row]:
        """Return a row for each machine."""

    def to_dataframe(self) -> Any:
        """Return a ``pandas.DataFrame`` with a row for each machine; raises ``NotInstalled`` without pandas."""
        return to_dataframe(self)


def to_dataframe(results: Any) -> Any:
    """Return a ``pandas.DataFrame`` with a row for each recommendation, compared machine, estimate or item.

    ``results`` is one answer, or an iterable such as ``client.instance_types()``. A range becomes three columns, as in
    the service's CSV. Raises ``NotInstalled`` without pandas.
    """
    try:
        pandas: Any = importlib.import_module("pandas")
    except ModuleNotFoundError as error:
        if error.name != "pandas":
            raise
        raise NotInstalled("data frames need pandas: pip install 'plimsoll-sdk[pandas]'") from error
    return pandas.DataFrame(rows_of(results), columns=getattr(results, "_columns", None))


def rows_of(results: Any) -> list[Row]:
    """Return a row for each recommendation, compared machine, estimate or item; raises ``TypeError`` for others."""
    if is_dataclass(results):
        return _rows_of_one(results)
    if isinstance(results, Iterable) and not isinstance(results, str | bytes | Mapping):
        return [row for each in results for row in _rows_of_one(each)]
    raise TypeError(f"no rows can be made of {type(results).__name__}")


def estimate_cells(estimate: Estimate | None) -> Row:
    """Every range of an estimate as its value, low and high."""
    row: Row = {}
    for name in _RANGES:
        row |= _range_cells(name, getattr(estimate, name) if estimate else None)
    serving = estimate.serving if estimate else None
    return row | {
        "expected_cost_usd": estimate.expected_cost_usd if estimate else None,
        "expected_usd_per_hour": estimate.expected_usd_per_hour if estimate else None,
        "ttft_p95_ms": serving.ttft_p95_ms.value if serving and serving.ttft_p95_ms else None,
        "tpot_ms": serving.tpot_ms.value if serving and serving.tpot_ms else None,
        "tensor_parallel": serving.tensor_parallel if serving else None,
        "replicas": serving.replicas if serving else None,
        "throughput_unit": estimate.throughput.unit if estimate else None,
        "basis": estimate.basis if estimate else None,
        "bottleneck": estimate.bottleneck if estimate else None,
    }


def price_cells(price: Price | None) -> Row:
    """Range, date and confidence of a price."""
    return {
        "price_low": price.low if price else None,
        "price_high": price.high if price else None,
        "price_as_of": price.as_of if price else None,
        "price_confidence": price.confidence if price else None,
    }


def _range_cells(name: str, found: Range | Rate | None) -> Row:
    ends = (found.value, found.low, found.high) if found else (None, None, None)
    return dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))


def _rows_of_one(item: Any) -> list[Row]:
    if isinstance(item, Tabular):
        return item._rows()
    if isinstance(item, type) or not is_dataclass(item):
        raise TypeError(f"no row can be made of {type(item).__name__}")
    return [_item_row(item)]


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
