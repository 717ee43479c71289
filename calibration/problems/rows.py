"""Rows of measurements as questions to the engine: one group for each work, one machine for each row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from calibration.asked import asked
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.named_hardware import type_row
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.arithmetic import Arithmetic, arithmetic
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.workload import Hardware, Workload
from plimsoll_service.evidence.measurement import Measurement

Work = TypeVar("Work")
Row = TypeVar("Row")
Group = TypeVar("Group")


class Question(NamedTuple):
    """A row, and a user's question for it."""

    row: Measurement
    workload: Workload
    hardware: Hardware


def by_work(rows: Iterable[Measurement], *varying: str) -> list[list[Question]]:
    """Return the questions of those rows, grouped where only hardware and the ``varying`` fields differ."""
    alike: dict[Workload, list[Question]] = {}
    for row in rows:
        workload, hardware = asked(row)
        open_: dict[str, Any] = dict.fromkeys(varying)
        alike.setdefault(replace(workload, **open_), []).append(Question(row, workload, hardware))
    return list(alike.values())


def grouped(
    works: Iterable[Work], group: Callable[[Work, int], tuple[Sequence[Row], Group] | None]
) -> tuple[tuple[Row, ...], tuple[Group, ...]]:
    """Return the rows and groups of all works; ``group`` takes a work and the place of its first row."""
    rows: list[Row] = []
    groups: list[Group] = []
    for members in works:
        found = group(members, len(rows))
        if found is not None:
            rows += found[0]
            groups.append(found[1])
    return tuple(rows), tuple(groups)


def asked_machine(hardware: Hardware, market: Market) -> Machines:
    """Return the catalog's machine where one is named, otherwise the described one, with a stated network."""
    row = type_row(market, hardware)
    if row < 0:
        return own_machines((hardware,), market).machines
    machine = market.machines.take(np.array([row], dtype=np.int32))
    if hardware.network_gbps is None:
        return machine
    return replace(machine, network_gbps=np.array([hardware.network_gbps]))


@dataclass(frozen=True, eq=False)
class SampleGroup:
    """Rows that make one job counted in samples: everything the same but the machine and the batch."""

    job: Job
    profile: ModelProfile
    rows: Ints
    machines: Machines
    batch: Floats

    def at(self, coefficients: Coefficients) -> tuple[Job, Arithmetic]:
        """The job at those coefficients, and how its machines compute."""
        job = replace(self.job, coefficients=coefficients)
        return job, arithmetic(self.machines, job.precision, job.half_falls_back, coefficients.roofline)
