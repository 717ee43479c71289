"""HPC jobs: one machine by the roofline, several with the exchange between them."""

from __future__ import annotations

import pytest
from tests.service.engine.estimate.machines import machine, scored, throughput

from plimsoll_service.engine.estimate.outcome import BOTTLENECKS
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.workload import Workload

FACTORISATION = Workload("hpc", flops=1e19, precision="fp64", memory_gib=100)


def eight(network_gbps: float) -> Machines:
    return machine(accelerator="A100-80GB", count=8, vcpus=96, memory_gib=1000, network_gbps=network_gbps)


@pytest.mark.parametrize("nodes", [2, 4, 16])
def test_several_machines_are_faster_and_never_as_many_times(nodes: int) -> None:
    """The machines exchange panels of the matrix, over a faster network in less time."""
    one, several = (throughput(FACTORISATION, eight(400), count) for count in (1, nodes))
    assert one < several < nodes * one
    assert throughput(FACTORISATION, eight(100), nodes) < several


def test_a_slow_network_limits_several_machines() -> None:
    """The bottleneck is the network where the exchange takes longer than the work."""
    outcome = scored(FACTORISATION, eight(1), 16).outcome
    assert "network" == BOTTLENECKS[int(outcome.bottleneck[0])]


def test_the_range_of_several_machines_is_wider() -> None:
    """Nobody measured either, and scaling has an error of its own."""
    widths = [
        outcome.throughput_high[0] / outcome.throughput_low[0]
        for outcome in (scored(FACTORISATION, eight(400), nodes).outcome for nodes in (1.0, 2.0, 8.0))
    ]
    assert widths[0] < widths[1] <= widths[2]


def test_the_working_set_is_shared() -> None:
    """Each machine holds its part of the matrix, and so does each device."""
    one, four = (scored(FACTORISATION, eight(400), nodes).outcome for nodes in (1.0, 4.0))
    assert four.device.required[0] == pytest.approx(one.device.required[0] / 4)
