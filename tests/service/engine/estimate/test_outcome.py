"""Columns that are only looked up, or worked out, where they are shown."""

from __future__ import annotations

import numpy as np
import pytest

from plimsoll_service.engine.estimate.outcome import Column, Gathered, Worked

WHOLE = np.array([2.0, 3.0, 2.0, 5.0])
COLUMNS = (WHOLE, Gathered(np.array([2.0, 3.0, 5.0]), np.array([0, 1, 0, 2])), Worked(lambda rows: WHOLE[rows]))


@pytest.mark.parametrize("column", COLUMNS)
def test_every_kind_of_column_is_asked_as_an_array_is(column: Column) -> None:
    """By row, by rows, and for one figure."""
    rows = np.array([3, 0])
    assert 3.0 == column[1]
    assert [5.0, 2.0] == column[rows].tolist()
    assert [5.0, 2.0] == column.take(rows).tolist()
    assert 5.0 == column.item(3)


def test_a_gathered_column_is_spread_over_all_rows() -> None:
    """Each row has the value that it shares."""
    gathered = COLUMNS[1]
    assert isinstance(gathered, Gathered)
    assert WHOLE.tolist() == gathered.all().tolist()
