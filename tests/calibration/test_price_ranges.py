"""The constants of the ranges of prices are those of the bundled catalog."""

from __future__ import annotations

import math

import pytest
from calibration.price_ranges import sigma_between_clouds, sigma_of_shares
from tests.service.engine.catalogs import Box, Sale, bundled, catalog_of

from plimsoll_service.engine.price_ranges import SPOT_SIGMA, UNDATED_SIGMA


def test_constants_are_those_of_the_bundled_catalog() -> None:
    """A newer catalog with another spread changes them."""
    catalog = bundled()
    assert UNDATED_SIGMA == pytest.approx(sigma_between_clouds(catalog, dated=False), abs=0.0005)
    assert SPOT_SIGMA == pytest.approx(sigma_of_shares(catalog), abs=0.0005)
    assert sigma_between_clouds(bundled(), dated=True) < UNDATED_SIGMA


def test_small_catalog_has_no_spread() -> None:
    """Without two clouds, and without families of many estimates, nothing can be said."""
    catalog = catalog_of(Box("one", (Sale(3.0),)))

    assert math.isnan(sigma_between_clouds(catalog, dated=True))
    assert math.isnan(sigma_between_clouds(catalog, dated=False))
    assert math.isnan(sigma_of_shares(catalog))
