"""The network between described machines that the caller does not name."""

from __future__ import annotations

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled_market

from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.own_machines import GENERIC_ARM, described_types, own_machines
from plimsoll_service.engine.workload import Hardware


@pytest.fixture(scope="module")
def market() -> Market:
    return bundled_market()


def gbps(market: Market, **described: object) -> float:
    return float(own_machines((Hardware(**described),), market).machines.network_gbps[0])


def test_several_machines_get_the_best_network_sold_with_the_accelerator(market: Market) -> None:
    """Eight H100 a machine are sold with 3,200 Gbit/s; half as many get half of it."""
    assert 3200.0 == gbps(market, accelerator="H100-SXM", count=8, node_count=2)
    assert 1600.0 == gbps(market, accelerator="H100-SXM", count=4, node_count=2)


@pytest.mark.parametrize("accelerator", ["Jetson-AGX-Orin-64GB", "RTX-4090", "RX-7900-XTX", "Apple-M2-Ultra"])
def test_machines_that_stand_on_desks_have_a_desktops_network(market: Market, accelerator: str) -> None:
    """Nobody has the network of a cloud's machines between boards and consumer cards of the same generation."""
    assert 10.0 == gbps(market, accelerator=accelerator, count=1, max_nodes=4)


def test_a_stated_network_stands(market: Market) -> None:
    """A network that the caller states is not changed."""
    assert 25.0 == gbps(market, accelerator="H100-SXM", count=8, node_count=2, network_gbps=25)


def test_a_machine_alone_needs_none(market: Market) -> None:
    """One machine exchanges nothing with others."""
    assert np.isnan(gbps(market, accelerator="H100-SXM", count=8))


def test_tpu_chips_are_wired_across_machines(market: Market) -> None:
    """A slice's chips talk over their own links, not over the hosts' network."""
    assert gbps(market, accelerator="TPU-v5p", count=4, node_count=2) > gbps(
        market, accelerator="T4", count=4, node_count=2
    )


def test_chips_with_ports_of_their_own_talk_over_three_of_them(market: Market) -> None:
    """Eight Gaudi 3 send 600 GB/s out of their machine, eight Gaudi 2 half of that."""
    assert [4800.0, 2400.0] == [gbps(market, accelerator=name, count=8, node_count=2) for name in ("Gaudi3", "Gaudi2")]


@pytest.mark.parametrize(
    ("accelerator", "processor"), [("Apple-M2-Ultra", GENERIC_ARM), ("GB10", GENERIC_ARM), ("A100-40GB", None)]
)
def test_a_chip_with_arm_cores_has_an_arm_processor(market: Market, accelerator: str, processor: str | None) -> None:
    """Unified memory of NVIDIA is that of Arm cores; the processor of other machines is the most common one."""
    row = int(described_types((Hardware(accelerator=accelerator),), market).processor[0])
    name = market.catalog.processors.name[row]

    assert (name == GENERIC_ARM) == (processor is not None)
