"""Data that lines are sized with: the installation's catalog, prices of one version, and its pricing agreements."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import lru_cache

import structlog

from ..api import pricing_agreements
from ..api.service import Service, service
from ..app import create_app
from ..catalog.faults import CatalogError
from ..engine.choice.market import Market, market_of
from ..engine.workload import Terms
from ..evidence import coefficients
from ..prices.source import PriceBook, PriceSource, SnapshotUnavailable, UnknownSnapshot
from ..settings import Settings
from . import BulkError


@dataclass(frozen=True, eq=False)
class Installed:
    """All that answers need: the catalog at the prices of a run, and the operator's pricing agreements."""

    market: Market
    terms: Terms


def in_force(settings: Settings) -> str:
    """Version of the current prices; raises ``BulkError``."""
    return _service(settings).prices.current().prices.version


@lru_cache(maxsize=1)
def installed(settings: Settings, version: str) -> Installed:
    """Return the installation at the prices of a version; raises ``BulkError``.

    It is cached, so that forked processes share it with their parent.
    """
    together = _service(settings)
    prices = _book(together.prices, version).prices
    try:
        terms = pricing_agreements.installed(settings.terms_path, together.catalog)
    except pricing_agreements.PricingAgreementsError as error:
        raise BulkError(str(error)) from error
    return Installed(market_of(together.catalog, coefficients.load(), prices), terms)


@lru_cache(maxsize=1)
def _service(settings: Settings) -> Service:
    try:
        app = create_app(replace(settings, log_level="error"))
    except (CatalogError, pricing_agreements.PricingAgreementsError) as error:
        raise BulkError(str(error)) from error
    # Standard output may be the output of the answers.
    structlog.configure(logger_factory=lambda *_: structlog.PrintLogger(sys.stderr))
    with app.app_context():
        return service()


def _book(source: PriceSource, version: str) -> PriceBook:
    try:
        return source.at(version)
    except UnknownSnapshot as unknown:
        raise BulkError(unknown.why or f"prices of version {version!r} are not kept here") from unknown
    except SnapshotUnavailable as unavailable:
        raise BulkError(f"it is unknown now whether prices of version {version!r} are kept") from unavailable
