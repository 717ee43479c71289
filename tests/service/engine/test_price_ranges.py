"""Estimated and undated prices have a range that comes from data."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, Sale, bundled, catalog_of

from plimsoll_service.engine.hardware import Catalog, Offers
from plimsoll_service.engine.price_ranges import (
    FEW_SHARES,
    SPOT_SIGMA,
    UNDATED_SIGMA,
    Ranged,
    ranged,
    spot_shares,
)


def estimated(shares: list[float], family: str = "p3", usd_per_hour: float = 10.0) -> tuple[Box, ...]:
    """Types of one family with a price on demand, and an estimated spot price of that share."""
    return tuple(
        Box(
            f"{family}.{place}",
            (Sale(usd_per_hour), Sale(usd_per_hour * share, purchase="spot", confidence="estimated")),
            family=family,
        )
        for place, share in enumerate(shares)
    )


def found(*boxes: Box) -> Ranged:
    catalog = catalog_of(*boxes)
    return ranged(catalog, catalog.offers)


def test_quoted_price_has_no_range() -> None:
    """A list price or a derived price has no range."""
    prices = found(Box("one", (Sale(3.0),)), Box("two", (Sale(2.0, confidence="derived"),)))

    assert [3.0, 2.0] == prices.offers.usd_per_hour.tolist()
    assert np.isnan([*prices.low, *prices.high]).all()
    assert [0.0, 0.0] == prices.sigma.tolist()


def test_undated_price_is_as_doubtful_as_such_clouds_differ() -> None:
    """The price stays, in the middle of its range."""
    prices = found(Box("one", (Sale(3.0, confidence="undated"),)))

    assert [3.0] == prices.offers.usd_per_hour.tolist()
    assert 3.0 == pytest.approx(math.sqrt(prices.low.item() * prices.high.item()), rel=1e-5)
    assert prices.sigma.item() == pytest.approx(UNDATED_SIGMA, rel=1e-4)


def test_family_has_one_share_at_its_high_end() -> None:
    """The cheapest estimate is no offer: all types of a family get the 90th percentile of its shares."""
    shares = [0.1, 0.2, 0.3, 0.3, 0.3, 0.4, 0.4, 0.4, 0.5, 0.5, 0.5]
    prices = found(*estimated(shares), *estimated([0.05] * FEW_SHARES, family="other"))
    spot = prices.offers.purchase == 1

    assert prices.offers.usd_per_hour[spot].tolist() == pytest.approx([5.0] * len(shares) + [0.5] * FEW_SHARES)
    assert 5.0 == pytest.approx(math.sqrt(prices.low[spot][0] * prices.high[spot][0]), rel=1e-5)
    assert prices.sigma[spot] == pytest.approx(SPOT_SIGMA, rel=1e-4)
    assert prices.sigma[~spot].tolist() == [0.0] * (len(shares) + FEW_SHARES)


def test_estimate_without_a_price_on_demand_keeps_its_figure() -> None:
    """An estimate without a price on demand stays, because there is nothing to take a share of."""
    prices = found(Box("alone", (Sale(2.0, purchase="spot", confidence="estimated"),)))

    assert [2.0] == prices.offers.usd_per_hour.tolist()
    assert prices.low.item() < 2.0 < prices.high.item()


def test_bundled_price_lies_in_its_range() -> None:
    """Every price in doubt has a range around it, and no quoted one has."""
    catalog: Catalog = bundled()
    prices = ranged(catalog, catalog.offers)
    offers: Offers = prices.offers
    doubted = np.isin(offers.confidence.codes, [offers.confidence.code_of(word) for word in ("estimated", "undated")])

    assert np.array_equal(doubted, np.isfinite(prices.low) & np.isfinite(prices.high))
    assert np.array_equal(doubted, prices.sigma > 0)
    assert (prices.low <= offers.usd_per_hour)[doubted].all()
    assert (prices.high >= offers.usd_per_hour)[doubted].all()


def test_mean_of_a_price_lies_in_its_range() -> None:
    """By the contract's formula, value × exp(σ² / 2); that of p4de on spot was a quarter above the high end."""
    catalog = bundled()
    prices = ranged(catalog, catalog.offers)
    doubted, mean = prices.sigma > 0, prices.offers.usd_per_hour * np.exp(prices.sigma**2 / 2)

    assert doubted.any()
    assert (prices.low <= mean)[doubted].all()
    assert (mean <= prices.high)[doubted].all()


def test_regions_of_a_family_have_the_same_share() -> None:
    """The cheapest region on spot is the cheapest on demand: no region is a bargain by a guess."""
    catalog = bundled()
    prices = ranged(catalog, catalog.offers).offers.usd_per_hour

    for rows, _ in spot_shares(catalog, catalog.offers):
        shares = prices[rows] / prices[rows - 1]
        assert shares.min() == pytest.approx(shares.max(), rel=1e-4)
