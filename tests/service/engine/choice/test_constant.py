"""Columns of one value."""

from __future__ import annotations

import numpy as np
import pytest

from plimsoll_service.engine.choice.constant import constant, lean, taken

PLACES = np.array([2, 0, 2], dtype=np.intp)


def test_a_constant_column_takes_the_room_of_one_row() -> None:
    """However many rows it has, and whichever are taken."""
    column = constant(np.float64(7.5), 1000)

    assert column.tolist() == [7.5] * 1000
    assert taken(column, PLACES).tolist() == [7.5] * 3
    assert column.strides == taken(column, PLACES).strides == (0,)


def test_nobody_writes_to_it() -> None:
    """All rows would change."""
    with pytest.raises(ValueError, match="read-only"):
        constant(np.int32(1), 3)[0] = 2


@pytest.mark.parametrize("column", [np.array([1.0, 2.0, 3.0]), np.array([], dtype=np.int32)])
def test_rows_of_other_columns_are_taken_as_ever(column: np.ndarray) -> None:
    """Also none of none."""
    places = PLACES if len(column) else PLACES[:0]

    assert taken(column, places).tolist() == column[places].tolist()


@pytest.mark.parametrize(
    ("column", "stride"),
    [
        pytest.param([2.5] * 100, 0, id="all the same"),
        pytest.param([2.5] * 99 + [2.0], 8, id="one differs"),
        pytest.param([float("nan")] * 100, 8, id="unknown is equal to nothing"),
    ],
)
def test_a_lean_column_takes_the_room_of_what_differs(column: list[float], stride: int) -> None:
    """Its rows are those of the column it was made of."""
    made = lean(np.array(column))

    np.testing.assert_array_equal(made, column)
    assert made.strides == (stride,)
