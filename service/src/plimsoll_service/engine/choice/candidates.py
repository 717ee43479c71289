"""Candidates: machines × node counts. Counts are nested, so a wider limit keeps every candidate of a narrower one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.hardware import Floats, Ints

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


def most_nodes(job: Job) -> int:
    """The largest node count that may be recommended."""
    asked = job.query.constraints.max_nodes
    return DEFAULT_MAX_NODES if asked is None else asked


def candidates_of(job: Job, machines: Machines, rows: Ints, row_limit: Floats) -> Candidates:
    """Every candidate of the given machine rows; training is split over machines with accelerators only."""
    if job.kind in kind.INFERENCE_KINDS:
        return Candidates(rows, np.ones(len(rows)), sized=True)
    if job.kind not in SPLIT_KINDS:
        return Candidates(rows, np.ones(len(rows)), sized=False)
    counts = [count for count in NODE_COUNTS if count <= most_nodes(job)]
    splits = machines.has_accelerator()[rows] | (job.kind == kind.PREPROCESSING)
    parts = [(rows, np.ones(len(rows)))]
    for count in counts[1:]:
        able = rows[splits & (row_limit[rows] >= count)]
        parts.append((able, np.full(len(able), float(count))))
    return Candidates(
        np.concatenate([row for row, _ in parts]), np.concatenate([nodes for _, nodes in parts]), sized=False
    )
