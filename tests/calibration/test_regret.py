"""Regret: the extra cost of the device picked by the estimate over the best one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from calibration.regret import Regret, hourly_prices, regrets
from tests.calibration.residuals import residual
from tests.calibration.rows import row
from tests.service.engine.catalogs import Box, Sale, catalog_of

# True rates and prices: the second device is the cheapest a sample.
RATES = {"T4": 100.0, "A10G": 300.0, "V100-16GB": 400.0, "A100-40GB": 800.0}
PRICES = {"T4": 0.5, "A10G": 1.0, "V100-16GB": 3.0, "A100-40GB": 4.0}


def judged(errors: dict[str, float], prices: dict[str, float]) -> Regret:
    """The regret of one workload on the four devices."""
    rows = [row(id=name, accelerator=name, value=rate) for name, rate in RATES.items()]
    residuals = [
        residual(measurement_id=name, device=name, log_error=math.log(errors.get(name, 1.0))) for name in RATES
    ]
    (found,) = regrets(residuals, rows, prices)
    return found


def test_true_estimates_cost_nothing() -> None:
    """True estimates pick the best device: the cheapest if there are prices, else the fastest."""
    by_price, by_rate = judged({}, PRICES), judged({}, {})

    assert (0.0, 0.0) == (by_price.share, by_rate.share)
    assert ("A10G", "A100-40GB") == (by_price.picked, by_rate.picked)


def test_a_wrong_pick_costs_its_true_price() -> None:
    """An A100 that is estimated three times as fast looks cheapest, but a sample costs half as much again."""
    found = judged({"A100-40GB": 3.0}, PRICES)

    assert found.picked == "A100-40GB"
    assert found.share == pytest.approx((4.0 / 800.0) / (1.0 / 300.0) - 1)


def test_a_wrong_estimate_that_leaves_the_order_costs_nothing() -> None:
    """An error that does not change the order costs nothing."""
    assert judged(dict.fromkeys(RATES, 2.0), PRICES).share == 0.0


def test_fewer_than_four_prices_are_no_choice_by_price() -> None:
    """Below four prices, the rate of a device decides."""
    assert (True, False) == (judged({}, PRICES).priced, judged({}, {"T4": 0.5}).priced)


def test_gains_over_one_device_are_no_rates() -> None:
    """Residuals of scaling say nothing about the fastest device."""
    rows = [row(id=name, accelerator=name, value=rate) for name, rate in RATES.items()]

    assert [] == regrets([residual(measurement_id=name, device=name, kind="scaling") for name in RATES], rows, PRICES)


def test_workloads_on_three_devices_are_not_judged() -> None:
    """A choice needs at least four devices."""
    rows = [row(id=name, accelerator=name, value=rate) for name, rate in list(RATES.items())[:3]]
    residuals = [residual(measurement_id=one.id, device=one.id) for one in rows]

    assert [] == regrets(residuals, rows, PRICES)


def test_a_devices_price_is_its_cheapest_current_on_demand_offer() -> None:
    """The price of one device is half that of a machine with two; spot and withdrawn offers do not count."""
    catalog = catalog_of(
        Box(name="one", sales=(Sale(3.0), Sale(0.5, purchase="spot"), Sale(1.0, current=False))),
        Box(name="two", count=2, sales=(Sale(4.0),)),
    )

    assert {"V100-16GB": 2.0} == {name: usd for name, usd in hourly_prices(catalog).items() if np.isfinite(usd)}
