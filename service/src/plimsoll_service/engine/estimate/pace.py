"""The fitted effects of each machine: what a step takes over the formula's time, and what stands behind that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from math import exp

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.effects import (
    CLASSES,
    Device,
    Work,
    architecture_of,
    match_of,
    unit_of,
    work_levels,
)
from plimsoll_service.engine.estimate.early_software import device_tuning
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.precision import Arithmetic, arithmetic, class_of
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.models.profile import ModelProfile

ON_CORES = Device("", "")
DEVICES_KEPT = 1024  # several times as many as a catalog has


def paced(job: Job, profile: ModelProfile, machines: Machines) -> Arithmetic:
    """The arithmetic of every machine, with the pace of its device, software and model."""
    numbers = arithmetic(machines, job.precision, job.half_falls_back, job.coefficients.roofline)
    effects = job.coefficients.effects
    if not effects.levels and not effects.matches:
        return numbers
    on_cores = work_of(job, profile)
    on_device = replace(on_cores, tuning=device_tuning(job) or on_cores.tuning)

    @cache
    def everywhere(kind: str) -> tuple[Work, float]:
        work = on_cores if unit_of(kind) == "cpu" else on_device
        return work, effects.total(work_levels(work, kind))

    def pace(kind: str, device: Device) -> float:
        work, common = everywhere(kind)
        own = effects.of_device(work, kind, device)
        return exp(common + own + effects.matches.get(match_of(work, kind, device), 0.0))

    return replace(numbers, pace=by_device(job, machines, numbers, pace))


def work_of(job: Job, profile: ModelProfile) -> Work:
    """The job in the words of the levels."""
    return Work(
        model=profile.name if job.known_model else "",
        kin=profile.kin,
        family=profile.family,
        mode=job.workload.task,
        framework=job.workload.framework or "",
        tuning=job.workload.tuning or "stock",
    )


def by_device(job: Job, machines: Machines, numbers: Arithmetic, figure: Callable[[str, Device], float]) -> Floats:
    """A figure of each machine that depends on its device and class of arithmetic alone, asked once for each."""
    classes = class_of(machines, numbers, job.precision)
    codes = (machines.accelerator + 1) * len(CLASSES) + classes
    size = int(codes.max(initial=0)) + 1
    example = np.full(size, -1, dtype=np.int32)
    example[codes] = np.arange(len(codes), dtype=np.int32)  # rows of one code are alike: any stands for them
    rows = example[example >= 0]
    found = np.ones(size)
    found[example >= 0] = [
        figure(CLASSES[code], device)
        for code, device in zip(classes[rows].tolist(), devices_at(machines, rows), strict=True)
    ]
    figures: Floats = found[codes]
    return figures


def devices_at(machines: Machines, rows: Ints) -> Iterator[Device]:
    """The accelerators of some machines in the words of the levels; empty on processors."""
    columns = (machines.accelerator, machines.accelerator_name, machines.generation, machines.gddr)
    for accelerator, name, generation, gddr in zip(*(column[rows].tolist() for column in columns), strict=True):
        yield _device(name, generation, gddr) if accelerator >= 0 else ON_CORES


@lru_cache(maxsize=DEVICES_KEPT)
def _device(name: str, generation: str, gddr: bool) -> Device:
    return Device(name, architecture_of(generation, gddr))


def device_at(machines: Machines, row: int) -> Device:
    """The accelerator of one machine."""
    return next(devices_at(machines, np.array([row], dtype=np.int32)))
