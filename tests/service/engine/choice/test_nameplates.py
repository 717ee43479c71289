"""A nameplate has the facts of a machine that do not depend on the work."""

from __future__ import annotations

import pytest
from tests.service.engine.catalogs import Box, made_up

from plimsoll_service.engine.choice.nameplates import ARM, NOT_OFFERED, Nameplate, nameplate_of
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.rules import Remark
from plimsoll_service.engine.workload import Hardware


def plate(**box: object) -> Nameplate:
    """The nameplate of one made-up type."""
    market = made_up(Box(**box))
    return nameplate_of(market.machines, 0, market.catalog)


def text(note: Remark | None) -> str:
    """Text of a note; empty without a note."""
    return "" if note is None else note.text


def test_figures_are_the_machines_own() -> None:
    """To the digits that an answer shows, but for what texts and comparisons need."""
    found = plate(vcpus=8, memory_gib=61.123456, disk_mib_s=437.5)

    assert (found.vcpus, found.shown_vcpus, found.shown_memory_gib, found.disk_mib_s) == (8.0, 8.0, 61.123, 437.5)
    assert found.rented
    assert found.chip is not None
    assert found.chip.memory_gib == 16.0


def test_a_machine_without_devices_has_no_chip() -> None:
    """A machine without devices has no chip, and no note about one."""
    assert plate(accelerator=None, count=0).chip is None


@pytest.mark.parametrize(
    ("box", "linked"),
    [({"accelerator": "T4"}, False), ({"interconnect": "nvlink", "interconnect_gb_s": 150.0}, True)],
    ids=["PCIe alone", "NVLink"],
)
def test_devices_are_linked_where_they_have_a_bus_of_their_own(box: dict[str, object], linked: bool) -> None:
    """Devices that share the PCIe bus are not linked."""
    chip = plate(count=2, **box).chip

    assert chip is not None
    assert chip.linked is linked


def test_notes_follow_from_type_processor_and_device() -> None:
    """Each where it belongs, in the order in which an answer has them."""
    odd = plate(architecture="arm64", retired=True, accelerator="K80", count=0.5)
    burstable = plate(accelerator=None, count=0, sustained_cpu=0.4, vcpus=2)

    assert odd.chip is not None
    assert (odd.arm, odd.of_type) == (ARM, (NOT_OFFERED,))
    assert "Kepler" in text(odd.chip.superseded)
    assert "0.5 of a device" in text(odd.chip.fraction)
    assert "40% of 2 vCPUs" in text(burstable.of_type[0])
    assert (burstable.arm, text(burstable.managed)[:16]) == (None, "Amazon SageMaker")


def test_what_is_usual_needs_no_note() -> None:
    """A current device, whole, beside a usual processor."""
    found = plate()

    assert found.chip is not None
    assert (found.arm, found.of_type, found.chip.superseded, found.chip.fraction) == (None, (), None, None)
    assert found.chip.matrix_units


@pytest.mark.parametrize(("accelerator", "said"), [("P100", True), ("V100-16GB", True), ("T4", False), ("L4", False)])
def test_images_of_devices_that_cuda_13_leaves_out_have_cuda_12(accelerator: str, said: bool) -> None:
    """It has no code for what is older than Turing (NVIDIA, CUDA 13.0 release notes, 2025-08)."""
    found = plate(accelerator=accelerator)

    assert found.chip is not None
    assert said == ("with CUDA 12" in text(found.chip.image))


def test_a_machine_of_ones_own_is_nobodys_type() -> None:
    """Its device's maker has an image, but no cloud manages it or retires it."""
    market = made_up(Box())
    own = own_machines((Hardware(accelerator="V100-16GB", count=1, vcpus=8, memory_gib=32),), market)
    found = nameplate_of(own.machines, 0, market.catalog)

    assert found.chip is not None
    assert "NGC" in text(found.chip.image)
    assert "with CUDA 12" in text(found.chip.image)
    assert (found.rented, found.managed, found.arm, found.of_type) == (False, None, None, ())
