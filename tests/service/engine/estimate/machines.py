"""Single machines and jobs for tests of the estimates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.service.engine.catalogs import Box, bundled, catalog_of
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.candidates import candidates_among
from plimsoll_service.engine.choice.estimating import Estimates, estimates_of, prepared_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.input.disk_orders import product_rows
from plimsoll_service.engine.machines import Machines, machines_of
from plimsoll_service.engine.workload import Query, Workload


def machine(**facts: object) -> Machines:
    """One made-up machine."""
    return machines_of(catalog_of(Box(**facts)))


def with_figures(machines: Machines, **columns: float) -> Machines:
    """The same machines with other figures of their devices or processors."""
    return replace(machines, **{name: np.full(len(machines), float(value)) for name, value in columns.items()})


def scored(workload: Workload, machines: Machines, nodes: float = 1.0, sized: bool = False) -> Estimates:
    """Each machine as a candidate of that many nodes (``sized``: as many as the estimate asks for)."""
    return scored_job(job_of(Query(workload)), machines, nodes, sized)


def scored_job(job: Job, machines: Machines, nodes: float = 1.0, sized: bool = False) -> Estimates:
    """The same for a job."""
    rows = np.arange(len(machines), dtype=np.int32)
    clouds = ("aws",)
    products = product_rows(bundled().disks, clouds, job.workload.disk.type or "auto")
    cloud, each = np.zeros(len(rows), dtype=np.int32), np.full(len(rows), nodes)
    with np.errstate(all="ignore"):
        candidates = candidates_among(machines, cloud, rows, each, products, sized=sized)
        return estimates_of(job, prepared_of(job, candidates, bundled().disks))


def hours(workload: Workload, machines: Machines, nodes: float = 1.0) -> float:
    """Hours of the job on the only machine."""
    return float(scored(workload, machines, nodes).outcome.hours[0])


def throughput(workload: Workload, machines: Machines, nodes: float = 1.0) -> float:
    """Units a second on the only machine."""
    return float(scored(workload, machines, nodes).outcome.throughput[0])
