"""The disk that a recommendation orders moves what is needed, as far as its product does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, ask, bundled_market, made_up

from plimsoll_service.engine.columns import take
from plimsoll_service.engine.estimate.input import disk_orders
from plimsoll_service.engine.units import MIB
from plimsoll_service.engine.workload import Constraints, Dataset, Disk, Hardware, Query, Workload

READ = Workload("training", model="resnet-50", epochs=2, dataset=Dataset(samples=2_000_000, size_bytes=3e11))
SMALL = replace(READ, dataset=Dataset(samples=1_000, size_bytes=1e8))


@pytest.mark.parametrize("workload", [READ, SMALL], ids=["much is read", "little is read"])
@pytest.mark.parametrize("kind", ["ssd", "balanced", "hdd"])
def test_a_disk_moves_what_its_product_includes_and_no_more_than_it_can(workload: Workload, kind: str) -> None:
    """Requests and throughput lie between the included ones and the most of a volume of that size."""
    market = bundled_market()
    disks = market.prices.disks
    asked = replace(workload, disk=Disk(type=kind))
    answer = ask(Query(asked, Constraints(clouds=("aws", "gcp", "azure"), max_accelerators=8), limit=10), market)
    assert answer.recommendations
    for one in answer.recommendations:
        disk = one.sizing.disk
        rows = np.array([disks.product.index(disk.product)], dtype=np.int32)
        most, included = (
            disk_orders.limits(disks, rows, np.array([disk.size_gib])),
            take(disk_orders.volume_prices(disks), rows),
        )
        assert included.iops_base[0] <= disk.iops * 1.0001 <= max(most.iops[0], included.iops_base[0]) * 1.001
        least, largest = included.mib_s_base[0], max(most.mib_s[0], included.mib_s_base[0])
        assert least <= disk.throughput_mib_s * 1.0001 <= largest * 1.001


def test_an_unknown_disk_is_asked_for_what_the_estimate_needs() -> None:
    """A machine of one's own with fast devices wants more than a plain volume moves, and its owner is told."""
    box = Hardware(accelerator="A100-80GB", count=8, usd_per_hour=3.5, vcpus=128, memory_gib=64, label="box")
    only = Constraints(own_machines=(box,), clouds=("aws",), accelerators=("A100-80GB",), max_usd_per_hour=4)
    [one] = ask(Query(READ, only), bundled_market()).recommendations
    disk = one.sizing.disk
    assert one.estimate.throughput is not None
    read = one.estimate.throughput.value * 3e11 / 2_000_000 / MIB
    assert (one.label, disk.product) == ("box", None)
    assert disk_orders.PLAIN_MIB_S < disk.throughput_mib_s == pytest.approx(read, rel=0.05)


ADAPT = Workload("training", model="llama-3-8b", method="lora", tokens=1e6)


SERVE = Workload("inference", model="llama-3-8b")


@pytest.mark.parametrize(("workload", "device"), [(ADAPT, "MI300X"), (READ, "MI300X"), (SERVE, "Gaudi3")])
def test_memory_is_no_less_certain_on_a_device_that_nobody_measured(workload: Workload, device: str) -> None:
    """Its speed may be anything; weights, states and activations are the same bytes as on other makers' devices."""
    machine = made_up(Box(accelerator=device, vcpus=96, memory_gib=1850))
    one = ask(Query(workload), machine).recommendations[0]
    memory = one.sizing.accelerator_memory_gib
    assert one.estimate.throughput.high > 2 * one.estimate.throughput.low
    assert memory.required < memory.high < 1.5 * memory.required
