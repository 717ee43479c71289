"""Prices of machines, their changes and the stored price snapshots; ``raw`` is the whole JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class OfferPrice:
    """The price of one machine for one hour; ``current`` is false where the region no longer sells it.

    ``interruptions_per_hour`` of one machine are what the price's source states for spot; ``low`` and ``high`` are the
    range of a price that is estimated or undated.
    """

    cloud: str
    region: str
    instance_type: str
    purchase: str
    usd_per_hour: float
    as_of: str | None = None
    source: str | None = None
    stale: bool = False
    confidence: str | None = None
    current: bool = True
    interruptions_per_hour: float | None = None
    low: float | None = None
    high: float | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class PriceChange:
    """An offer that two price snapshots do not agree about: ``added``, ``removed`` or ``changed``; USD of one machine
    and hour, ``None`` where it is not sold.
    """

    cloud: str
    region: str
    instance_type: str
    purchase: str
    change: str
    from_usd_per_hour: float | None = None
    to_usd_per_hour: float | None = None
    percent: float | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class PriceSnapshot:
    """Prices that an answer can be had from again, by ``version``; of those that come with the service,
    ``published_at`` is ``None``.
    """

    version: str
    prices_as_of: str | None = None
    published_at: str | None = None
    offers: int | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)
