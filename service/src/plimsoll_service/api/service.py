"""What the views work with; the application puts it together once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Protocol

from flask import Flask, current_app

from ..engine.answer import Answer, Comparison, HardwareEstimate
from ..engine.faults import Fault
from ..engine.hardware import Catalog
from ..engine.prices import Prices
from ..engine.workload import Hardware, Query
from ..prices.source import PriceLookups, PriceSource
from .catalog_names import CatalogNames

_EXTENSION = "plimsoll"


class Sizer(Protocol):
    """The use case behind the three questions, at the prices given or else in force."""

    def faults(self, query: Query, on: tuple[Hardware, ...] = (), prices: Prices | None = None) -> tuple[Fault, ...]:
        """Everything that is wrong with a well-formed query."""
        ...

    def recommend(self, query: Query, prices: Prices | None = None) -> Answer:
        """Which machines to rent; raises ``Refused``."""
        ...

    def estimate(self, query: Query, on: Hardware, prices: Prices | None = None) -> HardwareEstimate:
        """How one machine does; raises ``Refused``."""
        ...

    def compare(self, query: Query, on: tuple[Hardware, ...], prices: Prices | None = None) -> Comparison:
        """How several machines do; raises ``Refused``."""
        ...


@dataclass(frozen=True)
class Service:
    """The catalog, its prices, and the sizer that rests on both."""

    catalog: Catalog
    prices: PriceSource
    lookups: PriceLookups
    sizer: Sizer
    metrics_directory: str | None = field(default=None, kw_only=True)
    # Threads that size at once hand the interpreter to and fro, and take memory each: one after the other is faster.
    turn: Lock = field(default_factory=Lock, kw_only=True, repr=False, compare=False)

    @cached_property
    def names(self) -> CatalogNames:
        """The spellings under which things of the catalog are found."""
        return CatalogNames(self.catalog)


def attach(app: Flask, service: Service) -> None:
    """Give the application its service."""
    app.extensions[_EXTENSION] = service


def service() -> Service:
    """The service of the application that handles this request."""
    found: Service = current_app.extensions[_EXTENSION]
    return found
