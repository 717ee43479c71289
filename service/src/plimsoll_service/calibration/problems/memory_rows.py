"""Measured memory of one device in training: peaks and largest batches, grouped for the engine's own formulas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from plimsoll_service.calibration.problems.asked_machine import asked_machine
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.arithmetic import arithmetic
from plimsoll_service.engine.estimate.requirements import device_need, usable_gib
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.machines import Machines, concatenate
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.workload import Hardware, Query, Workload
from plimsoll_service.evidence.asked import asked
from plimsoll_service.evidence.measurement import Measurement

PEAK, LARGEST = "peak_memory_gib", "largest_batch"


@dataclass(frozen=True, eq=False)
class Group:
    """Rows that make one job: everything the same but the device and the batch."""

    job: Job
    profile: ModelProfile
    rows: Ints
    machines: Machines
    batch: Floats

    def required(self, coefficients: Coefficients, times: float = 1.0) -> Floats:
        """GiB of one device at ``times`` the batch, by the engine's own formula."""
        job = replace(self.job, coefficients=coefficients)
        numbers = arithmetic(self.machines, job.precision, job.half_falls_back, coefficients.roofline)
        need = device_need(job, self.profile, self.machines, numbers)
        required: Floats = need.required(self.batch * times)
        return required

    @property
    def usable(self) -> Floats:
        return usable_gib(self.machines)


def usable_rows(measurements: Iterable[Measurement], market: Market) -> list[Measurement]:
    """Peaks and largest batches without a doubt, but of devices that were seen to hold more than the catalog says."""
    rows = [
        row for row in measurements
        if row.metric in (PEAK, LARGEST) and row.task == "training" and not row.doubt and row.batch_size
    ]  # fmt: skip
    memory = dict(zip(market.catalog.accelerators.name, market.catalog.accelerators.memory_gib, strict=True))
    larger = {
        row.accelerator for row in rows if row.metric == PEAK and row.value > memory.get(row.accelerator or "", np.inf)
    }
    return [row for row in rows if row.accelerator not in larger]


def groups_of(measurements: Iterable[Measurement], market: Market) -> tuple[tuple[Measurement, ...], tuple[Group, ...]]:
    """The rows of models that are counted in samples, and their groups."""
    jobs: dict[Workload, list[tuple[Measurement, Hardware]]] = {}
    for row in usable_rows(measurements, market):
        workload, hardware = asked(row)
        jobs.setdefault(replace(workload, batch_size=None), []).append((row, hardware))
    rows: list[Measurement] = []
    groups: list[Group] = []
    for workload, members in jobs.items():
        job = job_of(Query(workload), Coefficients())
        if job.kind != kind.SAMPLE_TRAINING or job.profile is None:
            continue
        machines = concatenate([asked_machine(hardware, market) for _, hardware in members])
        batch = np.array([float(row.batch_size or 1) for row, _ in members])
        order = np.arange(len(rows), len(rows) + len(members), dtype=np.int32)
        groups.append(Group(job, job.profile, order, machines, batch))
        rows += [row for row, _ in members]
    return tuple(rows), tuple(groups)
