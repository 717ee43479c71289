"""Training of language models by tokens: the measurements, grouped so that the engine's formula runs on arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from plimsoll_service.calibration.problems.asked_machine import asked_machine
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.columns import joined
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.arithmetic import Arithmetic, arithmetic
from plimsoll_service.engine.estimate.parallelism import splits_of
from plimsoll_service.engine.estimate.token_training.estimate import choose_layout
from plimsoll_service.engine.estimate.token_training.memory import Layout, Trained, trained_of
from plimsoll_service.engine.estimate.token_training.step import TokenRun, micro_batch_seconds
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.machines import Machines, concatenate
from plimsoll_service.engine.workload import Hardware, Query, Workload
from plimsoll_service.evidence.asked import asked
from plimsoll_service.evidence.measurement import Measurement

# torchtitan's card is in no catalog, but its figures are stated: an H100 with other memory and less power.
STATED_CARD = "no such device in the catalog: 96 GB of HBM2e at 2.4 TB/s and a limit of 500 W"
STATED_CARD_NAME, STATED_CARD_BASE = "H100-96GB-HBM2e", "H100-SXM"
STATED_CARD_GIB, STATED_CARD_GB_S, STATED_CARD_W = 95.0, 2400.0, 500.0


@dataclass(frozen=True, eq=False)
class Group:
    """Rows that make one job: everything the same but machine, batch and counts."""

    job: Job
    trained: Trained
    rows: Ints
    machines: Machines
    numbers: Arithmetic
    layout: Layout

    @property
    def family(self) -> str:
        return self.job.profile.family if self.job.profile is not None else ""

    def log_rate(self, coefficients: Coefficients) -> Floats:
        """ln of the tokens a second of all devices, by the engine's own formula."""
        job = replace(self.job, coefficients=coefficients)
        inside = np.maximum(self.machines.devices, 1.0)
        run = TokenRun(job, self.trained, self.machines, self.numbers, self.layout, inside)
        seconds, _ = micro_batch_seconds(run)
        rate: Floats = np.log(run.tokens * self.layout.place.replicas / seconds)
        return rate


def usable(row: Measurement) -> bool:
    """Tokens a second in training, without a doubt but the one that is resolved here."""
    return row.task == "training" and row.metric == "tokens/s" and row.doubt in ("", STATED_CARD)


def groups_of(measurements: Iterable[Measurement], market: Market) -> tuple[tuple[Measurement, ...], tuple[Group, ...]]:
    """The rows that the formula can be held against, and their groups."""
    jobs: dict[Workload, list[tuple[Measurement, Workload, Hardware]]] = {}
    for row in filter(usable, measurements):
        workload, hardware = asked(row)
        shared = replace(workload, batch_size=None, global_batch_size=None)
        jobs.setdefault(shared, []).append((row, workload, hardware))
    rows: list[Measurement] = []
    groups: list[Group] = []
    for members in jobs.values():
        group = _group(members, market, len(rows))
        if group is not None:
            rows += [row for row, _, _ in members]
            groups.append(group)
    return tuple(rows), tuple(groups)


def _group(members: list[tuple[Measurement, Workload, Hardware]], market: Market, first: int) -> Group | None:
    jobs = [job_of(Query(workload), Coefficients()) for _, workload, _ in members]
    job = jobs[0]
    if job.kind != kind.TOKEN_TRAINING or job.profile is None or job.profile.transformer is None:
        return None
    trained = trained_of(job)
    machines = [_machine(row, hardware, market) for row, _, hardware in members]
    layouts = []
    for one, machine, (_, _, hardware) in zip(jobs, machines, members, strict=True):
        inside = np.maximum(machine.devices, 1.0)
        splits = splits_of(hardware)
        layouts.append(choose_layout(one, trained, machine, inside * hardware.node_count, inside, splits))
    together = concatenate(machines)
    numbers = arithmetic(together, job.precision, job.half_falls_back, job.coefficients.roofline)
    order = np.arange(first, first + len(members), dtype=np.int32)
    return Group(job, trained, order, together, numbers, joined(layouts))


def layouts_of(measurements: Iterable[Measurement], market: Market) -> Iterator[tuple[Measurement, str, Layout]]:
    """Each row's model family and its layout on all its devices, of the rows that are trained by tokens."""
    for row in measurements:
        workload, hardware = asked(row)
        job = job_of(Query(workload), Coefficients())
        if job.kind != kind.TOKEN_TRAINING or job.profile is None or job.profile.transformer is None:
            continue
        machine = _machine(row, hardware, market)
        inside = np.maximum(machine.devices, 1.0)
        devices = inside * hardware.node_count
        yield (
            row,
            job.profile.family,
            choose_layout(job, trained_of(job), machine, devices, inside, splits_of(hardware)),
        )


def _machine(row: Measurement, hardware: Hardware, market: Market) -> Machines:
    if row.doubt != STATED_CARD:
        return asked_machine(hardware, market)
    machine = asked_machine(replace(hardware, accelerator=STATED_CARD_BASE), market)
    return replace(
        machine,
        device_memory_gib=np.array([STATED_CARD_GIB]),
        bandwidth_gb_s=np.array([STATED_CARD_GB_S]),
        power_w=np.array([STATED_CARD_W]),
    )
