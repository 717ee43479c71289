"""Time that the exchange of gradients adds to a step on several devices and machines."""

from __future__ import annotations

import numpy as np
import pytest
from calibration.problems.scaling import parallel_step
from tests.service.engine.estimate.machines import machine, with_figures

from plimsoll_service.engine.coefficients import SCALING
from plimsoll_service.engine.estimate.samples.layouts import exchange_between, exchange_inside

GIGABYTE = 1e9


def ones(value: float) -> np.ndarray:
    return np.array([float(value)])


def inside(devices: float, size: float = GIGABYTE, **facts: object) -> float:
    return float(exchange_inside(SCALING, machine(**facts), ones(devices), size)[0])


def between(nodes: float, size: float = GIGABYTE, gbps: float = 100) -> float:
    return float(exchange_between(SCALING, machine(network_gbps=gbps), ones(nodes), size)[0])


def test_one_device_exchanges_nothing() -> None:
    """A single device has its own time, to the last digit."""
    assert 0.0 == inside(1) == between(1)
    assert 0.25 == float(parallel_step(SCALING, machine(), ones(0.25), ones(1), ones(1), GIGABYTE)[0])


@pytest.mark.parametrize("n", [2, 4, 8])
def test_a_ring_moves_twice_all_but_one_share(n: int) -> None:
    """Time over the network grows as 2·(n−1)/n, and linearly with the bytes."""
    assert between(n) / between(2) == pytest.approx((n - 1) / n / 0.5)
    assert between(n, 3 * GIGABYTE) == pytest.approx(3 * between(n))


def test_a_faster_network_exchanges_faster() -> None:
    """Ten times the bandwidth is a tenth of the time."""
    assert between(4, gbps=10) == pytest.approx(10 * between(4, gbps=100))


def test_an_unknown_network_is_unknown() -> None:
    """Several machines without a figure for their network have no time."""
    assert np.isnan(between(2, gbps=float("nan")))


def test_nvlink_beats_the_bus() -> None:
    """Devices with NVLink exchange faster than over PCIe, and more devices contend for the bus."""
    linked = inside(8, count=8, interconnect="nvlink", interconnect_gb_s=300)
    assert linked < inside(8, count=8)
    assert inside(8, count=8) > inside(2, count=8) * (7 / 8) / (1 / 2)


@pytest.mark.parametrize("devices", [2, 8])
def test_the_exchange_hides_behind_a_long_step(devices: int) -> None:
    """A step much longer than its exchange grows only with the devices; a short one shows the exchange in full."""
    on = with_figures(machine(count=devices), link_gb_s=150)
    long = float(parallel_step(SCALING, on, ones(100.0), ones(devices), ones(1), GIGABYTE)[0])
    assert 100.0 < long < 110.0
    short = float(parallel_step(SCALING, on, ones(1e-4), ones(devices), ones(1), GIGABYTE)[0])
    assert short == pytest.approx(float(exchange_inside(SCALING, on, ones(devices), GIGABYTE)[0]), rel=0.01)
