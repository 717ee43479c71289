"""What an estimate says of each candidate: one array a figure, one row a candidate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
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
EVERY = slice(None)  # row of a column; the only slice that columns are asked for


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
        return self.all() if isinstance(rows, slice) else self.values[self.of[rows]]

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

    @cached_property
    def _every(self) -> NDArray[Any]:
        every: NDArray[Any] = self.of(EVERY)
        return every

    def __getitem__(self, rows: Any) -> Any:
        return self._every if isinstance(rows, slice) else self.of(rows)

    def take(self, rows: NDArray[np.intp]) -> NDArray[Any]:
        """Those rows, as of an array."""
        values: NDArray[Any] = self.of(rows)
        return values

    def item(self, row: int) -> float:
        """One row, as of an array."""
        return float(self.of(np.array([row]))[0])


Column = Floats | Gathered | Worked


@dataclass(frozen=True, eq=False)
class MemoryColumns:
    """Memory of one device or of the host, GiB: ``required``, ``usable``, and the parts it is made of."""

    required: Floats
    usable: Floats
    parts: Mapping[str, Column]

    @cached_property
    def _within(self) -> dict[float, Flags]:
        return {}

    def within(self, share: float) -> Flags:
        """Rows whose need, where it is known, is no more than that share of what is usable; kept, as no data decide."""
        if share not in self._within:
            self._within[share] = np.isnan(self.required) | (self.required <= self.usable * share)
        return self._within[share]


@dataclass(frozen=True, eq=False)
class DiskColumns:
    """What a volume must hold and move for one machine: GiB, requests a second, MiB/s."""

    size_gib: Gathered
    rate: Column  # samples a second that one machine's disk moves
    requests: float  # a sample
    mib: float  # a sample

    @property
    def iops(self) -> Worked:
        """Requests a second."""
        return Worked(lambda rows: np.ceil(self.rate[rows] * self.requests))

    @property
    def throughput_mib_s(self) -> Worked:
        """MiB/s."""
        return Worked(lambda rows: self.rate[rows] * self.mib)


@dataclass(frozen=True, eq=False)
class ServingColumns:
    """Serving of a language model: of all replicas of the candidate together, but ``tensor_parallel``."""

    concurrency: Column
    max_concurrency: Column
    ttft_ms: Column
    tpot_ms: Column
    tensor_parallel: Column
    replicas: Column


@dataclass(frozen=True, eq=False)
class Outcome:
    """Candidates scored. Rates are of the whole candidate (all its machines); NaN is "has no meaning here".

    ``value``, ``low`` and ``high`` factors: the figure × ``low`` … × ``high`` holds eight truths in ten.
    """

    obstacle: Ints
    throughput: Floats  # delivered
    capacity: Floats  # what it could deliver
    capacity_low: Column
    capacity_high: Column
    throughput_low: Column
    throughput_high: Column
    hours: Floats  # of the whole job, start-up and checkpoints included
    hours_low: Column
    hours_high: Column
    checkpoint_hours: Gathered  # to write one checkpoint
    bottleneck: Ints | Gathered | Worked
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
    latency_low_ms: Column
    latency_high_ms: Column
    serving: ServingColumns | None = None
    lone_latency_ms: Column | None = None  # of a request that has the service to itself

    def __len__(self) -> int:
        return len(self.obstacle)

    def changed(self, **columns: Any) -> Outcome:
        """The same with other columns."""
        same = copy(self)
        vars(same).update(columns)
        return same


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
