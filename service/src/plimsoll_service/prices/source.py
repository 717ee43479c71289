"""The one interface through which the service learns prices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from plimsoll_service.engine.hardware import Offers

DEFAULT_LIMIT = 100


@dataclass(frozen=True, slots=True)
class PriceRecord:
    """The price of one offer in USD for one machine and hour; ``current`` is False where it is no longer sold."""

    cloud: str
    region: str
    instance_type: str
    purchase: str
    usd_per_hour: float
    as_of: str | None
    source: str
    stale: bool
    confidence: str
    current: bool


@dataclass(frozen=True)
class PricePage:
    """Some of the ``total`` records that a lookup found, in the catalog's order."""

    items: tuple[PriceRecord, ...]
    total: int


@dataclass(frozen=True, eq=False)
class PriceSnapshot:
    """All offers at one moment; the same version always means the same prices."""

    version: str
    as_of: str
    offers: Offers


class PriceSource(Protocol):
    """Where prices come from; neither method ever fails because something outside the process did."""

    def snapshot(self) -> PriceSnapshot:
        """The prices in force, in constant time and without I/O."""
        ...

    def lookup(
        self,
        cloud: str | None = None,
        region: str | None = None,
        instance_type: str | None = None,
        purchase: str | None = None,
        *,
        offset: int = 0,
        limit: int = DEFAULT_LIMIT,
    ) -> PricePage:
        """The prices that match all filters given (an unknown name matches none); ``None`` filters nothing."""
        ...
