"""Assumptions about half-described machines, and about names that stand for several devices."""

from __future__ import annotations

import pytest
from tests.service.engine.catalogs import bundled_market

from plimsoll_service.engine.choice.understood import assumed_of_constraints, assumed_of_hardware
from plimsoll_service.engine.workload import Constraints, Hardware

WHOLE = Hardware(accelerator="T4", count=1, cpu="Skylake", vcpus=8, memory_gib=32)


def values(*on: Hardware) -> dict[str, object]:
    return {one.field: one.value for one in assumed_of_hardware(on, bundled_market())}


@pytest.mark.parametrize(
    ("spelled", "taken"),
    [("A100", "A100-40GB"), ("nvidia-tesla-v100", "V100-16GB"), ("Tesla V100", "V100-16GB"), ("h100", "H100-SXM")],
)
def test_a_generation_takes_its_common_variant(spelled: str, taken: str) -> None:
    """The name of a whole generation is an assumption, in ``on`` and among the constraints."""
    assert taken == values(Hardware(accelerator=spelled))["on.accelerator"]
    found = assumed_of_constraints(Constraints(accelerators=("T4", spelled)), bundled_market())
    assert [("constraints.accelerators.1", taken)] == [(one.field, one.value) for one in found]


@pytest.mark.parametrize(
    ("named", "others"),
    [
        (("H100",), "; to allow others, name them: H100-PCIe, H100-NVL"),
        (("H100", "H100 PCIe"), "; to allow others, name them: H100-NVL"),
        (("H100", "H100 PCIe", "H100 NVL"), ""),
        (("P100",), ""),
    ],
)
def test_a_constraint_lists_the_rented_variants_that_it_leaves_out(named: tuple[str, ...], others: str) -> None:
    """A name of several variants leaves out part of the market; no cloud of the catalog rents a P100-SXM2."""
    [told] = assumed_of_constraints(Constraints(accelerators=named), bundled_market())
    assert f"{named[0]!r} names several variants; this is the usual one{others}" == told.why


def test_the_owner_of_a_machine_knows_its_variant() -> None:
    """A described machine has one; there is nothing to allow beside it."""
    [told] = [one.why for one in assumed_of_hardware((Hardware(accelerator="H100"),), bundled_market())][:1]
    assert "'H100' names several variants; this is the usual one" == told


@pytest.mark.parametrize("name", ["T4", "A10", "A100 80GB", "V100 16GB SXM2", "MI300X", "RTX 3090", "tpu v4"])
def test_a_name_of_one_device_is_no_assumption(name: str) -> None:
    """Nothing is assumed where the name tells the device."""
    assert "on.accelerator" not in values(Hardware(accelerator=name))


@pytest.mark.parametrize(
    ("accelerator", "whose"),
    [("H100-SXM", "this accelerator"), ("RTX A5500", "accelerators of its generation")],
)
def test_the_network_of_several_own_machines_is_that_of_rented_ones(accelerator: str, whose: str) -> None:
    """Of a device that no cloud offers, it is that of others of its generation."""
    on = Hardware(accelerator=accelerator, count=1, vcpus=8, memory_gib=32, node_count=2)
    whys = [one.why for one in assumed_of_hardware((on,), bundled_market()) if one.field == "on.network_gbps"]
    assert [f"the fastest network that a cloud offers with {whose}"] == whys


def test_the_network_of_boards_is_a_typical_one() -> None:
    """No cloud's network lies between boards."""
    on = Hardware(accelerator="Jetson AGX Orin 64GB", count=1, node_count=2)
    found = [one for one in assumed_of_hardware((on,), bundled_market()) if one.field == "on.network_gbps"]
    assert [(10.0, "a typical cluster network")] == [(one.value, one.why) for one in found]


def test_what_a_bare_machine_leaves_out_is_listed() -> None:
    """Count, processor, vCPUs, memory and a fast disk are taken for it; what is said is not."""
    left_out = values(Hardware(accelerator="T4"))
    assert {"on.count", "on.cpu", "on.vcpus", "on.memory_gib", "on.disk"} == set(left_out)
    assert (1, 64, 256) == (left_out["on.count"], left_out["on.vcpus"], left_out["on.memory_gib"])
    assert {"on.disk"} == set(values(WHOLE))
    assert {} == values(Hardware(cloud="aws", instance_type="p3.2xlarge"))


def test_each_of_several_machines_has_its_place() -> None:
    """In a comparison the field counts the machines; own machines stand among the constraints."""
    assert {"on.0.disk", "on.1.memory_gib", "on.1.disk"} == set(values(WHOLE, Hardware(cpu="Skylake", vcpus=8)))
    own = Constraints(own_machines=(Hardware(cpu="Skylake", vcpus=8, usd_per_hour=1),))
    found = [one.field for one in assumed_of_constraints(own, bundled_market())]
    assert ["constraints.own_machines.0.memory_gib", "constraints.own_machines.0.disk"] == found
