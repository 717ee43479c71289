"""Details are an outcome's figures row by row, beside what is said of a machine whatever the work is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, bundled_market, made_up
from tests.service.fitted import job_of

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.details import (
    ARM,
    NOT_OFFERED,
    Detail,
    Nameplate,
    details_of,
    nameplate_of,
    on_device,
)
from plimsoll_service.engine.choice.estimating import Estimates
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import select
from plimsoll_service.engine.estimate.outcome import MemoryColumns
from plimsoll_service.engine.workload import Dataset, Hardware, Query, Workload

QUESTIONS = {
    "trained": Workload("training", model="resnet-50", epochs=3, dataset=Dataset(samples=1_281_167, size_bytes=1.5e11)),
    "served": Workload("inference", model="llama-3-8b", requests_per_second=5),
    "calculated": Workload("hpc", flops=1e18),
}


def scored_of(workload: Workload) -> Estimates:
    """All candidates for a workload."""
    market = bundled_market()
    return select(job_of(Query(workload)), market, own_machines((), market)).estimates


def details(scored: Estimates, rows: np.ndarray) -> list[Detail]:
    """Those of some rows."""
    catalog = bundled_market().catalog
    return details_of(scored, rows, [nameplate_of(scored.machines, row, catalog) for row in rows.tolist()])


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_row_has_its_own_figures(question: str) -> None:
    """In the order in which the rows were asked for, whatever kind of column they stand in."""
    scored = scored_of(QUESTIONS[question])
    rows = np.flatnonzero(scored.outcome.obstacle == 0)[[7, 0, 3]]
    outcome = scored.outcome

    for row, one in zip(rows.tolist(), details(scored, rows), strict=True):
        assert one.plate.vcpus == scored.machines.vcpus[row]
        figures = (one.host, one.vcpus, one.devices, one.nodes, one.disk_gib, one.disk_mib_s, one.capacity)
        columns = (outcome.host.required, outcome.vcpus_required, outcome.devices_used, scored.nodes)
        disk = outcome.disk
        found = [column.item(row) for column in (*columns, disk.size_gib, disk.throughput_mib_s, outcome.capacity)]
        assert figures == tuple(found)
        assert one.host_parts == tuple(part.item(row) for part in outcome.host.parts.values())
        np.testing.assert_array_equal(one.device_parts, [part.item(row) for part in on_device(outcome).values()])


def test_free_memory_keeps_data_only_where_the_outcome_says_so() -> None:
    """Of work that reads nothing, none is kept."""
    rows = np.array([0, 1])

    assert {one.page_cache for one in details(scored_of(QUESTIONS["calculated"]), rows)} == {0.0}
    assert max(one.page_cache for one in details(scored_of(QUESTIONS["trained"]), rows)) > 0


def test_memory_that_nothing_takes_has_no_parts() -> None:
    """Each row still has its details."""
    scored = scored_of(QUESTIONS["calculated"])
    nothing = MemoryColumns(scored.outcome.device.required, scored.outcome.device.usable, {})
    bare = replace(scored, outcome=scored.outcome.changed(device=nothing))

    assert [one.device_parts for one in details(bare, np.array([0, 1]))] == [(), ()]


def plate(**box: object) -> Nameplate:
    """The nameplate of one made-up type."""
    market = made_up(Box(**box))
    return nameplate_of(market.machines, 0, market.catalog)


def text(note: Note | None) -> str:
    """What a note says, if there is one."""
    return "" if note is None else note.text


def test_figures_are_the_machines_own() -> None:
    """To the digits that an answer shows, but for what texts and comparisons need."""
    found = plate(vcpus=8, memory_gib=61.123456, disk_mib_s=437.5)

    assert (found.vcpus, found.shown_vcpus, found.shown_memory_gib, found.disk_mib_s) == (8.0, 8.0, 61.123, 437.5)
    assert found.rented
    assert found.chip is not None
    assert found.chip.memory_gib == 16.0


def test_a_machine_without_devices_has_no_chip() -> None:
    """Nor anything that is said of one."""
    assert plate(accelerator=None, count=0).chip is None


@pytest.mark.parametrize(
    ("box", "linked"),
    [({"accelerator": "T4"}, False), ({"interconnect": "nvlink", "interconnect_gb_s": 150.0}, True)],
    ids=["PCIe alone", "NVLink"],
)
def test_devices_are_linked_where_they_have_a_bus_of_their_own(box: dict[str, object], linked: bool) -> None:
    """Devices that share the PCIe bus are not."""
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


def test_a_machine_of_ones_own_is_nobodys_type() -> None:
    """Its device's maker has an image, but no cloud manages it or retires it."""
    market = made_up(Box())
    own = own_machines((Hardware(accelerator="V100-16GB", count=1, vcpus=8, memory_gib=32),), market)
    found = nameplate_of(own.machines, 0, market.catalog)

    assert found.chip is not None
    assert "NGC" in text(found.chip.image)
    assert (found.rented, found.managed, found.arm, found.of_type) == (False, None, None, ())
