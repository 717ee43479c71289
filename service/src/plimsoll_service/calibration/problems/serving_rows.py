"""Rows of language-model serving, grouped so that the engine's formulas run on whole arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from plimsoll_service.calibration.problems.asked_machine import asked_machine
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.named_hardware import type_row
from plimsoll_service.engine.coefficients import Coefficients, Serving
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.estimate.serving.configuration import CPU_MOST
from plimsoll_service.engine.estimate.serving.curves import (
    LOADS,
    Latency,
    Parts,
    endless_rate,
    latency,
    on_devices,
    on_processors,
)
from plimsoll_service.engine.estimate.serving.model import Served, served
from plimsoll_service.engine.estimate.serving.replica import cpu_replica, replica, sequences
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.machines import Machines, concatenate
from plimsoll_service.engine.workload import Hardware, Query, Workload
from plimsoll_service.evidence.asked import asked
from plimsoll_service.evidence.measurement import Measurement

METRICS = ("output_tokens/s", "prefill_tokens/s", "ttft_ms", "tpot_ms")
AT_ONCE = ("closed", "saturated", "static")  # loads whose requests come together
WITHOUT_END = ("offline",)
RUNNING_SHARE = 0.93  # of max_num_seqs that run in the mean (serving study, section 7)
BARE = ("single", "tensorrt-llm")
COMPILED = ("pytorch", "tuned")
# Makers of devices, and releases of engines that had just learned a model, of which one laboratory alone has figures.
HELD_AGAINST = ("amd-instinct", "dstack-deepseek-r1", "intel-gaudi")
MS = 1e3


@dataclass(frozen=True, eq=False)
class Group:
    """Rows of one model in one precision under one engine: everything but lengths, load and machine is the same."""

    measurements: tuple[Measurement, ...]
    rows: Ints
    model: Served
    machines: Machines
    degree: Floats
    stages: float
    on_cores: bool
    loads: Loads

    def log_predicted(self, fit: Serving) -> Floats:
        """ln of each row's figure by the engine's formulas."""
        model = replace(self.model, fit=fit)
        parts = self._parts(model)
        times = latency(model, parts)
        loads, first = self.loads, parts.first + parts.prefill
        waiting = np.maximum(loads.at_once / parts.running - 1, 0.0) * model.output_tokens * times.each
        times = Latency(times.first + waiting, times.first_p95, times.each)
        rate = np.where(loads.endless, endless_rate(model, parts), times.rate(loads.at_once, model.output_tokens))
        figures = (
            rate * loads.replicas * model.output_tokens,
            model.input_tokens / first,
            times.first * MS,
            times.each * MS,
        )
        return np.log(np.choose(loads.metric, figures))

    def _parts(self, model: Served) -> Parts:
        loads = self.loads
        if self.on_cores:
            running = np.minimum(loads.at_once, np.minimum(CPU_MOST, loads.most))
            return on_processors(model, cpu_replica(model, self.machines), running, loads.closed)
        on = replica(model, self.machines, self.degree, stages=self.stages)
        places = np.clip(sequences(model, on), 1.0, LOADS[-1])
        return on_devices(model, on, np.minimum(loads.at_once, places), loads.closed)


@dataclass(frozen=True, eq=False)
class Loads:
    """What each row was measured under, and which figure it is."""

    at_once: Floats  # requests in the system of one replica
    most: Floats  # that the engine was set to run
    closed: Floats
    endless: Floats
    replicas: Floats
    metric: Ints


def usable(row: Measurement) -> bool:
    """Serving without a doubt, under a load and by an engine that can be asked for.

    Left out: the wait in a burst (its sender's doing), first tokens of a library without a server (TensorRT-LLM 0.9),
    PyTorch compiled for a chip, and the sources of ``HELD_AGAINST``.
    """
    wanted = row.metric in METRICS and row.task == "inference" and not row.doubt and row.load is not None
    first = row.metric == "ttft_ms" and (row.load == "saturated" or (row.load, row.framework) == BARE)
    return wanted and not first and (row.framework, row.tuning) != COMPILED and row.source not in HELD_AGAINST


def groups_of(measurements: Iterable[Measurement], market: Market) -> tuple[Group, ...]:
    """The rows that the formulas can be held against."""
    members: dict[tuple[Workload, float, bool], list[tuple[Measurement, Hardware]]] = {}
    for one in measurements:
        if usable(one):
            workload, hardware = asked(one)
            if _bursts(hardware, market):
                continue
            bare = replace(workload, input_tokens=None, output_tokens=None, concurrency=None, framework_version=None)
            stages = float(one.pipeline_parallel or 1)
            members.setdefault((bare, stages, one.accelerator is None), []).append((one, _named(one, hardware)))
    groups: list[Group] = []
    for (workload, stages, on_cores), rows in members.items():
        group = _group(workload, stages, on_cores, rows, market, sum(len(one.rows) for one in groups))
        if group is not None:
            groups.append(group)
    return tuple(groups)


def _bursts(hardware: Hardware, market: Market) -> bool:
    """Whether the machine runs faster for minutes than it can for hours: a short run says nothing of it."""
    row = type_row(market, hardware)
    return row >= 0 and bool(market.catalog.instance_types.sustained_cpu[row] < 1)


def _named(row: Measurement, hardware: Hardware) -> Hardware:
    """The host's processor, where the source says it."""
    return replace(hardware, cpu=row.cpu) if hardware.accelerator is not None and row.cpu is not None else hardware


def _group(
    workload: Workload,
    stages: float,
    on_cores: bool,
    members: list[tuple[Measurement, Hardware]],
    market: Market,
    first: int,
) -> Group | None:
    job = job_of(Query(workload), Coefficients())
    if job.kind != kind.SERVING or job.profile is None or job.profile.transformer is None:
        return None
    measurements = tuple(one for one, _ in members)
    inputs = [float(one.input_tokens or job.workload.input_tokens or 1) for one in measurements]
    outputs = [float(one.output_tokens or job.workload.output_tokens or 1) for one in measurements]
    model = replace(
        served(job, job.profile.transformer), input_tokens=np.array(inputs), output_tokens=np.array(outputs)
    )
    return Group(
        measurements=measurements,
        rows=np.arange(first, first + len(members), dtype=np.int32),
        model=model,
        machines=machines_of([hardware for _, hardware in members], market),
        degree=np.array([float(_degree(one, model)) for one in measurements]),
        stages=stages,
        on_cores=on_cores,
        loads=_loads(measurements, model, stages),
    )


def _degree(row: Measurement, model: Served) -> int:
    """Devices that work together: as the source says, else all; a layer split lies over all."""
    return row.device_count if model.layer_split else row.tensor_parallel or row.device_count


def _loads(measurements: tuple[Measurement, ...], model: Served, stages: float) -> Loads:
    endless = np.array([one.load in WITHOUT_END for one in measurements])
    replicas = [max(1.0, one.device_count // (_degree(one, model) * stages)) for one in measurements]
    return Loads(
        at_once=np.where(endless, LOADS[-1], [max(one.concurrency or 1.0, 1.0) for one in measurements]),
        most=np.array([RUNNING_SHARE * (one.max_running or np.inf) for one in measurements]),
        closed=np.array([float(one.load in AT_ONCE) for one in measurements]),
        endless=endless,
        replicas=np.where(endless, replicas, 1.0),
        metric=np.array([METRICS.index(one.metric) for one in measurements], dtype=np.int32),
    )


def machines_of(hardware: list[Hardware], market: Market) -> Machines:
    """The machine of each row, made once for equal ones."""
    places: dict[Hardware, int] = {}
    for one in hardware:
        places.setdefault(one, len(places))
    machines = concatenate([asked_machine(one, market) for one in places])
    return machines.take(np.array([places[one] for one in hardware], dtype=np.int32))
