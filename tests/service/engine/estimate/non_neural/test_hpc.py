"""HPC jobs: one machine by the roofline, several with the exchange between them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled_market
from tests.service.engine.estimate.machines import machine, scored, throughput

from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.obstacles import BOTTLENECKS
from plimsoll_service.engine.workload import Workload

FACTORISATION = Workload("hpc", flops=1e19, precision="fp64", memory_gib=100)
STREAMING = Workload("hpc", flops=2e16, bytes=1e17, precision="fp64")


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
    """Nobody measured several machines, and scaling adds an error of its own."""
    widths = [
        outcome.throughput_high[0] / outcome.throughput_low[0]
        for outcome in (scored(FACTORISATION, eight(400), nodes).outcome for nodes in (1.0, 2.0, 8.0))
    ]
    assert widths[0] < widths[1] <= widths[2]


def test_the_working_set_is_shared() -> None:
    """Each machine holds its part of the matrix, and so does each device."""
    one, four = (scored(FACTORISATION, eight(400), nodes).outcome for nodes in (1.0, 4.0))
    shares = [outcome.device.parts["working_set"][:][0] for outcome in (one, four)]
    assert shares[1] == pytest.approx(shares[0] / 4)


# All cores of two sockets, and an eighth of one: Graviton4 has 96 cores a socket.
WHOLE, PART = ({"accelerator": None, "count": 0, "vcpus": cores, "processor": "AWS Graviton4"} for cores in (192, 12))


def ends(workload: Workload, box: dict[str, object]) -> tuple[float, float]:
    """Ends of the range of the rate, divided by the rate."""
    outcome = scored(workload, machine(**box)).outcome
    return outcome.throughput_low[0] / outcome.throughput[0], outcome.throughput_high[0] / outcome.throughput[0]


def test_bytes_that_full_sockets_move_have_the_range_that_was_measured() -> None:
    """Reading, and writing a third or a half of the words, on 466 rented machines; no more than the channels move."""
    channels_gb_s, read_gb_s, stream_share = 12 * 5.6 * 8, 465.7, 0.85  # of a Graviton4
    assert (0.74, channels_gb_s / (read_gb_s * stream_share)) == pytest.approx(ends(STREAMING, WHOLE))
    skylake = WHOLE | {"vcpus": 96, "processor": "Intel Xeon Platinum 8175M"}
    assert ends(STREAMING, skylake)[1] == pytest.approx(min(1.83, 6 * 2.666 * 8 / (111 * stream_share)))


@pytest.mark.parametrize(
    ("workload", "box"),
    [(STREAMING, PART), (replace(STREAMING, bytes=None), WHOLE), (replace(STREAMING, flops=1e20), WHOLE)],
    ids=["cores that one kernel may keep from filling the socket", "no bytes", "operations that set the pace"],
)
def test_other_work_has_the_range_of_what_nobody_measured(workload: Workload, box: dict[str, object]) -> None:
    """The share of the peak that a program reaches is its own, and so is that of a core's bandwidth."""
    low, _ = ends(workload, box)
    assert low == pytest.approx(1 / 2.9)


def bandwidth(name: str) -> tuple[float, float, float]:
    """GB/s at which a rented machine streams: low, estimate, high."""
    market = bundled_market()
    [row] = [row for row, known in enumerate(market.catalog.instance_types.name) if known == name]
    outcome = scored(STREAMING, market.machines.take(np.array([row]))).outcome
    gb_per_gflop = (STREAMING.bytes or 0) / (STREAMING.flops or 1)
    rates = (outcome.throughput_low, outcome.throughput, outcome.throughput_high)
    low, value, high = (rate.item(0) * gb_per_gflop for rate in rates)
    return low, value, high


@pytest.mark.parametrize(
    ("name", "share", "alone"),
    [("Standard_E16ps_v6", 474 / 8, 16 * 21.36), ("c8g.8xlarge", 466 / 3, 466), ("r8g.4xlarge", 466 / 6, 16 * 24.65)],
)
def test_a_part_of_a_socket_counts_on_twice_its_share_and_no_idle_neighbours(
    name: str, share: float, alone: float
) -> None:
    """The range reaches from what is left beside busy neighbours to what the cores take beside idle ones."""
    low, value, high = bandwidth(name)

    assert share < value <= 2.3 * 0.85 * share
    assert low <= share
    assert high >= 0.85 * alone


@pytest.mark.parametrize(
    ("name", "least", "most"), [("Standard_HB120rs_v3", 280, 350), ("Standard_HB176rs_v4", 600, 780)]
)
def test_whole_hosts_stream_what_their_cloud_says(name: str, least: float, most: float) -> None:
    """STREAM's triad reaches 330 to 350 GB/s on HBv3 and 650 to 780 on HBv4 (Azure's page of these series)."""
    low, value, high = bandwidth(name)

    assert least <= value <= most
    assert low <= most
    assert high >= most


def test_few_cores_with_all_memory_of_a_host_share_it_with_nobody() -> None:
    """An HB machine with 64 of 120 cores has all 456 GiB, and so has hpc7g.4xlarge with 16 of 64."""
    machines, names = bundled_market().machines, bundled_market().catalog.instance_types.name
    few = [names.index(name) for name in ("Standard_HB120-64rs_v3", "hpc7g.4xlarge", "hpc7a.12xlarge")]

    assert machines.cpu_bandwidth_gb_s[few].tolist() == machines.cpu_share_gb_s[few].tolist()


def test_cores_compute_no_more_than_their_units_can() -> None:
    """Cores, vector width and the clock of all cores bound a dense factorization, of which 0.7 is the estimate."""
    _, high = ends(replace(STREAMING, bytes=None), WHOLE)
    assert high == pytest.approx(1 / 0.7)
