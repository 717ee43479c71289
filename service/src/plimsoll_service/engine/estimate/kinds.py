"""Rows that are worked out alike: once each, and spread over all that share them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.hardware import Floats, Ints

if TYPE_CHECKING:  # which know their kinds
    from plimsoll_service.engine.estimate.machines import Machines, Places

SPARSE = 64  # a table of codes that is longer than so many times its rows takes longer than to sort them


@dataclass(frozen=True, eq=False)
class Kinds:
    """``rows``: one row of each kind; ``of``: the kind of every row, as a place among those."""

    rows: Places
    of: Places

    def __len__(self) -> int:
        return len(self.rows)


def kinds_of(codes: NDArray[np.integer[Any]]) -> Kinds:
    """Rows of one code are of one kind; codes are numbers from 0 on."""
    most = int(codes.max(initial=-1))
    if most >= SPARSE * (len(codes) + SPARSE):
        _, rows, of = np.unique(codes, return_index=True, return_inverse=True)
        return Kinds(rows, of)
    some_row = np.full(most + 1, -1, dtype=np.intp)
    some_row[codes] = np.arange(len(codes))
    found = np.flatnonzero(some_row >= 0)
    place = np.empty(len(some_row), dtype=np.intp)
    place[found] = np.arange(len(found))
    return Kinds(some_row[found], place[codes])


def hardware_kinds(machines: Machines) -> Kinds:
    """Machines whose devices, or processors where they have none, do the same."""
    return machines.kinds()


def paired(first: Ints, second: Floats) -> Kinds:
    """Kinds of rows that share both: a code, and one of few values."""
    values, which = np.unique(second, return_inverse=True)
    return kinds_of(first * len(values) + which)
