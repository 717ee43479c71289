"""What an estimate says of each candidate: one array a figure, one row a candidate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.hardware import Flags, Floats, Ints

# Why a candidate cannot run the work at all; 0 is "it can".
OBSTACLES = ("", "precision", "accelerator_memory", "memory", "network", "disk", "specification", "accelerators")
BOTTLENECKS = (
    "accelerator_compute", "accelerator_memory_bandwidth", "launch_latency", "interconnect", "network",
    "input_pipeline", "cpu_compute", "memory_bandwidth", "disk_throughput", "disk_iops",
)  # fmt: skip


def obstacle(name: str) -> int:
    """The code of an obstacle."""
    return OBSTACLES.index(name)


def bottleneck(name: str) -> int:
    """The code of a bottleneck."""
    return BOTTLENECKS.index(name)


@dataclass(frozen=True, eq=False)
class Gathered:
    """A column whose rows share the few ``values``; it is only looked up where it is shown."""

    values: NDArray[Any]
    of: NDArray[np.intp]

    def __getitem__(self, rows: Any) -> Any:
        return self.values[self.of[rows]]

    def take(self, rows: NDArray[np.intp]) -> NDArray[Any]:
        """Those rows, as of an array."""
        return self.values.take(self.of.take(rows))

    def item(self, row: int) -> Any:
        """One row, as of an array."""
        return self.values.item(self.of.item(row))

    def all(self) -> NDArray[Any]:
        """Every row."""
        return self.values.take(self.of)


@dataclass(frozen=True, eq=False)
class Worked:
    """A column that is only worked out where it is shown, by ``of`` from the rows."""

    of: Callable[[Any], Any]

    def __getitem__(self, rows: Any) -> Any:
        return self.of(rows)

    def take(self, rows: NDArray[np.intp]) -> Floats:
        """Those rows, as of an array."""
        values: Floats = self.of(rows)
        return values

    def item(self, row: int) -> float:
        """One row, as of an array."""
        return float(self.of(row))


Column = Floats | Gathered | Worked


@dataclass(frozen=True, eq=False)
class MemoryColumns:
    """Memory of one device or of the host, GiB: ``required``, ``usable``, and the parts it is made of."""

    required: Floats
    usable: Floats
    parts: Mapping[str, Column]


@dataclass(frozen=True, eq=False)
class DiskColumns:
    """What a volume must hold and move for one machine: GiB, requests a second, MiB/s."""

    size_gib: Gathered
    iops: Floats | Worked
    throughput_mib_s: Floats | Worked


@dataclass(frozen=True, eq=False)
class ServingColumns:
    """Serving of a language model: of all replicas of the candidate together, but ``tensor_parallel``."""

    concurrency: Gathered
    max_concurrency: Gathered
    ttft_ms: Gathered
    tpot_ms: Gathered
    tensor_parallel: Gathered
    replicas: Gathered


@dataclass(frozen=True, eq=False)
class Outcome:
    """Candidates scored. Rates are of the whole candidate (all its machines); NaN is "has no meaning here".

    ``value``, ``low`` and ``high`` factors: the figure × ``low`` … × ``high`` holds eight truths in ten.
    """

    obstacle: Ints
    throughput: Floats  # delivered
    capacity: Floats  # what it could deliver
    capacity_low: Floats
    capacity_high: Floats
    throughput_low: Floats
    throughput_high: Floats
    hours: Floats  # of the whole job, start-up and checkpoints included
    hours_low: Floats
    hours_high: Floats
    checkpoint_hours: Gathered  # to write one checkpoint
    bottleneck: Ints | Gathered
    batch_used: Column
    batch_largest: Column
    vcpus_required: Column
    host: MemoryColumns
    device: MemoryColumns
    disk: DiskColumns
    local_disk: Gathered  # the data lie on the machine's own NVMe, which its price includes
    emulated: Flags | Gathered
    devices_used: Column
    latency_ms: Floats  # 95th percentile of the whole answer (language models: of the first token)
    latency_low_ms: Floats
    latency_high_ms: Floats
    serving: ServingColumns | None = None
    lone_latency_ms: Floats | None = None  # of a request that has the service to itself

    def __len__(self) -> int:
        return len(self.obstacle)

    def changed(self, **columns: Any) -> Outcome:
        """The same with other columns."""
        return Outcome(**{**vars(self), **columns})


Columns = TypeVar("Columns")


def select(choose: Flags, first: Columns, second: Columns) -> Columns:
    """Row by row the first where ``choose`` holds, else the second; goes down into nested columns."""
    chosen: Columns = _each(lambda one, other: np.where(choose, one, other), first, second)
    return chosen


def take(columns: Columns, rows: Ints | NDArray[np.intp]) -> Columns:
    """The given rows of every column; goes down into nested columns."""
    places = rows.astype(np.intp, copy=False)  # indexed by fastest
    taken: Columns = _each(lambda column: column.take(places), columns)
    return taken


def put(columns: Columns, rows: Ints | NDArray[np.intp], others: Columns) -> Columns:
    """The columns with ``others`` in the given rows; goes down into nested columns."""

    def changed(column: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
        fresh = column.copy()
        fresh[rows] = other
        return fresh

    together: Columns = _each(changed, columns, others)
    return together


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
    return type(first)(*(_each(change, *parts) for parts in zip(*(vars(one).values() for one in several), strict=True)))
