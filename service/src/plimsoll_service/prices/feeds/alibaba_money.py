"""What Alibaba Cloud's amounts are worth: strings or numbers, in the currency of a site or an account."""

from __future__ import annotations

import math
from dataclasses import replace

from plimsoll_service.prices.feeds.currency import Rate, rate
from plimsoll_service.prices.feeds.feed import FeedRequest

# At which the bundled Alibaba Cloud prices were converted: both then differ by what the provider changed, not by rates.
CNY_PER_USD = 7.25


def rate_of(request: FeedRequest, currency: str) -> Rate:
    """The rate of a currency; CNY has one where the operator states none. Raises ``FeedError`` for others."""
    return rate(replace(request, units_per_usd={"CNY": CNY_PER_USD, **request.units_per_usd}), currency)


def amount(stated: object) -> float | None:
    """An amount above 0, or ``None`` for what cannot be a price: 0, text, nothing."""
    if isinstance(stated, bool) or not isinstance(stated, (int, float, str)):
        return None
    try:
        value = float(stated)
    except ValueError:
        return None
    return value if math.isfinite(value) and value > 0 else None
