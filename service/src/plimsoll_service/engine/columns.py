"""Columns over candidates: groups of equal rows, columns that share or compute values, and structures of columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter, methodcaller
from typing import Any, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import NDArray

from .hardware import Flags, Floats, Ints, Places

SPARSE = 64  # a table of codes that is longer than so many times its rows takes longer than to sort them
EVERY = slice(None)  # rows of a column; the only slice that columns are asked for
Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True, eq_default=False)
def columnar(kind: type[Kind]) -> type[Kind]:
    """A dataclass of columns, compared by identity, that is never changed: type checkers hold everyone to it.

    As of ``frozen.value``, ``frozen=True`` would cost time.
    """
    return dataclass(eq=False)(kind)


@columnar
class Groups:
    """Rows that are alike: ``rows`` has one row of each group, ``of`` the group of every row."""

    rows: Places
    of: Places

    def __len__(self) -> int:
        return len(self.rows)


def groups_of(codes: NDArray[np.integer[Any]]) -> Groups:
    """Groups of the rows with the same code; codes are numbers from 0 on."""
    most = int(codes.max(initial=-1))
    if most >= SPARSE * (len(codes) + SPARSE):
        _, rows, of = np.unique(codes, return_index=True, return_inverse=True)
        return Groups(rows, of)
    some_row = np.full(most + 1, -1, dtype=np.intp)
    some_row[codes] = np.arange(len(codes))
    found = (some_row >= 0).nonzero()[0]
    place = np.empty(len(some_row), dtype=np.intp)
    place[found] = np.arange(len(found))
    return Groups(some_row[found], place[codes])


def groups_of_pairs(first: Ints, second: Floats) -> Groups:
    """Groups of the rows that share a code and one of few values."""
    values, which = np.unique(second, return_inverse=True)
    return groups_of(first * len(values) + which)


@columnar
class Lookup:
    """A column whose rows share few ``values``: row i has ``values[of[i]]``."""

    values: NDArray[Any]
    of: Places

    def __getitem__(self, rows: Any) -> Any:
        return self.values.take(self.of[rows])

    def take(self, rows: Places) -> NDArray[Any]:
        """The given rows, as of an array."""
        return self.values.take(self.of.take(rows))

    def item(self, row: int) -> Any:
        """One row, as of an array."""
        return self.values.item(self.of.item(row))


@columnar
class Lazy:
    """A column that is computed for the rows that are asked for."""

    compute: Callable[[Any], Any]
    every: NDArray[Any] | None = None  # once all rows were asked for

    def __getitem__(self, rows: Any) -> Any:
        if not isinstance(rows, slice):
            return self.compute(rows) if self.every is None else self.every[rows]
        if self.every is None:
            vars(self)["every"] = self.compute(EVERY)
        return self.every

    def take(self, rows: Places) -> NDArray[Any]:
        """The given rows, as of an array."""
        values: NDArray[Any] = self.compute(rows)
        return values

    def item(self, row: int) -> float:
        """One row, as of an array."""
        return float(self.compute(np.array([row]))[0])


Column = Floats | Lookup | Lazy
Columns = TypeVar("Columns")
Array = TypeVar("Array", bound=NDArray[Any])


def select(choose: Flags, first: Columns, second: Columns) -> Columns:
    """Row by row the first where ``choose`` holds, else the second; goes down into nested columns."""
    chosen: Columns = _each(lambda one, other: np.where(choose, one, other), first, second)
    return chosen


def take(columns: Columns, rows: Ints | Places | slice) -> Columns:
    """The given rows of every column, of a slice without a copy; goes down into nested columns."""
    if isinstance(rows, slice):
        change: Callable[[Any], Any] = itemgetter(rows)
    else:
        change = methodcaller("take", rows.astype(np.intp, copy=False))  # indexed by fastest
    taken: Columns = _each(change, columns)
    return taken


def put(columns: Columns, rows: Places, others: Columns) -> Columns:
    """The columns with ``others`` in the given rows; goes down into nested columns."""
    together: Columns = _each(lambda column, other: with_rows(column, rows, other), columns, others)
    return together


def changed(columns: Columns, **others: Any) -> Columns:
    """The columns with some of them replaced; a class with cached properties needs ``dataclasses.replace``."""
    same: Columns = object.__new__(type(columns))
    vars(same).update(vars(columns), **others)
    return same


def joined(several: Sequence[Columns]) -> Columns:
    """All rows of several, in order."""
    together: Columns = _each(lambda *columns: np.concatenate(columns), *several)
    return together


def _each(change: Any, *several: Any) -> Any:
    """``change`` applied to the arrays that stand in the same place of several equal structures."""
    first = several[0]
    if first is None:
        return None
    if isinstance(first, np.ndarray):
        return change(*several)
    if isinstance(first, dict):
        return {key: _each(change, *(one[key] for one in several)) for key in first}
    parts = zip(*[vars(one).values() for one in several], strict=True)
    return type(first)(*[change(*part) if isinstance(part[0], np.ndarray) else _each(change, *part) for part in parts])


def with_rows(column: Array, rows: Places, values: NDArray[Any] | float) -> Array:
    """A copy of the column with other values in the given rows."""
    fresh: Array = column.copy()
    fresh[rows] = values
    return fresh
