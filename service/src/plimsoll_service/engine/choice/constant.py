"""Columns whose rows are all the same: they take the room of one, however many rows they have."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

Column = TypeVar("Column", bound=NDArray[Any])


def constant(value: np.generic, rows: int) -> NDArray[Any]:
    """So many rows of the same value; nobody may write to them."""
    return np.broadcast_to(value, rows)


def lean(column: Column) -> Column:
    """The same rows; a constant column where all are the same."""
    if len(column) and bool(np.all(column == column[0])):
        return cast(Column, constant(column[0], len(column)))
    return column


def taken(column: Column, places: NDArray[np.intp]) -> Column:
    """Rows of a column; of a constant one they are so again."""
    if column.strides == (0,) and len(column):
        return cast(Column, constant(column[0], len(places)))
    return cast(Column, column.take(places))
