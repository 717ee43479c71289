"""Columns that are looked up or computed only where they are shown."""

from __future__ import annotations

import numpy as np
import pytest

from plimsoll_service.engine.columns import Column, Lazy, Lookup
from plimsoll_service.engine.estimate.outcome import MemoryColumns

WHOLE = np.array([2.0, 3.0, 2.0, 5.0])
COLUMNS = (WHOLE, Lookup(np.array([2.0, 3.0, 5.0]), np.array([0, 1, 0, 2])), Lazy(lambda rows: WHOLE[rows]))


@pytest.mark.parametrize("column", COLUMNS)
def test_every_kind_of_column_is_asked_as_an_array_is(column: Column) -> None:
    """A column of any kind can be read by row, by rows, and for one figure."""
    rows = np.array([3, 0])
    assert 3.0 == column[1]
    assert [5.0, 2.0] == column[rows].tolist()
    assert [5.0, 2.0] == column.take(rows).tolist()
    assert 5.0 == column.item(3)
    assert WHOLE.tolist() == column[:].tolist()


def test_a_gathered_column_is_spread_over_all_rows() -> None:
    """Each row has the value that it shares."""
    gathered = COLUMNS[1]
    assert isinstance(gathered, Lookup)
    assert WHOLE.tolist() == gathered[:].tolist()


def test_a_worked_column_is_worked_out_once_for_all_rows() -> None:
    """All readers of all rows get the same array."""
    column = Lazy(lambda rows: WHOLE[rows] * 2)
    assert column[:] is column[:]


def test_a_need_is_within_a_share_of_what_is_usable_or_unknown() -> None:
    """An unknown need counts as within the usable memory; a need beside unknown usable memory does not."""
    memory = MemoryColumns(np.array([9.0, 9.1, np.nan, 1.0]), np.array([10.0, 10.0, np.nan, np.nan]), {})
    assert [True, False, True, False] == memory.within(0.9).tolist()
    assert [True, True, True, False] == memory.within(1.0).tolist()
