"""Measurements of serving in groups of equal work and hardware, as the serving problems take them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from calibration.asked import asked
from calibration.problems.rows import asked_machine
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.named_hardware import type_row
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.served_model import Served, served
from plimsoll_service.engine.estimate.serving import curves
from plimsoll_service.engine.estimate.serving.configuration import CPU_MOST
from plimsoll_service.engine.estimate.serving.curves import LOADS, Parts, endless_rate, latency
from plimsoll_service.engine.estimate.serving.memory import device_room
from plimsoll_service.engine.estimate.serving.replica import cpu_replica, replica
from plimsoll_service.engine.hardware import Floats, Ints
from plimsoll_service.engine.machines import Machines, concatenate
from plimsoll_service.engine.serving_coefficients import Serving
from plimsoll_service.engine.workload import Hardware, Query, Workload
from plimsoll_service.evidence.coefficients import starting
from plimsoll_service.evidence.measurement import Measurement

METRICS = ("output_tokens/s", "prefill_tokens/s", "ttft_ms", "tpot_ms")
FIRST_TOKENS = ("ttft_ms", "prefill_tokens/s")
AT_ONCE = ("closed", "saturated", "static")  # loads whose requests come together
WITHOUT_END = ("offline",)
RUNNING_SHARE = 0.93  # of max_num_seqs that run in the mean (serving study, section 7)
BARE = ("single", "tensorrt-llm")
COMPILED = ("pytorch", "tuned")
# Sources with the only figures of a maker's devices, or of an engine's first release with a model.
NOT_FITTED = ("amd-instinct", "dstack-deepseek-r1", "intel-gaudi", "vllm-pull-requests")
# Runs whose time to the first token grows with the length of the answer, by just the time in which one of the running
# requests ends (0.125 of an answer among 8, 0.06 among 16, 0.03 among 32): one more was sent than ran (Little's law).
# That is the load generator's, and no part of what an engine's server takes.
ONE_WAITS = frozenset([("aic-silicon", "tensorrt-llm", "llama-3.1-8b")])
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
        held = np.maximum(loads.at_once / parts.running - 1, 0.0) + loads.one_waits / parts.running
        waiting = held * model.output_tokens * times.each
        times = replace(times, first=times.first + waiting)
        users = times.rate(loads.at_once, model.output_tokens)
        rate = np.where(loads.endless, endless_rate(model, parts, self.on_cores), users)
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
            return curves.on_processors(model, cpu_replica(model, self.machines), running, loads.closed)
        on = replica(model, self.machines, self.degree, stages=self.stages)
        room = device_room(model, on.machines, on.n, on.held, on.wide)
        places = np.clip(room.places(room.usable), 1.0, LOADS[-1])
        return curves.on_devices(model, on, np.minimum(loads.at_once, places), loads.closed)


@dataclass(frozen=True, eq=False)
class Loads:
    """Load and metric of each row."""

    at_once: Floats  # requests in the system of one replica
    most: Floats  # that the engine was set to run
    closed: Floats
    endless: Floats
    replicas: Floats
    metric: Ints
    one_waits: Floats  # 1 where the source sends one request more than run


def usable(row: Measurement) -> bool:
    """Whether a row is undoubted serving under a load, by an engine that can be asked for.

    Excluded are the wait in a burst (its sender causes it), first tokens of a library without a server (TensorRT-LLM
    0.9), PyTorch compiled for a chip, and the sources of ``NOT_FITTED``.
    """
    return comparable(row) and row.source not in NOT_FITTED


def comparable(row: Measurement) -> bool:
    """Whether the formulas have a figure for the row; see ``usable``."""
    wanted = row.metric in METRICS and row.task == "inference" and not row.doubt and row.load is not None
    first = row.metric == "ttft_ms" and (row.load == "saturated" or (row.load, row.framework) == BARE)
    return wanted and not first and (row.framework, row.tuning) != COMPILED


def groups_of(
    measurements: Iterable[Measurement], market: Market, wanted: Callable[[Measurement], bool] = usable
) -> tuple[Group, ...]:
    """Return the rows that the formulas cover, in groups."""
    members: dict[tuple[Workload, float, bool], list[tuple[Measurement, Hardware]]] = {}
    for one in measurements:
        if wanted(one):
            workload, hardware = asked(one)
            if hardware.instance_type is not None and type_row(market, hardware) < 0:
                hardware = asked(replace(one, cloud=None, instance_type=None))[1]  # a machine that the catalog lacks
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
    """Whether the machine is burstable: a short run says nothing about its lasting speed."""
    row = type_row(market, hardware)
    return row >= 0 and bool(market.catalog.instance_types.sustained_cpu[row] < 1)


def _named(row: Measurement, hardware: Hardware) -> Hardware:
    """Return the hardware with the host's processor, where the source states it."""
    return replace(hardware, cpu=row.cpu) if hardware.accelerator is not None and row.cpu is not None else hardware


def _group(
    workload: Workload,
    stages: float,
    on_cores: bool,
    members: list[tuple[Measurement, Hardware]],
    market: Market,
    first: int,
) -> Group | None:
    job = job_of(Query(workload), starting())
    if job.kind != kind.SERVING or job.profile is None or job.profile.transformer is None:
        return None
    measurements = tuple(one for one, _ in members)
    inputs = [float(one.input_tokens or job.workload.input_tokens or 1) for one in measurements]
    outputs = [float(one.output_tokens or job.workload.output_tokens or 1) for one in measurements]
    model = replace(
        served(job, job.profile.transformer),
        input_tokens=np.array(inputs),
        output_tokens=np.array(outputs),
        today=False,  # llama.cpp ran on processors in a build of 2025-03, and on GPUs in one of 2024
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
    """Number of devices that work together: as stated, otherwise all; a layer split always uses all."""
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
        one_waits=np.array([float((one.source, one.framework, one.model) in ONE_WAITS) for one in measurements]),
    )


def machines_of(hardware: list[Hardware], market: Market) -> Machines:
    """The machine of each row, made once for equal ones."""
    places: dict[Hardware, int] = {}
    for one in hardware:
        places.setdefault(one, len(places))
    machines = concatenate([asked_machine(one, market) for one in places])
    return machines.take(np.array([places[one] for one in hardware], dtype=np.int32))
