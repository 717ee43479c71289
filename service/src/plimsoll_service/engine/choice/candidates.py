"""Candidates: machines × node counts. Counts are nested, so a wider limit keeps every candidate of a narrower one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.machines import Machines

NODE_COUNTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
DEFAULT_MAX_NODES = 16
# The work of these is split over machines; of the rest each candidate is one machine (or as many as a rate needs).
SPLIT_KINDS = (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING, kind.PREPROCESSING)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Rows of a machine table with their node counts; ``sized``: the estimate itself sets the count."""

    row: Ints
    nodes: Floats
    sized: bool

    def __len__(self) -> int:
        return len(self.row)


@dataclass(frozen=True)
class NodeCounts:
    """How many machines may share the work: those with devices, or machines of all kinds alike."""

    of_devices: tuple[int, ...]
    of_all: bool


def most_nodes(job: Job) -> int:
    """The largest node count that may be recommended."""
    asked = job.query.constraints.max_nodes
    return DEFAULT_MAX_NODES if asked is None else asked


def node_counts(job: Job) -> NodeCounts:
    """The numbers of machines that the work may be split over; training only over machines with accelerators."""
    if job.kind not in SPLIT_KINDS:
        return NodeCounts((1,), False)
    counts = tuple(count for count in NODE_COUNTS if count <= most_nodes(job))
    return NodeCounts(counts, job.kind == kind.PREPROCESSING)


def candidates_of(counts: NodeCounts, machines: Machines, rows: Ints, row_limit: Floats) -> tuple[Ints, Floats]:
    """Every candidate of the given machine rows: its row, and how many machines; of a row at most its limit."""
    if len(counts.of_devices) == 1:
        return rows, np.ones(len(rows))
    splits = np.ones(len(rows), dtype=bool) if counts.of_all else machines.has_accelerator()[rows]
    able = rows[splits]
    limit = row_limit[able]
    parts = [rows, *(able[limit >= count] for count in counts.of_devices[1:])]
    nodes = np.repeat(np.array(counts.of_devices, dtype=np.float64), [len(part) for part in parts])
    return np.concatenate(parts), nodes
