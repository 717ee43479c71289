"""The objects that the views work with; the application creates them once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock

from flask import Flask, current_app

from ..engine.hardware import Catalog
from ..prices.source import PriceLookups, PriceSource
from ..sizing import Sizer
from .catalog_names import CatalogNames

_EXTENSION = "plimsoll"


@dataclass(frozen=True)
class Service:
    """The catalog, its prices, and the sizer that uses both."""

    catalog: Catalog
    prices: PriceSource
    lookups: PriceLookups
    sizer: Sizer
    metrics_directory: str | None = field(default=None, kw_only=True)
    # Only one thread computes at a time: concurrent ones are slower and take more memory.
    turn: Lock = field(default_factory=Lock, kw_only=True, repr=False, compare=False)

    @cached_property
    def names(self) -> CatalogNames:
        """The names in the catalog, in any spelling."""
        return CatalogNames(self.catalog)


def attach(app: Flask, service: Service) -> None:
    """Give the application its service."""
    app.extensions[_EXTENSION] = service


def service() -> Service:
    """The service of the application that handles this request."""
    found: Service = current_app.extensions[_EXTENSION]
    return found
