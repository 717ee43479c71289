"""Prices in other currencies, converted at a rate that the operator states; without a rate they are refused."""

from __future__ import annotations

from dataclasses import dataclass

from plimsoll_service.prices.feeds.feed import FeedError, FeedRequest

USD = "USD"
LIST, DERIVED = "list", "derived"  # confidences: as quoted, and calculated from quoted prices


@dataclass(frozen=True, slots=True)
class Rate:
    """The worth of one unit of a currency; ``confidence`` and ``remark`` are those of a converted price."""

    usd_per_unit: float
    confidence: str
    remark: str  # goes behind a price's source; empty for USD


def rate(request: FeedRequest, currency: str) -> Rate:
    """The rate of an ISO 4217 currency; raises ``FeedError`` with the option that states it."""
    if currency == USD:
        return Rate(1.0, LIST, "")
    units = request.units_per_usd.get(currency)
    if units is None or not units > 0:
        raise FeedError(f"prices are in {currency}: state its rate to the USD with --exchange-rate {currency}=…")
    return Rate(1 / units, DERIVED, f" ({currency} at {units:g} a USD)")
