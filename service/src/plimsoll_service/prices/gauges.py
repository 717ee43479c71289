"""Metrics of the prices in force."""

from __future__ import annotations

from datetime import UTC, datetime

from ..engine.prices import Prices
from ..metrics import PRICE_AGE, PRICE_SNAPSHOT


def show_version(version: str, before: str | None = None) -> None:
    """Count this process under a version, and no longer under the version before."""
    if before is not None:
        PRICE_SNAPSHOT.labels(before).set(0)
    PRICE_SNAPSHOT.labels(version).set(1)


def show_age(prices: Prices, now: float) -> None:
    """Set the age of the newest price at a moment in seconds since 1970; prices without a date set nothing."""
    if prices.as_of:
        dated = datetime.fromisoformat(prices.as_of)
        PRICE_AGE.set(max(0.0, now - (dated if dated.tzinfo else dated.replace(tzinfo=UTC)).timestamp()))
