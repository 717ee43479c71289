"""Rows that are alike are worked out once, and machines are gathered column by column."""

from __future__ import annotations

import numpy as np
import pytest
from tests.service.engine.catalogs import bundled
from tests.service.engine.estimate.machines import machine
from tests.service.fitted import job_of

from plimsoll_service.engine.columns import Kinds, kinds_of, paired
from plimsoll_service.engine.estimate.array_bytes import array_bytes
from plimsoll_service.engine.estimate.groundwork import Groundwork
from plimsoll_service.engine.machines import (
    COLUMNS,
    PASSING,
    Common,
    Machines,
    Together,
    concatenate,
    hardware_kinds,
    machines_of,
)
from plimsoll_service.engine.workload import Query, Workload

WHOLE = machines_of(bundled())
SPARSE = 10**9  # far beyond what a table of codes would be made for


@pytest.mark.parametrize("codes", [[3, 1, 3, 0], [SPARSE, 1, SPARSE, 0], [5, 5], []])
def test_each_kind_has_a_row_and_each_row_a_kind(codes: list[int]) -> None:
    """The row that stands for a kind has its code; there are as many kinds as codes."""
    column = np.array(codes, dtype=np.int64)
    found: Kinds = kinds_of(column)

    assert len(set(codes)) == len(found)
    assert codes == column[found.rows][found.of].tolist()


def test_a_pair_is_a_kind_where_both_are_the_same() -> None:
    """Codes and values that occur together."""
    found = paired(np.array([1, 1, 2, 1], dtype=np.int32), np.array([8.0, 4.0, 8.0, 8.0]))

    assert 3 == len(found)
    assert found.of[0] == found.of[3]


def test_machines_of_a_kind_have_the_same_device() -> None:
    """Every figure of a device is that of the machine which stands for the kind; without one, those of its cores."""
    kinds = hardware_kinds(WHOLE)
    some = WHOLE.take(kinds.rows).take(kinds.of)
    on_device = WHOLE.has_accelerator()

    assert len(kinds) < len(WHOLE) / 3
    for name in ("accelerator", "bandwidth_gb_s", "peak_tflops", "link_gb_s", "device_memory_gib", "gzip_mb_s"):
        np.testing.assert_array_equal(getattr(WHOLE, name)[on_device], getattr(some, name)[on_device])
    for name in ("cores", "sockets", "cpu_tflops", "cpu_bandwidth_gb_s", "vector", "gzip_mb_s"):
        np.testing.assert_array_equal(getattr(WHOLE, name)[~on_device], getattr(some, name)[~on_device])


def test_machines_of_two_tables_are_not_taken_for_alike() -> None:
    """Numbers of kinds are told apart where tables are joined."""
    both = concatenate([machine(vcpus=8), machine(accelerator=None, vcpus=64)])

    assert 2 == len(hardware_kinds(both))
    assert 2 == len(set(both.memory_alike.tolist()))


def test_taken_rows_are_those_of_every_column() -> None:
    """Rows of rows, with columns replaced before and after."""
    rows = np.array([7, 3, 3, 11], dtype=np.int32)
    taken: Machines = WHOLE.take(rows).changed(vcpus=np.arange(4.0)).take(np.array([2, 0], dtype=np.int32))

    assert 2 == len(taken)
    assert [2.0, 0.0] == taken.vcpus.tolist()
    for name in COLUMNS - {"vcpus"}:
        np.testing.assert_array_equal(getattr(WHOLE, name)[[3, 7]], getattr(taken, name))


def test_a_column_that_is_not_asked_for_takes_no_memory() -> None:
    """Only the places of the rows and what was gathered count; the catalog's own arrays are nobody's."""
    taken = WHOLE.take(np.arange(100, dtype=np.int32)).changed(devices=np.ones(100))
    before = array_bytes(taken)
    gathered = taken.cores

    assert 1600 == before
    assert 1600 + gathered.nbytes == array_bytes(taken)


def test_a_figure_of_one_machine_gathers_no_column() -> None:
    """It is that of the column, replaced or not, of rows of rows."""
    rows = np.array([7, 3, 11], dtype=np.int32)
    taken = WHOLE.take(rows).changed(vcpus=np.arange(3.0)).take(np.array([2, 1], dtype=np.int32))
    before = array_bytes(taken)

    assert [2.0, 1.0] == [taken.figure("vcpus", row) for row in range(2)]
    assert [WHOLE.cores.item(row) for row in (11, 3)] == [taken.figure("cores", row) for row in range(2)]
    assert before == array_bytes(taken)


def test_rows_in_common_count_once() -> None:
    """Not for those who have them with other columns."""
    common = Common(WHOLE, np.arange(100, dtype=np.intp), {})
    one, other = (common.changed(devices=np.full(100, count)) for count in (1.0, 2.0))
    assert one.cores is other.cores

    assert 800 == array_bytes(one) == array_bytes(other)
    assert 800 + one.cores.nbytes == array_bytes(common)
    assert one.kinds() is other.kinds()


def test_tables_together_are_their_rows_in_order() -> None:
    """Column by column, as if they had been joined."""
    parts = [machine(vcpus=8), machine(accelerator=None, vcpus=64), machine(vcpus=8)]
    found, joined = Together(parts), concatenate(parts)

    assert 3 == len(found)
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(joined, name), getattr(found, name))
    assert [64.0, 8.0] == found.take(np.array([1, 0], dtype=np.int32)).vcpus.tolist()


def test_machines_have_no_other_columns() -> None:
    """A misspelt name is an error."""
    with pytest.raises(AttributeError, match="colour"):
        _ = WHOLE.take(np.arange(2, dtype=np.int32)).colour


def test_a_job_holds_no_arrays() -> None:
    """What is counted of something kept with its job is the rest of it."""
    ground = Groundwork(job_of(Query(Workload("training", model="resnet50"))))

    assert 0 == array_bytes(ground.job)


@pytest.mark.parametrize("name", sorted({"vcpus", "memory_gib", *PASSING}))
def test_gathered_columns_are_held_unless_they_are_hardly_asked_for_again(name: str) -> None:
    """What is held takes room as long as the kind of work is kept."""
    taken = WHOLE.take(np.arange(100))
    before = array_bytes(taken)
    column = getattr(taken, name)

    assert array_bytes(taken) - before == (0 if name in PASSING else column.nbytes)
    np.testing.assert_array_equal(getattr(taken, name), column)
