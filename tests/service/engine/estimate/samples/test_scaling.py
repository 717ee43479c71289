"""Time that the exchange of gradients adds to a step on several devices and machines."""

from __future__ import annotations

import numpy as np
import pytest
from calibration.problems.scaling import parallel_step
from tests.service.engine.estimate.machines import hours, machine, with_figures

from plimsoll_service.engine.coefficients import SCALING
from plimsoll_service.engine.estimate.samples.layouts import exchange_between, exchange_inside
from plimsoll_service.engine.workload import Dataset, Workload

GIGABYTE = 1e9
DATA = Dataset(samples=1e6, format="memory")


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


@pytest.mark.parametrize("card", ["RTX-2080-Ti", "RTX-3090", "RTX-4070-Super", "RTX-5090-D", "T4", "A10G", "L4"])
def test_cards_without_peer_access_exchange_through_the_host(card: str) -> None:
    """Cards that cannot read each other's memory move a gigabyte at the speed of the host's memory."""
    assert inside(2, accelerator=card) == pytest.approx(1 / SCALING.staged_gb_s)


@pytest.mark.parametrize("card", ["RTX-A5000", "RTX-4000-Ada", "A10", "L40S", "V100-PCIe", "RTX-5000-Turing"])
def test_other_cards_exchange_over_their_bus(card: str) -> None:
    """Cards with peer access move it over PCIe."""
    on = machine(accelerator=card)
    assert inside(2, accelerator=card) == pytest.approx(1 / (SCALING.pcie * float(on.pcie_gb_s[0])))


@pytest.mark.parametrize(("model", "framework"), [("bert-large", "pytorch"), ("llama-3.2-1b", "huggingface")])
def test_processes_that_share_cores_start_their_kernels_later(model: str, framework: str) -> None:
    """Two processes on one core are slower, and no slower on four cores than on sixteen."""
    work = Workload("training", model=model, framework=framework, batch_size=1, sequence_length=128, dataset=DATA)
    one, four, sixteen = (
        hours(work, machine(accelerator="H100-SXM", count=2, interconnect="nvlink", interconnect_gb_s=900, vcpus=vcpus))
        for vcpus in (2, 8, 32)
    )
    assert one > 1.1 * four
    assert four == pytest.approx(sixteen)


@pytest.mark.parametrize("devices", [2, 8])
def test_the_exchange_hides_behind_a_long_step(devices: int) -> None:
    """A step much longer than its exchange grows only with the devices; a short one shows the exchange in full."""
    on = with_figures(machine(count=devices), link_gb_s=150)
    long = float(parallel_step(SCALING, on, ones(100.0), ones(devices), ones(1), GIGABYTE)[0])
    assert 100.0 < long < 110.0
    short = float(parallel_step(SCALING, on, ones(1e-4), ones(devices), ones(1), GIGABYTE)[0])
    assert short == pytest.approx(float(exchange_inside(SCALING, on, ones(devices), GIGABYTE)[0]), rel=0.01)
