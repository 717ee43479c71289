"""Details are the figures of an outcome, row by row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled_market
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.details import Detail, details_of, on_device
from plimsoll_service.engine.choice.estimating import Estimates
from plimsoll_service.engine.choice.nameplates import nameplate_of
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import select
from plimsoll_service.engine.estimate.outcome import MemoryColumns
from plimsoll_service.engine.workload import Dataset, Query, Workload

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
    """Details of some rows."""
    catalog = bundled_market().catalog
    return details_of(scored, rows, [nameplate_of(scored.machines, row, catalog) for row in rows.tolist()])


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_row_has_its_own_figures(question: str) -> None:
    """Figures are in the order of the requested rows, for every kind of column."""
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
    """A row without memory still has its details."""
    scored = scored_of(QUESTIONS["calculated"])
    nothing = MemoryColumns(scored.outcome.device.required, scored.outcome.device.usable, {})
    bare = replace(scored, outcome=scored.outcome.changed(device=nothing))

    assert [one.device_parts for one in details(bare, np.array([0, 1]))] == [(), ()]
