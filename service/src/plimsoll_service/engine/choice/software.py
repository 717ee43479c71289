"""Which machines a workload's software runs on at all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from plimsoll_service.engine import frameworks
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.hardware import Catalog, Flags
from plimsoll_service.engine.machines import Machines

# AMD parts that ROCm does not support for machine learning.
WITHOUT_ROCM = ("MI25", "V520", "V620", "V710")
DEVICE_KINDS = (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING, kind.SERVING, kind.INFERENCE, kind.HPC)


def runs_on(job: Job, machines: Machines, catalog: Catalog) -> Iterator[tuple[str, Flags]]:
    """(name in ``rejected``, rows that pass): accelerators that the software, or the task, cannot use."""
    if job.kind not in DEVICE_KINDS:
        return
    accelerators = catalog.accelerators
    usable = np.array([name not in WITHOUT_ROCM for name in accelerators.name], dtype=bool)
    bound = _vendors(job)
    if bound:
        usable &= np.array([vendor.lower() in bound for vendor in accelerators.vendor], dtype=bool)
    known = np.where(machines.accelerator >= 0, machines.accelerator, 0)
    yield "framework", ~machines.has_accelerator() | usable[known]
    if job.training:
        yield "accelerators", ~machines.inference_only
    if job.kind == kind.HPC:  # their compilers make programs of layers of a network, and of nothing else
        yield "accelerators", ~machines.compiled_chip()


def _vendors(job: Job) -> tuple[str, ...]:
    framework = frameworks.find(job.workload.framework) if job.workload.framework else None
    return () if framework is None else tuple(vendor.lower() for vendor in framework.vendors)
