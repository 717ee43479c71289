"""What lines are sized with: the installation's catalog, prices of one version, and its own terms."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import lru_cache

import structlog

from ..api import own_terms
from ..api.service import Sizer, service
from ..app import create_app
from ..catalog.faults import CatalogError
from ..engine.choice.market import Market, market_of
from ..engine.prices import Prices
from ..engine.workload import Terms
from ..prices.source import PriceBook, PriceSource, SnapshotUnavailable, UnknownSnapshot
from ..settings import Settings
from .faults import BulkError


@dataclass(frozen=True, eq=False)
class Installed:
    """All that answers need; the same prices for every line of a run."""

    sizer: Sizer
    prices: Prices
    market: Market
    terms: Terms


@lru_cache(maxsize=1)
def installed(settings: Settings, version: str | None) -> Installed:
    """The installation at the prices of a version, or at those in force; raises ``BulkError``.

    Kept, so that forked processes find in memory what their parent loaded.
    """
    try:
        app = create_app(replace(settings, log_level="error"))
        # Standard output may be where the answers go.
        structlog.configure(logger_factory=lambda *_: structlog.PrintLogger(sys.stderr))
        with app.app_context():
            together = service()
        prices = _book(together.prices, version).prices
        terms = own_terms.installed(settings.terms_path, together.catalog)
    except (CatalogError, own_terms.TermsError) as error:
        raise BulkError(str(error)) from error
    return Installed(together.sizer, prices, market_of(together.catalog, prices), terms)


def _book(source: PriceSource, version: str | None) -> PriceBook:
    if version is None:
        return source.current()
    try:
        return source.at(version)
    except UnknownSnapshot as unknown:
        raise BulkError(unknown.why or f"prices of version {version!r} are not kept here") from unknown
    except SnapshotUnavailable as unavailable:
        raise BulkError(f"whether prices of version {version!r} are kept cannot be told now") from unavailable
