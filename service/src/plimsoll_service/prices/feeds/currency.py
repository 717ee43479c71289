"""Stated amounts: above 0 or unusable, in USD or converted at a rate that the operator states."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .feed import FeedError, FeedRequest

USD = "USD"
LIST, DERIVED = "list", "derived"  # confidences: as quoted, and calculated from quoted prices


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """The worth of one unit of a currency; ``confidence`` and ``remark`` are those of a converted price."""

    usd_per_unit: float
    confidence: str
    remark: str  # goes behind a price's source; empty for USD


def rate(request: FeedRequest, currency: str) -> ExchangeRate:
    """The rate of an ISO 4217 currency; raises ``FeedError`` with the option that states it."""
    if currency == USD:
        return ExchangeRate(1.0, LIST, "")
    units = request.units_per_usd.get(currency)
    if units is None or not units > 0:
        raise FeedError(f"prices are in {currency}: state its rate to the USD with --exchange-rate {currency}=…")
    return ExchangeRate(1 / units, DERIVED, f" ({currency} at {units:g} a USD)")


def positive(stated: object) -> float | None:
    """A stated number above 0, also as text; ``None`` for other values."""
    if isinstance(stated, bool) or not isinstance(stated, (int, float, str)):
        return None
    try:
        value = float(stated)
    except ValueError:
        return None
    return value if math.isfinite(value) and value > 0 else None
