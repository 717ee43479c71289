"""Instance types that are one machine under several names: what is estimated of one holds for all of them."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from plimsoll_service.engine.hardware import InstanceTypes, Ints
from plimsoll_service.engine.machines import Machines

# With fewer types a shape than this, finding each shape's types costs more than estimating them all.
WORTH_SHARING = 2.0
# Columns of machines that say nothing beyond the others, or are not of the machine.
APART = ("accelerator_name", "generation", "catalog_row", "basis")


@dataclass(frozen=True, eq=False)
class Shapes:
    """Which types are alike: the shape of each type, and a type of each shape."""

    of_type: Ints
    row: Ints
    by_shape: Ints  # all types, those of a shape together

    def __len__(self) -> int:
        return len(self.row)


def shapes_of(machines: Machines, types: InstanceTypes) -> Shapes:
    """Types of one cloud with the same figures are of one shape; where few are, each is a shape of its own."""
    figures = [getattr(machines, column.name) for column in fields(Machines) if column.name not in APART]
    told = [types.cloud.codes, types.architecture.codes, types.retired]  # what answers say of a type besides its name
    table = np.ascontiguousarray(np.column_stack([*figures, *told]).astype(np.float64))
    keys = table.view(np.dtype((np.void, table.itemsize * table.shape[1]))).ravel()
    _, row, of_type = np.unique(keys, return_index=True, return_inverse=True)
    if len(row) * WORTH_SHARING > len(keys):
        every = np.arange(len(keys), dtype=np.int32)
        return Shapes(every, every, every)
    return Shapes(of_type.astype(np.int32), row.astype(np.int32), np.argsort(of_type, kind="stable").astype(np.int32))
