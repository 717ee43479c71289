"""The service's fitted coefficients, and the jobs and markets of tests that use them."""

from __future__ import annotations

from functools import lru_cache

import pytest

from plimsoll_service.engine.choice import market
from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.demand import assume
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.engine.prices import Prices
from plimsoll_service.engine.workload import Query
from plimsoll_service.evidence import coefficients

FITTED = coefficients.load()
# Made-up catalogs have the same accelerators.
spelled_once = lru_cache(maxsize=2)(market.accelerator_spellings)


def job_of(query: Query, fitted: Coefficients = FITTED) -> Job:
    """The job that a query asks for."""
    return assume.job_of(query, fitted)


def market_of(catalog: Catalog, prices: Prices | None = None) -> market.Market:
    """The catalog as the choice sees it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(market, "accelerator_spellings", spelled_once)
        return market.market_of(catalog, FITTED, prices)
