"""Loads that were measured, and how much less is known beyond them."""

from __future__ import annotations

import numpy as np

from ...demand import kind
from ...demand.job import Job
from ...hardware import Floats
from ...known import NOTHING, cell_of, software_of
from ...machines import Machines

NEAR = 2.0  # up to so many times a measured load, an estimate is of what was measured; a decision of this project


def measured_loads(job: Job, machines: Machines) -> Floats:
    """The most requests at once that a replica was measured with, on each machine.

    They are those of this work on this accelerator, else of this work, else of this software. They are infinite on
    processors, where no work is called measured, and where the user measured.
    """
    known, found = job.coefficients.known.get(kind.SERVING, NOTHING), np.full(len(machines), np.inf)
    if job.anchoring is not None:
        return found
    software = software_of(job.workload.framework, job.workload.tuning)
    name = job.profile.name if job.profile is not None and job.known_model else ""
    of_cell = known.loads.get(cell_of(name, job.precision, software), {})
    otherwise = max(of_cell.values(), default=known.load_of_software.get(software, np.inf))
    found[machines.has_accelerator()] = otherwise
    codes, some = np.unique(machines.accelerator, return_index=True)
    for code, row in zip(codes.tolist(), some.tolist(), strict=True):
        own = of_cell.get(machines.accelerator_name[row]) if code >= 0 else None
        if own is not None:
            found[machines.accelerator == code] = own
    return found


def error_of(job: Job, load: Floats, measured: Floats) -> Floats:
    """What ln of the ends of a range gains at a load: in proportion to its doublings beyond what was measured."""
    doublings: Floats = np.log2(np.maximum(load / measured, 1.0))
    return job.coefficients.spreads.load_growth * doublings


def lower(end: Floats, error: Floats) -> Floats:
    """The low end with that error in quadrature."""
    return np.exp(-np.hypot(np.log(end), error))


def higher(end: Floats, error: Floats) -> Floats:
    """The high end with that error in quadrature."""
    return np.exp(np.hypot(np.log(end), error))
