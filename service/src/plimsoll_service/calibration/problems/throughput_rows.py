"""One-device rows of models counted in samples, grouped so that the engine's formula runs on whole arrays."""

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
from plimsoll_service.engine.effects import CLASSES, Device, Work
from plimsoll_service.engine.estimate.arithmetic import arithmetic, class_of, device_at, work_of
from plimsoll_service.engine.estimate.roofline import step
from plimsoll_service.engine.estimate.samples.inference import batches_of
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.machines import Machines, concatenate
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.workload import Hardware, Query, Workload
from plimsoll_service.evidence.asked import asked
from plimsoll_service.evidence.measurement import Measurement

KINDS = (kind.SAMPLE_TRAINING, kind.INFERENCE)


@dataclass(frozen=True, eq=False)
class Group:
    """Rows that make one job: everything the same but the machine and the batch."""

    job: Job
    profile: ModelProfile
    rows: Ints
    machines: Machines
    batch: Floats

    def log_rate(self, coefficients: Coefficients) -> Floats:
        """ln of the samples a second of one device, by the engine's formula; the engine's effects are not applied."""
        job = replace(self.job, coefficients=coefficients)
        numbers = arithmetic(self.machines, job.precision, job.half_falls_back, coefficients.roofline)
        rate: Floats = np.log(self.batch / step(job, self.profile, self.machines, numbers, self.batch).seconds)
        return rate


@dataclass(frozen=True)
class Row:
    """A measurement of one device in the words of the levels."""

    measurement: Measurement
    work: Work
    arithmetic: str
    device: Device

    @property
    def rate(self) -> float:
        """Samples a second of one device: devices infer side by side."""
        return self.measurement.value / self.measurement.device_count


def usable(row: Measurement) -> bool:
    """Throughput in samples without a doubt, of one device where devices exchange gradients."""
    alone = row.device_count == 1 or row.task == "inference"
    return row.metric == "samples/s" and not row.doubt and alone


def groups_of(measurements: Iterable[Measurement], market: Market) -> tuple[tuple[Row, ...], tuple[Group, ...]]:
    """The rows that the formula can be held against, and their groups; the engine says what it cannot run."""
    jobs: dict[Workload, list[tuple[Measurement, Hardware]]] = {}
    for one in measurements:
        if usable(one):
            workload, hardware = asked(one)
            jobs.setdefault(replace(workload, batch_size=None), []).append((one, hardware))
    rows: list[Row] = []
    groups: list[Group] = []
    for workload, members in jobs.items():
        found = _group(workload, members, market, len(rows))
        if found is not None:
            rows += found[0]
            groups.append(found[1])
    return tuple(rows), tuple(groups)


def _group(
    workload: Workload, members: list[tuple[Measurement, Hardware]], market: Market, first: int
) -> tuple[list[Row], Group] | None:
    job = job_of(Query(workload), Coefficients())
    profile = job.profile
    if profile is None or job.kind not in KINDS:
        return None
    machines = concatenate([asked_machine(hardware, market) for _, hardware in members])
    numbers = arithmetic(machines, job.precision, job.half_falls_back, job.coefficients.roofline)
    most = batches_of(profile)[-1]
    batch = np.array([float(one.batch_size or most) for one, _ in members])
    seconds = step(job, profile, machines, numbers, batch).seconds
    meant = np.array([one.accelerator is not None for one, _ in members]) == machines.has_accelerator()
    kept = np.flatnonzero(numbers.supported & np.isfinite(seconds) & meant).astype(np.int32)
    if not len(kept):
        return None
    classes, work = class_of(machines, numbers, job.precision), work_of(job, profile)
    rows = [Row(members[i][0], work, CLASSES[classes[i]], device_at(machines, int(i))) for i in kept]
    order = np.arange(first, first + len(kept), dtype=np.int32)
    return rows, Group(job, profile, order, machines.take(kept), batch[kept])
